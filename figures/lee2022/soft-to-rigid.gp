# lee2022, sections 3.1 and 5: the stiffness of inner links and of bending makes the Bunny soft or rigid. All pictures
# are of one moment.
# raster 1350 640
folder = here."/soft-to-rigid"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/lee2022/bodies.inc"
load "figures/stage.inc"

inside = swept(table, "method.inside_compression")
bending = swept(table, "method.bending")
frames = pick(table, "", "geometry")
frame_time = number(pick(table, "", "time.step")) * number(pick(table, "", "time.steps_per_frame"))
frame = words(frames) ? int(word(frames, 1 + int(0.55 * (words(frames) - 1) + 0.5))) : 0 # when the soft bodies are flattest
length = number(pick(table, "", "body.surface.length"))
length = length > 0 ? length : 1
set multiplot
set label 1 sprintf("Stiffness k inside (compression, stretch) and of bending, t = %.2f s", frame * frame_time) at screen 0.5, screen up_of(38) \
    center font ",17"
set label 2 footnote(footer) at screen 0.01, screen up_of(stage_height - 16)
wide = 195; high = 200
do for [b = 1:(words(bending) > 0 ? words(bending) : 1)] {
    do for [k = 1:(words(inside) > 0 ? words(inside) : 1)] {
        where = sprintf("method.inside_compression=%s;method.bending=%s", word(inside, k), word(bending, b))
        run = words(inside) ? run_of(table, where) : ""; frames = pick(table, where, "geometry"); status = pick(table, where, "status")
        left = 145 + 200 * (k - 1)
        top = 100 + 262 * (b - 1)
        set label 3 (b == 1 && run ne "" ? sprintf("k = %s, %s", word(inside, k), word(pick(table, where, "method.inside_stretch"), 1)) : "") \
            at screen right_of(left + wide / 2), screen up_of(80) center font ",11"
        set label 4 (k == 1 && run ne "" ? "bending\n".word(bending, b) : "") at screen right_of(12), screen up_of(top + high / 2) left font ",12"
        set label 5 (run eq "" ? "" : sprintf("shape error %s", percent(share_of(table, where, "shape_error_max")))) \
            at screen right_of(left + wide / 2), screen up_of(top + high + 16) center font ",9" textcolor rgb "#555555"
        options = sprintf("--colour %s --turn %d --tilt 12 --ground 0 --at 0,%g,0 --across %g", blue, turn_of("bunny_closed_3008"), \
            0.42 * length, 1.25 * length)
        load "figures/shot.inc"
        unset for [l = 1:5] label l
    }
}
unset multiplot
