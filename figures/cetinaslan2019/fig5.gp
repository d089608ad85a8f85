# cetinaslan2019, figure 5: a cloth falls on a sphere, with four kinds of spring. The paper prints a picture, no
# values.
# raster 1350 450
folder = here."/cloth-on-sphere"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"
load "figures/stage.inc"

length = length_of(table)
array conditions[1] = [""]
array row_name[1] = ["damping 0.3"]
heading = "A cloth of 4,880 edges on a sphere"
share = 1; high = 290
view = sprintf("--turn 30 --tilt 3 --at 0,%g,0 --across %g", -0.39 * length, 0.86 * length)
load "figures/cetinaslan2019/snapshots.inc"
