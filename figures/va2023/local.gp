# va2023, section III-A, equation (15): a sphere under a plate, with and without a weight of the volume constraint. The
# weight decreases with the distance from the point that the plate touches first. The weight scales the Jacobian's rows,
# or only the constraint's forces. The columns show different radii within which the weight is not 0.
# raster 1350 860
folder = here."/local"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"
load "figures/stage.inc"

radii = swept(table, "method.weight_radius") # a radius of 0 means no weight; the four largest radii are drawn
radius(k) = word(radii, words(radii) + 1 - k)
frame_time = number(pick(table, "", "time.step")) * number(pick(table, "", "time.steps_per_frame"))
length = number(pick(table, "", "body.surface.length"))
length = length > 0 ? length : 2
all = pick(table, "method.weight_radius=0 m", "geometry")
frame = words(all) ? int(word(all, words(all))) : 0
# The height of the plate, which stops at a fraction of the sphere's height. The sphere's height is the body's length.
of_scene(key) = number(pick(table, "", "scene.plate.".key))
larger(a, b) = a > b ? a : b
plate = larger(length + of_scene("gap") - of_scene("speed") * frame * frame_time, length * (1 - of_scene("depth")))

set multiplot
set label 1 sprintf("Pressed, with the volume preserved near the loaded point, t = %.2f s", frame * frame_time) at screen 0.5, \
    screen up_of(38) center font ",17"
set label 2 footnote(footer) at screen 0.01, screen up_of(842)
wide = 246; high = 250
do for [row = 0:1] {
    enters = row == 0 ? "rows" : "forces"
    do for [k = 0:4] {
        if (row == 1 && k == 0 || k >= words(radii)) { continue }
        where = k == 0 ? "method.weight_radius=0 m" : \
            sprintf("method.weight_radius=%s m;method.weight_enters=%s", radius(k), enters)
        run = pick(table, where, "run"); frames = pick(table, where, "geometry"); status = pick(table, where, "status")
        left = 60 + 256 * k
        top = k == 0 ? 300 : 105 + 365 * row
        words_of_loss = run eq "" ? "0" : reduced(folder."/".run.".tsv", "volume_error", "")
        set label 3 (k == 0 ? "no weight" : sprintf("within %s m", radius(k))) at screen right_of(left + wide / 2), \
            screen up_of(top + high + 14) center font ",13"
        set label 4 (run eq "" ? "" : sprintf("volume error %s", percent(100 * largest_of(words_of_loss)))) \
            at screen right_of(left + wide / 2), screen up_of(top + high + 38) center font ",10" textcolor rgb "#555555"
        set label 5 (k == 1 ? sprintf("weight on the %s", row == 0 ? "Jacobian's rows" : "constraint's forces") : "") \
            at screen right_of(60 + 256), screen up_of(top - 20) left font ",12"
        set label 6 (has_frame(frames, frame) && largest_of(words_of_loss) > 10 ? "outside the view" : "") at screen right_of(left + wide / 2), \
            screen up_of(top + 30) center front textcolor rgb alarm font ",12"
        options = sprintf("--colour %s --turn 30 --tilt 12 --ground 0 --at 0,%g,0 --across %g --plate %g", word(inks, 2), \
            0.42 * length, 1.8 * length, plate)
        load "figures/shot.inc"
        unset for [l = 1:6] label l
    }
}
unset multiplot
