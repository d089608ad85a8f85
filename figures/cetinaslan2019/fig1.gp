# cetinaslan2019, figure 1: a cloth hangs by two corners, with four kinds of spring and three dampings, at one time.
# The paper prints a picture, no values.
# raster 1350 900
folder = here."/hanging-cloth"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"
load "figures/stage.inc"

length = length_of(table)
array conditions[3] = [";method.damping=0", ";method.damping=0.3;method.damping_means=scaled", ";method.damping=1;method.damping_means=scaled"]
array row_name[3] = ["damping 0", "damping 0.3\n(as h^2 β)", "damping 1\n(as h^2 β)"]
heading = "A hanging cloth of 4,880 edges"
share = 0.5; high = 240
view = sprintf("--turn 35 --tilt 12 --at 0,%g,%g --across %g", -0.52 * length, -0.5 * length, 1.82 * length)
load "figures/cetinaslan2019/snapshots.inc"
