# The order of convergence of the methods of springs, in double precision: the distance from the exact motion over the
# step, and a line of first order.
folder = here."/convergence"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/springback/curves.inc"
points = out.".points"
made = points_of(folder, points)

set title "The error of each method falls with its step"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set logscale xy
set format x powers
set format y powers
set xlabel "step / s" offset 0, 0.3
set ylabel "error / longest side"
set xrange [1e-5:2e-4]
set yrange [5e-6:3e-3]
set key bottom right
drawn = "1 2 3 6 7"
plot 0.8 * x with lines linewidth 1.5 dashtype 3 linecolor rgb "#888888" title "first order", \
     for [k = 1:words(drawn)] points using (on_curve(int(word(drawn, k)), "16 16", "threads", column("step"))):(column("error")) \
        with linespoints linewidth 2 pointsize 1.2 pointtype curve_mark[int(word(drawn, k))] \
        linecolor rgb curve_colour[int(word(drawn, k))] title curve_name[int(word(drawn, k))]
made = system(sprintf("rm -f %s", quoted(points)))
