# lee2022, figure 11: a plate presses a body of tetrahedra (grey) and a body with inner links (blue), and lets go. The
# upper rows are views from the front, the lower rows from above. The paper prints a picture, no values.
# raster 1350 1010
folder = here."/press"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/lee2022/bodies.inc"
load "figures/stage.inc"

of_method(m) = sprintf("method.name=%s", m == 1 ? tets : links)
all = pick(table, of_method(1), "geometry")
all = all eq "" ? pick(table, of_method(2), "geometry") : all
# Fractions of the recorded frames, while the body is pressed, held and let go.
array share[6] = [0, 0.155, 0.31, 0.385, 0.5, 1]
moment(k) = words(all) ? int(word(all, 1 + int(share[k + 1] * (words(all) - 1) + 0.5))) : 0
frame_time = number(pick(table, "", "time.step")) * number(pick(table, "", "time.steps_per_frame"))
length = number(pick(table, "", "body.surface.length"))
length = length > 0 ? length : 1
mesh = pick(table, "", "body.mesh")

# The height of the plate, which moves down from a gap above the highest node to a fraction of the body's height.
of_scene(key) = number(pick(table, "", "scene.plate.".key))
larger(a, b) = a > b ? a : b
first_of(words) = words eq "0" ? 0 : number(word(words, 3))
run = run_of(table, of_method(1))
height = run eq "" ? 0 : first_of(reduced(folder."/".run.".tsv", "height", "0"))
plate(time) = larger(height + of_scene("gap") - of_scene("speed") * time, height * (1 - of_scene("depth")))

set multiplot
set label 1 "Pressed by a plate and let go: tetrahedra and inner links" at screen 0.5, screen up_of(38) center font ",17"
set label 2 footnote(footer) at screen 0.01, screen up_of(stage_height - 16)
columns = 6; high = 205
wide = int((stage_width - 190 - 5 * (columns - 1)) / columns)
if (words(all)) {
    do for [k = 0:columns - 1] {
        set label (100 + k) sprintf("%.2f s%s", moment(k) * frame_time, \
            moment(k) * frame_time < of_scene("until") ? "" : ", let go") \
            at screen right_of(182 + (wide + 5) * k + wide / 2), screen up_of(78) center font ",13"
    }
}
do for [view = 0:1] {
    do for [m = 1:2] {
        where_is = of_method(m)
        run = run_of(table, where_is); frames = pick(table, where_is, "geometry"); status = pick(table, where_is, "status")
        top = 100 + (high + 12) * (2 * view + m - 1)
        ink = m == 1 ? black : blue
        set label 4 sprintf("%s\n%s\n%s", m == 1 ? "tetrahedra" : "inner links", view == 0 ? "from the front" : "from above", \
            view == 0 && run ne "" ? sprintf("shape error at\nthe end: %s", percent(share_of(table, where_is, "shape_error_last"))) : "") \
            at screen right_of(10), screen up_of(top + high / 2 - 30) left font ",11" textcolor rgb hash(ink)
        do for [k = 0:columns - 1] {
            frame = moment(k)
            left = 182 + (wide + 5) * k
            time = frame * frame_time
            options = sprintf("--colour %s --turn %d --tilt %d --ground 0 --at 0,%g,0 --across %g%s", ink, \
                view == 0 ? turn_of(mesh) : 0, view == 0 ? 12 : 90, (view == 0 ? 0.42 : 0.2) * length, (view == 0 ? 1.4 : 1.6) * length, \
                view == 0 && time < of_scene("until") ? sprintf(" --plate %g", plate(time)) : "")
            load "figures/shot.inc"
            unset label 1; unset label 2; unset label 4
            unset for [l = 0:columns - 1] label (100 + l)
        }
    }
}
unset multiplot
