# cetinaslan2019, the scene of figure 4, right: Bob on convex bodies, made of Morse springs with the volume constraint,
# and of hyperelastic tetrahedra.
# raster 1350 785
folder = here."/bob-elements-convex"
across = 2.15; middle = -0.6; high = 205
heading = "Bob falls on convex bodies: springs, and tetrahedral elements"
load "figures/cetinaslan2019/elements_snapshots.inc"
