# va2023, figure 1: sphere and torus with the volume constraint at three stiffnesses. Each row shows the recorded time
# at which the softest body has the largest elastic energy.
# raster 1350 760
folder = here."/stiffness"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
load "figures/va2023/bodies.inc"
load "figures/stage.inc"

array stiffness[3] = [100, 1000, 5000]
frame_time = number(pick(table, "", "time.step")) * number(pick(table, "", "time.steps_per_frame"))
length = number(pick(table, "", "body.surface.length"))
length = length > 0 ? length : 2

set multiplot
set label 1 "Falling on a plane with the volume constraint" at screen 0.5, screen up_of(38) center font ",17"
set label 2 footnote(footer) at screen 0.01, screen up_of(742)
wide = 410; high = 250
do for [b = 1:2] {
    softest = pick(table, of_body(b, 2, sprintf(";method.stiffness=%d N/m", stiffness[1])), "run")
    frame = softest eq "" ? 0 : int(word(reduced(folder."/".softest.".tsv", "elastic_energy", \
        pick(table, of_body(b, 2, sprintf(";method.stiffness=%d N/m", stiffness[1])), "geometry")), 5))
    set label 3 sprintf("%s, t = %.3f s", word(names, b), frame * frame_time) at screen right_of(32), \
        screen up_of(80 + 325 * (b - 1) + high / 2) center rotate by 90 font ",14"
    do for [k = 1:3] {
        where = of_body(b, 2, sprintf(";method.stiffness=%d N/m", stiffness[k]))
        run = pick(table, where, "run"); frames = pick(table, where, "geometry"); status = pick(table, where, "status")
        left = 70 + 425 * (k - 1)
        top = 70 + 325 * (b - 1)
        loss = run eq "" ? NaN : 100 * largest_of(reduced(folder."/".run.".tsv", "volume_loss", ""))
        stated = value_of(sprintf("va2023_stiffness_%s_%d", b == 1 ? "sphere" : "torus", stiffness[k]))
        set label 4 sprintf("%d N/m", stiffness[k]) at screen right_of(left + wide / 2), screen up_of(top + high + 22) center font ",13"
        set label 5 (run eq "" ? "" : sprintf("volume loss %s%s", percent(loss), \
            stated == stated ? sprintf(" (paper: %g %%)", stated) : "")) \
            at screen right_of(left + wide / 2), screen up_of(top + high + 46) center font ",10" textcolor rgb "#555555"
        options = sprintf("--colour %s --turn %s --tilt 14 --ground 0 --at 0,%g,0 --across %g", word(inks, 2), \
            word(turns, b), 0.32 * length, 1.85 * length)
        load "figures/shot.inc"
        unset for [l = 1:3] label l
    }
}
unset multiplot
