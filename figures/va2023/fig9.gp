# va2023, figure 9: the five bodies in free fall at three moments, as mass-spring surfaces (red) and with the volume
# constraint (blue).
# raster 1350 1450
folder = here."/free-fall"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"
load "figures/stage.inc"

# The last three moments that any run has a picture of.
all = ""
do for [m = 1:2] {
    do for [b = 1:5] {
        frames = pick(table, of_body(b, m, ""), "geometry")
        all = words(frames) > words(all) ? frames : all
    }
}
first = words(all) > 3 ? words(all) - 2 : 1
rows = words(all) - first + 1
frame_time = number(pick(table, "", "time.step")) * number(pick(table, "", "time.steps_per_frame"))
length = number(pick(table, "", "body.surface.length"))
length = length > 0 ? length : 2

set multiplot
set label 1 "Free fall on a plane: mass-spring (red) and volume constraint (blue)" at screen 0.5, screen up_of(38) center font ",17"
set label 2 footnote(footer) at screen 0.01, screen up_of(1434)
wide = 246; high = 200
pitch = 2 * high + 36 # of a moment's two rows
do for [b = 1:5] {
    set label (100 + b) named(table, b) at screen right_of(100 + 250 * (b - 1) + wide / 2), screen up_of(74) center font ",11"
}
do for [row = 0 : rows - 1] {
    frame = int(word(all, first + row))
    set label 3 sprintf("%.3f s", frame * frame_time) at screen right_of(40), screen up_of(110 + pitch * row + high) \
        center rotate by 90 font ",13"
    do for [m = 1:2] {
        do for [b = 1:5] {
            where = of_body(b, m, "")
            run = pick(table, where, "run"); frames = pick(table, where, "geometry"); status = pick(table, where, "status")
            left = 100 + 250 * (b - 1)
            top = 110 + pitch * row + (m - 1) * (high + 2)
            options = sprintf("--colour %s --turn %s --tilt 12 --ground 0 --at 0,%g,0 --across %g", word(inks, m), \
                word(turns, b), 0.47 * length, 1.5 * length)
            load "figures/shot.inc"
            unset label 1; unset label 2; unset label 3
            unset for [k = 1:5] label (100 + k)
        }
    }
}
unset multiplot
