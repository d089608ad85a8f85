# Work-precision diagrams: the distance from the exact motion against the cost, for a cloth of springs at three sizes.
# Upper row: one core. Lower row: a GPU, or all threads if there is no GPU. Crosses are runs whose starting positions
# are rounded differently.
folder = here."/work-precision-cloth"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/springback/curves.inc"
points = out.".points"
made = points_of(folder, points)

array body[3] = ["16 16", "32 32", "64 64"]
array size_name[3] = ["16 x 16 nodes", "32 x 32", "64 x 64"]
array kind[2] = ["serial", "threads"]
if (has_gpu(table)) { kind[2] = "opencl" }
array where[2] = ["one core, plain loops", kind[2] eq "opencl" ? "GPU" : "all threads"]
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.02
set label 2 "A cloth of springs: distance from the exact motion against the cost" at screen 0.5, screen 0.965 center font ",17"
set tics font ",11"
set xlabel font ",12"
set ylabel font ",12"
set logscale xy
set format x powers
set format y powers
set xrange [1e-3:100]
set yrange [1e-5:0.2]
do for [r = 1:2] { do for [s = 1:3] {
    set lmargin at screen 0.1 + 0.3 * (s - 1); set rmargin at screen 0.355 + 0.3 * (s - 1)
    set tmargin at screen 0.89 - 0.36 * (r - 1); set bmargin at screen 0.59 - 0.36 * (r - 1)
    set label 3 sprintf("%s, %s", size_name[s], where[r]) at graph 0.5, graph 1.06 center font ",12"
    set ylabel (s == 1 ? "error / longest side" : "") offset 1.5, 0
    if (r == 1) { set format x "" } else { set format x powers }
    set xlabel (r == 2 ? "computing time / simulated time" : "") offset 0, 0.5
    if (r == 2 && s == 3) { set key at screen 0.53, screen 0.07 center center vertical maxrows 3 font ",11" } else { unset key }
    plot for [c = 1:9] points using (on_curve(c, body[s], kind[r], column("cost"))):(column("error")) \
            with linespoints linewidth 1.5 pointsize 0.8 pointtype curve_mark[c] linecolor rgb curve_colour[c] notitle, \
         for [c = 1:9] points using (is_curve(c) && strcol("body") eq body[s] && strcol("backend") eq kind[r] && column("noise") > 0 ? column("cost") : NaN):(column("error")) \
            with points pointsize 0.7 pointtype 2 linecolor rgb curve_colour[c] notitle, \
         for [c = 1:9] points using (on_curve(c, body[s], kind[r], column("cost"))):(column("error")):(column("least_cost")):(column("most_cost")) \
            with xerrorbars linewidth 1 pointtype -1 linecolor rgb curve_colour[c] notitle, \
         for [c = 1:9] keyentry with linespoints linewidth 2 pointtype curve_mark[c] linecolor rgb curve_colour[c] title curve_name[c]
    unset label 1; unset label 2; unset label 3
} }
unset multiplot
made = system(sprintf("rm -f %s", quoted(points)))
