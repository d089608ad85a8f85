# lee2022, figure 9: the Dragon with holes falls on the ground, with inner links (purple) and as a surface alone
# (grey). The paper prints a picture, no values.
# raster 1350 560
folder = here."/fall-dragon"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/lee2022/bodies.inc"
load "figures/stage.inc"

mesh = "dragon_holed_2998"
row_count = 2
array where[2] = [of_body(mesh, links, ""), of_body(mesh, bare, "")]
array colour[2] = [purple, black]
array row_name[2]
do for [r = 1:2] {
    row_name[r] = sprintf("%s\n%s\nshape error\nat most %s", r == 1 ? "inner links" : "surface alone", \
        made_of(table, where[r]), percent(share_of(table, where[r], "shape_error_max")))
}
heading = "Dragon at the stiffnesses of table 5: inner links and the surface alone"
columns = 6; high = 205; tilt = 12; middle = 0.42; across = 1.2; turn = turn_of(mesh)
load "figures/lee2022/moments.inc"
