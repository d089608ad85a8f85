# Work-precision diagram: the distance from the exact motion against the cost, for a hanging Bunny of springs. Left: one
# core. Right: a GPU, or all threads if there is no GPU. Crosses are runs whose starting positions are rounded
# differently.
folder = here."/work-precision-bunny"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/springback/curves.inc"
points = out.".points"
made = points_of(folder, points)

array kind[2] = ["serial", "threads"]
if (has_gpu(table)) { kind[2] = "opencl" }
array where[2] = ["one core, plain loops", kind[2] eq "opencl" ? "GPU" : "all threads"]
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "A Bunny of springs: distance from the exact motion against the cost" at screen 0.5, screen 0.955 center font ",17"
set tics font ",11"
set xlabel font ",12"
set ylabel font ",12"
set logscale xy
set format x powers
set format y powers
set xrange [1e-2:100]
set yrange [1e-5:0.2]
do for [r = 1:2] {
    set lmargin at screen (r == 1 ? 0.1 : 0.58); set rmargin at screen (r == 1 ? 0.5 : 0.97)
    set tmargin at screen 0.86; set bmargin at screen 0.29
    set label 3 where[r] at graph 0.5, graph 1.05 center font ",13"
    set ylabel (r == 1 ? "error / longest side" : "") offset 1, 0
    set xlabel "computing time / simulated time" offset 0, 0.4
    if (r == 2) { set key at screen 0.53, screen 0.1 center center vertical maxrows 3 font ",12" } else { unset key }
    plot for [c = 1:9] points using (on_curve(c, "bunny_closed_3008", kind[r], column("cost"))):(column("error")) \
            with linespoints linewidth 1.5 pointsize 0.8 pointtype curve_mark[c] linecolor rgb curve_colour[c] notitle, \
         for [c = 1:9] points using (is_curve(c) && strcol("backend") eq kind[r] && column("noise") > 0 ? column("cost") : NaN):(column("error")) \
            with points pointsize 0.7 pointtype 2 linecolor rgb curve_colour[c] notitle, \
         for [c = 1:9] points using (on_curve(c, "bunny_closed_3008", kind[r], column("cost"))):(column("error")):(column("least_cost")):(column("most_cost")) \
            with xerrorbars linewidth 1 pointtype -1 linecolor rgb curve_colour[c] notitle, \
         for [c = 1:9] keyentry with linespoints linewidth 2 pointtype curve_mark[c] linecolor rgb curve_colour[c] title curve_name[c]
    unset label 1; unset label 2; unset label 3
}
unset multiplot
made = system(sprintf("rm -f %s", quoted(points)))
