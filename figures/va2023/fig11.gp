# va2023, figure 11: a cube, fixed at its bottom and twisted at its top, as a mass-spring system (above) and with the
# volume constraint (below). A loss over 100 % means a negative volume: the surface is inverted.
# raster 1350 660
folder = here."/twisting"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
load "figures/va2023/bodies.inc"
load "figures/stage.inc"

of_method(m) = sprintf("method.name=%s", word(methods, m))
all = pick(table, of_method(1), "geometry")
all = words(all) > 0 ? all : pick(table, of_method(2), "geometry")
moment(k) = word(all, 1 + int(k * (words(all) - 1) / 5.0 + 0.5)) # six times, from the first to the last
frame_time = number(pick(table, "", "time.step")) * number(pick(table, "", "time.steps_per_frame"))
length = number(pick(table, "", "body.surface.length"))
length = length > 0 ? length : 1

set multiplot
set label 1 "A cube twisted at its top" at screen 0.5, screen up_of(38) center font ",17"
set label 2 footnote(footer) at screen 0.01, screen up_of(642)
wide = 200; high = 230
if (words(all) > 0) {
    do for [k = 0:5] {
        set label (100 + k) sprintf("%.2f s", moment(k) * frame_time) at screen right_of(122 + 205 * k + wide / 2), \
            screen up_of(84) center font ",13"
    }
}
do for [m = 1:2] {
    where = of_method(m)
    run = pick(table, where, "run"); frames = pick(table, where, "geometry"); status = pick(table, where, "status")
    words_of_loss = run eq "" ? "0" : reduced(folder."/".run.".tsv", "volume_loss", "")
    stated = value_of(m == 1 ? "va2023_twisting_msm" : "va2023_twisting_vpc")
    loss = largest_of(words_of_loss)
    set label 4 sprintf("%s\nvolume loss\n%s%s%s", m == 1 ? method_label[m] : "volume\nconstraint", percent(100 * loss), \
        loss > 1 ? "\n(inverted:\nvolume < 0)" : "", stated == stated ? sprintf("\n(paper:\n%g %%)", stated) : "") \
        at screen right_of(8), screen up_of(104 + 250 * (m - 1) + high / 2 - 30) left font ",9.5" textcolor rgb ink(m)
    do for [k = 0:5] {
        frame = words(all) ? int(moment(k)) : 0
        left = 122 + 205 * k
        top = 104 + 250 * (m - 1)
        options = sprintf("--colour %s --turn 25 --tilt 22 --across %g --at 0,%g,0", word(inks, m), 1.97 * length, -0.05 * length)
        load "figures/shot.inc"
        unset label 1; unset label 2; unset label 4
        unset for [l = 0:5] label (100 + l)
    }
}
unset multiplot
