# cetinaslan2019, figure 2: a flag in a constant wind, with four kinds of spring, by the paper's equations and by a
# later program of the author. The program's wind acts along the normals of the triangles, and its damping acts on each
# end of a spring.
# raster 1350 720
folder = here."/program-flag"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"
load "figures/stage.inc"

length = length_of(table)
array conditions[2] = [";method.damping_of=pair", ";method.damping_of=ends"]
array row_name[2] = ["equations", "author's\nprogram"]
heading = "A flag in the wind: the equations, and the author's program"
share = 1; high = 280
view = sprintf("--turn 35 --tilt 12 --across %g", 1.3 * length)
load "figures/cetinaslan2019/snapshots.inc"
