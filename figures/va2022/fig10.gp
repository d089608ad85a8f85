# va2022, figure 10, first row: the cloth under a strong push from below at the paper's step of 0.005 s, and, below,
# the same cloth at a step that is small enough.
folder = here."/strong-push"
load folder."/context.gp"
frames = "0 2 4 6 0 24 48 72"

set multiplot
set label 1 "Mass-spring cloth pushed from below" at screen 0.5, screen 0.965 center font ",17"
set label 2 footnote(footer) at screen 0.01, screen 0.025
unset border; unset tics; unset key; unset colorbox; unset grid
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set pm3d depthorder
set style fill solid 1.0 noborder
set datafile separator whitespace
set datafile nocolumnheaders
set view 62, 32, 1.35
set view equal xyz
set xrange [-0.1:1.1]; set yrange [-1.1:0.1]; set zrange [-0.75:0.45]

do for [k = 0 : 7] {
    row = k / 4
    run = row == 0 ? "step=0.005" : "step=0.00025"
    frame = int(word(frames, k + 1))
    set origin 0.25 * (k % 4), 0.50 - 0.44 * row
    set size 0.25, 0.40
    set label 3 sprintf("t = %.3f s", frame * 0.005) at graph 0.5, graph 0.5, graph -0.35 center font ",12"
    if (k % 4 == 0) {
        set label 4 row == 0 ? "Δt = 0.005 s, as in the paper" : "Δt = 0.00025 s" \
            at screen 0.02, screen 0.90 - 0.44 * row font ",13"
    }
    splot sprintf("< %s export --format triangles --frame %d '%s/%s.h5'", springback, frame, folder, run) \
        using 1:2:3:4 with polygons fillcolor rgb variable
    unset label 1; unset label 2; unset label 4
}
unset multiplot
