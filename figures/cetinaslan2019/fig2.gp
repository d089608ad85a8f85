# cetinaslan2019, figure 2: a flag in a constant wind, with four kinds of spring. The paper prints a picture, no
# values.
# raster 1350 430
folder = here."/flag"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"
load "figures/stage.inc"

length = length_of(table)
array conditions[1] = [""]
array row_name[1] = ["all springs"]
heading = "A flag of 4,880 edges in the wind"
share = 1; high = 270
view = sprintf("--turn 35 --tilt 12 --across %g", 1.3 * length)
load "figures/cetinaslan2019/snapshots.inc"
