# cetinaslan2019, figure 3: a Bunny hangs by its ears, with four kinds of spring and the volume constraint.
# The paper prints a picture, no values.
# raster 1350 450
folder = here."/hanging-bunny"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"
load "figures/stage.inc"

length = length_of(table)
array conditions[1] = [";method.damping=0"]
array row_name[1] = ["damping 0"]
heading = "A Bunny of 12,288 edges hangs by its ears"
share = 1; high = 290
view = sprintf("--turn 20 --tilt 10 --at 0,%g,0 --across %g", -0.22 * length, 1.85 * length)
load "figures/cetinaslan2019/snapshots.inc"
