# lee2022, figure 7: the Armadillo falls on the ground, made of tetrahedra (grey) and with inner links (blue).
# The paper prints a picture, no values.
# raster 1350 580
folder = here."/fall"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/lee2022/bodies.inc"
load "figures/stage.inc"

mesh = "armadillo_6362"
row_count = 2
array where[2] = [of_body(mesh, tets, ""), of_body(mesh, links, "")]
array colour[2] = [black, blue]
array row_name[2]
do for [r = 1:2] {
    row_name[r] = sprintf("%s\n%s\nshape error\nat most %s", r == 1 ? "tetrahedra" : "inner links", \
        made_of(table, where[r]), percent(share_of(table, where[r], "shape_error_max")))
}
heading = "Armadillo at the stiffnesses of table 4: tetrahedra and inner links"
columns = 6; high = 220; tilt = 12; middle = 0.56; across = 1.5; turn = turn_of(mesh)
load "figures/lee2022/moments.inc"
