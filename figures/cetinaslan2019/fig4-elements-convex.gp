# cetinaslan2019, beside figure 4, right: the same on convex bodies.
# raster 1350 930
folder = here."/bob-elements-convex"
heading = "Bob falls on convex bodies (not drawn): of springs, and of elements"
load "figures/cetinaslan2019/elements_snapshots.inc"
