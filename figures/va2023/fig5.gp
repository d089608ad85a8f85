# va2023, figure 5: the five bodies at rest.
# raster
folder = here."/bodies"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"
load "figures/stage.inc"

set multiplot
set label 1 "The bodies of va2023" at screen 0.5, screen 0.955 center font ",17"
set label 2 footnote(footer) at screen 0.01, screen 0.025
wide = 410; high = 330
do for [b = 1:5] {
    where = "body.mesh=".word(meshes, b)
    run = pick(table, where, "run"); frames = pick(table, where, "geometry"); status = pick(table, where, "status")
    left = b <= 3 ? 30 + 440 * (b - 1) : 205 + 530 * (b - 4)
    top = b <= 3 ? 80 : 480
    set label 3 word(names, b) at screen right_of(left + wide / 2), screen up_of(top + high + 16) center font ",14"
    set label 4 (run eq "" ? "" : sprintf("%s nodes, %s triangles, %s springs%s", count_of(pick(table, where, "nodes")), \
        count_of(pick(table, where, "body_triangles")), count_of(pick(table, where, "springs")), \
        pick(table, where, "body_stand_in") eq "yes" ? "; a stand-in" : "")) \
        at screen right_of(left + wide / 2), screen up_of(top + high + 40) center font ",10" textcolor rgb "#555555"
    frame = 0
    options = sprintf("--colour cdd6e4 --tilt 15 --turn %s", word(turns, b))
    load "figures/shot.inc"
    unset label 1; unset label 2
}
unset multiplot
