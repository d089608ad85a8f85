# va2023, section III-A, equations (10a) to (10c): free fall with the gradient of the volume, and with the Jacobian as
# printed. Eight of the nine entries of the printed Jacobian are -3 times those of the gradient, and one is +3 times.
folder = here."/as-printed"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"

array kinds_of[4] = ["1 tuned", "2 tuned", "1 as_printed", "2 as_printed"]
array hues[4] = ["#0072b2", "#009e73", "#c0392b", "#e69f00"]
array series_label[4] = ["Sphere, the gradient", "Torus, the gradient", "Sphere, as printed", "Torus, as printed"]
array runs[4]
array ends[4]
do for [k = 1:4] {
    where = of_body(int(word(kinds_of[k], 1)), 2, ";method.variant=".word(kinds_of[k], 2))
    runs[k] = pick(table, where, "run")
    diverged = pick(table, where, "status") eq "diverged"
    step = number(pick(table, where, "time.step")) * number(pick(table, where, "time.steps_per_frame"))
    ends[k] = runs[k] eq "" ? ": not run" : \
        diverged ? sprintf(": blew up at %.3g s", step * number(pick(table, where, "diverged_frame"))) : ""
}

set title "Free fall with the volume's gradient and with (10a-c) as printed"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set logscale y
set format y powers
set xlabel "time / s" offset 0, 0.4
set ylabel "volume error / %"
set xrange [0 : lasting(table)]
set yrange [1e-6:1e4]
set bmargin at screen 0.235
set key at screen 0.53, screen 0.09 center center vertical maxrows 2
plot for [k = 1:4] (runs[k] eq "" ? "/dev/null" : folder."/".runs[k].".tsv") \
        using (column("time/s")):(100 * column("volume_error")) with linespoints linewidth 1.5 \
        pointtype mark(k) pointsize 0.7 pointinterval gap(k, 24) linecolor rgb hues[k] notitle, \
     for [k = 1:4] keyentry with linespoints linewidth 2 pointtype mark(k) linecolor rgb hues[k] title series_label[k].ends[k]
