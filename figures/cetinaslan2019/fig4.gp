# cetinaslan2019, figure 4: Bob on a sphere and on convex bodies, with the modified Morse potential and the volume
# constraint. The paper prints a picture, no values.
# raster 1350 720
load here."/bob/context.gp"
load "figures/cetinaslan2019/springs.inc"
load "figures/stage.inc"

array folders[2] = [here."/bob", here."/bob-convex"]
array across[2] = [2.15, 2.15]
array middle[2] = [-0.73, -0.45]
array meant[2] = ["on a\nsphere", "on convex\nbodies"]
where = "method.volume=ghosts"
set multiplot
set label 1 "Bob (9,261 edges) falls on a sphere and on convex bodies" at screen 0.5, screen up_of(36) center font ",17"
set label 2 footnote(footer) at screen 0.01, screen up_of(stage_height - 16)
wide = 295; high = 275
do for [e = 1:2] {
    folder = folders[e]
    table = folder."/summary.tsv"
    run = pick(table, where, "run"); frames = pick(table, where, "geometry"); status = pick(table, where, "status")
    length = length_of(table)
    do for [k = 1:4] {
        frame = words(frames) ? int(word(frames, 1 + int(k / 4.0 * (words(frames) - 1) + 0.5))) : 0
        left = 130 + 302 * (k - 1)
        top = 100 + 300 * (e - 1)
        set label 3 (run eq "" ? "" : sprintf("t = %.2f s", frame * frame_time_of(table))) \
            at screen right_of(left + wide / 2), screen up_of(top - 12) center font ",11"
        set label 4 (k == 1 ? meant[e] : "") at screen right_of(10), screen up_of(top + high / 2) left font ",12"
        options = sprintf("--colour %s --turn 20 --tilt 15 --at 0,%g,0 --across %g", word(spring_inks, 4), middle[e] * length, across[e] * length)
        load "figures/shot.inc"
        unset for [l = 1:4] label l
    }
}
unset multiplot
