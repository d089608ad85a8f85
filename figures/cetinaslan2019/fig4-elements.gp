# cetinaslan2019, the scene of figure 4, left: Bob on a sphere, made of Morse springs with the volume constraint, and of
# hyperelastic tetrahedra.
# raster 1350 930
folder = here."/bob-elements"
across = 2.15; middle = -0.73; high = 256
heading = "Bob falls on a sphere: springs, and tetrahedral elements"
load "figures/cetinaslan2019/elements_snapshots.inc"
