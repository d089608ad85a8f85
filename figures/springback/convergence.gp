# Convergence in double precision: the error against the step, for the methods of springs and for methods with
# inextensible springs. Dashed lines show the first order.
folder = here."/convergence"
inextensible = here."/inextensible"
load folder."/context.gp"
load "figures/springback/curves.inc"
points = out.".points"
stiff = out.".stiff"
made = points_of(folder, points)
made = system(sprintf("figures/springback/points.sh %s %s >%s || :", quoted(springback), quoted(inextensible), quoted(stiff)))

set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Each method has a smaller error at a smaller step" at screen 0.5, screen 0.955 center font ",17"
set tics font ",11"
set xlabel "step / s" font ",12" offset 0, 0.3
set ylabel font ",12"
set logscale xy
set format x powers
set format y powers
set tmargin at screen 0.86; set bmargin at screen 0.17
set key bottom right font ",11"
drawn = "1 2 3 6 7"
curve(k) = int(word(drawn, k))
set lmargin at screen 0.1; set rmargin at screen 0.5
set label 3 "springs" at graph 0.5, graph 1.05 center font ",13"
set ylabel "error / longest side" offset 1, 0
set xrange [1e-5:2e-4]
set yrange [3e-6:3e-3]
plot 0.8 * x with lines linewidth 1.5 dashtype 3 linecolor rgb "#888888" title "first order", \
     for [k = 1:words(drawn)] points using (on_curve(curve(k), "16 16", "threads", column("step"))):(column("error")) \
        with linespoints linewidth 2 pointsize 1.2 pointtype curve_mark[curve(k)] linecolor rgb curve_colour[curve(k)] \
        title curve_name[curve(k)]
unset label 1; unset label 2; unset label 3
set lmargin at screen 0.58; set rmargin at screen 0.97
set label 3 "inextensible springs" at graph 0.5, graph 1.05 center font ",13"
set ylabel ""
set xrange [1e-4:2e-3]
set yrange [3e-5:3e-3]
of_method(name, y) = strcol("method") eq name ? y : NaN
plot 0.7 * x with lines linewidth 1.5 dashtype 3 linecolor rgb "#888888" title "first order", \
     stiff using (of_method("constraint_enforcement", column("step"))):(column("error")) with linespoints linewidth 2 \
        pointsize 1.2 pointtype 5 linecolor rgb "#8e44ad" title "constraint enforcement", \
     stiff using (of_method("xpbd", column("step"))):(column("error")) with linespoints linewidth 2 pointsize 1.2 \
        pointtype 8 linecolor rgb curve_colour[4] title "XPBD, compliance 0"
unset multiplot
made = system(sprintf("rm -f %s %s", quoted(points), quoted(stiff)))
