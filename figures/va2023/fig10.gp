# va2023, figure 10: a plate presses Bunny and Armadillo to the ground, as mass-spring surfaces (red) and with the
# volume constraint (blue).
# raster 1350 1010
folder = here."/pressing"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
load "figures/va2023/bodies.inc"
load "figures/stage.inc"

all = ""
do for [m = 1:2] {
    do for [b = 3:4] {
        frames = pick(table, of_body(b, m, ""), "geometry")
        all = words(frames) > words(all) ? frames : all
    }
}
moment(k) = word(all, 1 + int(k * (words(all) - 1) / 5.0 + 0.5)) # six times, from the first to the last
frame_time = number(pick(table, "", "time.step")) * number(pick(table, "", "time.steps_per_frame"))
length = number(pick(table, "", "body.surface.length"))
length = length > 0 ? length : 1

# The height of the plate, which moves down from a gap above the highest node to a fraction of the body's height.
of_scene(key) = number(pick(table, "", "scene.plate.".key))
larger(a, b) = a > b ? a : b
extent(trace) = system(sprintf("%s export --format triangles %s | awk 'NF == 4 {y = $3 + 0; if (!n++ || y > high) high = y; if (n == 1 || y < low) low = y} END {print low + 0, high + 0}'", \
    quoted(springback), quoted(trace)))

set multiplot
set label 1 "Pressed by a plate: mass-spring (red) and volume constraint (blue)" at screen 0.5, screen up_of(38) center font ",17"
set label 2 footnote(footer) at screen 0.01, screen up_of(992)
wide = 198; high = 196
if (words(all) > 0) {
    do for [k = 0:5] {
        set label (100 + k) sprintf("%.2f s", moment(k) * frame_time) at screen right_of(128 + 204 * k + wide / 2), \
            screen up_of(84) center font ",13"
    }
}
do for [b = 3:4] {
    do for [m = 1:2] {
        where = of_body(b, m, "")
        run = pick(table, where, "run"); frames = pick(table, where, "geometry"); status = pick(table, where, "status")
        height = run eq "" ? "0 0" : extent(trace_of(folder, run))
        words_of_loss = run eq "" ? "0" : reduced(folder."/".run.".tsv", "volume_loss", "")
        stated = value_of(sprintf("va2023_pressing_%s_%s", m == 1 ? "msm" : "vpc", b == 3 ? "bunny" : "armadillo"))
        set label 4 sprintf("%s\n%s\nvolume loss\n%s%s", word(names, b), m == 1 ? method_label[m] : "volume\nconstraint", \
            percent(100 * largest_of(words_of_loss)), stated == stated ? sprintf("\n(paper:\n%g %%)", stated) : "") \
            at screen right_of(6), screen up_of(110 + 215 * (2 * (b - 3) + m - 1) + high / 2 - 55) left font ",9.5" textcolor rgb ink(m)
        do for [k = 0:5] {
            frame = words(all) ? int(moment(k)) : 0
            left = 128 + 204 * k
            top = 104 + 215 * (2 * (b - 3) + m - 1)
            time = frame * frame_time
            plate = larger(word(height, 2) + of_scene("gap") - of_scene("speed") * time, \
                word(height, 2) - of_scene("depth") * (word(height, 2) - word(height, 1)))
            options = sprintf("--colour %s --turn %s --tilt 12 --ground 0 --at 0,%g,0 --across %g%s", word(inks, m), \
                word(turns, b), 0.45 * length, 1.75 * length, time < of_scene("until") ? sprintf(" --plate %g", plate) : "")
            load "figures/shot.inc"
            unset label 1; unset label 2; unset label 4
            unset for [l = 0:5] label (100 + l)
        }
    }
}
unset multiplot
