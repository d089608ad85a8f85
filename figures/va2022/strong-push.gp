# va2022, sections 1 and 5: the mass-spring cloth under a strong push from below at the step of figure 10, 0.005 s, and,
# below, the same cloth at a step that is small enough.
# raster
folder = here."/strong-push"
load folder."/context.gp"

# The runs by their step, as the table has them; a trace that it does not name is of another experiment.
array steps[2] = ["0.005 s", "0.00025 s"]
array runs[2]
do for [r = 1 : 2] {
    runs[r] = look_up(folder."/summary.tsv", "time.step", steps[r], "time.step", steps[r], "run")
    if (runs[r] eq "") {
        exit error sprintf("%s/summary.tsv: no run has the time.step %s, which is to be drawn", folder, steps[r])
    }
}
array recorded[2]; array status[2]
do for [r = 1 : 2] {
    recorded[r] = look_up(folder."/summary.tsv", "time.step", steps[r], "time.step", steps[r], "geometry")
    status[r] = look_up(folder."/summary.tsv", "time.step", steps[r], "time.step", steps[r], "status")
}
array names[2] = ["Δt = 0.005 s, as in the paper", "Δt = 0.00025 s"]
array frames[8] = [1, 2, 3, 4, 8, 20, 40, 60]

# Frames are recorded every 0.005 s in both runs. The surface is drawn a triangle at a time: see src/trace/export.h.
unset border; unset tics; unset key; unset colorbox; unset grid
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set pm3d depthorder corners2color c1
set cbrange [0:0xffffff]
set datafile separator whitespace
set datafile nocolumnheaders
set view 64, 30, 2.0
set view equal xyz

# A cloth that has blown up is seen from as far away as it needs.
geometry(k) = sprintf("< %s export --format triangles --frame %d %s", quoted(springback), frames[k + 1], \
    quoted(folder."/".runs[k / 4 + 1].".h5"))
larger(a, b) = a > b ? a : b
array far[8]
do for [k = 0 : 7] {
    far[k + 1] = 1
    if (has_frame(recorded[k / 4 + 1], frames[k + 1])) {
        stats geometry(k) using (larger(abs($1), larger(abs($2), abs($3)))) nooutput
        far[k + 1] = STATS_max > 1.3 ? 2 * STATS_max : 1
    }
}

set multiplot
set label 1 "Mass-spring cloth pushed from below" at screen 0.5, screen 0.955 center font ",17"
set label 2 footnote(footer) at screen 0.01, screen 0.025
do for [k = 0 : 7] {
    row = k / 4
    set origin 0.25 * (k % 4), 0.53 - 0.43 * row
    set size 0.25, 0.34
    set label 3 sprintf("t = %.3f s", frames[k + 1] * 0.005) at screen 0.125 + 0.25 * (k % 4), screen 0.51 - 0.43 * row center font ",12"
    set label 4 (k % 4 == 0 ? names[row + 1] : "") at screen 0.03, screen 0.885 - 0.43 * row font ",13"
    set label 5 (far[k + 1] > 1 ? sprintf(far[k + 1] < 1e5 ? "seen from %.0f times as far" : "seen from %.0e times as far", far[k + 1]) : "") \
        at screen 0.125 + 0.25 * (k % 4), screen 0.485 - 0.43 * row center textcolor rgb alarm font ",11"
    set xrange [0.5 - 0.5 * far[k + 1] : 0.5 + 0.5 * far[k + 1]]
    set yrange [-0.5 - 0.5 * far[k + 1] : -0.5 + 0.5 * far[k + 1]]
    set zrange [-0.4 * far[k + 1] : 0.6 * far[k + 1]]
    if (has_frame(recorded[row + 1], frames[k + 1])) {
        splot geometry(k) using 1:2:3:4 with pm3d linecolor rgb variable
    } else {
        set label 6 excuse(status[row + 1]) at screen 0.125 + 0.25 * (k % 4), screen 0.7 - 0.43 * row center textcolor rgb alarm font ",12"
        splot NaN notitle
        unset label 6
    }
    unset label 1; unset label 2; unset label 3; unset label 4
}
unset multiplot
