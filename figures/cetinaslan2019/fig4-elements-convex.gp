# cetinaslan2019, beside figure 4, right: the same on convex bodies.
# raster 1350 930
folder = here."/bob-elements-convex"
across = 2.15
heading = "Bob falls on convex bodies: of springs, and of elements"
load "figures/cetinaslan2019/elements_snapshots.inc"
