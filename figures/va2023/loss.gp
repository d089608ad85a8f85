# va2023, section V-B: the change of volume of each body over time, in free fall on a plane. The paper shows only the
# largest loss (figure 7) and the mean error (figure 8).
folder = here."/free-fall"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"

array hues[5] = ["#0072b2", "#d55e00", "#009e73", "#8e44ad", "#444444"]
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Free fall on a plane: the volume over time" at screen 0.5, screen 0.955 center font ",17"
set xrange [0 : lasting(table)]
set lmargin at screen 0.12; set rmargin at screen 0.975
do for [m = 1:2] {
    set tmargin at screen (m == 1 ? 0.9 : 0.52); set bmargin at screen (m == 1 ? 0.575 : 0.2)
    set label 3 method_label[m] at graph 0.02, graph (m == 1 ? 0.61 : 0.9) font ",14" front
    if (m == 1) {
        set ylabel "volume loss / %" offset 0.5
        set format x ""
        set yrange [-5:115]
        set ytics 0, 25, 100
        unset key
    } else {
        set ylabel "volume error / %" offset 0.5
        set xlabel "time / s" offset 0, 0.4
        set format x "%g"
        set logscale y
        set format y powers
        set ytics autofreq
        set key at screen 0.54, screen 0.068 center center horizontal
    }
    series = m == 1 ? "volume_loss" : "volume_error"
    array runs[5]
    array endings[5]
    do for [b = 1:5] {
        runs[b] = pick(table, of_body(b, m, ""), "run")
        endings[b] = runs[b] eq "" ? word(names, b)." not run  " : \
            pick(table, of_body(b, m, ""), "status") eq "diverged" ? word(names, b)." blew up  " : ""
    }
    if (m == 2) {
        set yrange [1e-6 : *]
        if (runs[1].runs[2].runs[3].runs[4].runs[5] eq "") {
            set yrange [1e-6 : 100]
        }
    }
    set label 4 endings[1].endings[2].endings[3].endings[4].endings[5] at graph 0.99, graph (m == 1 ? 0.3 : 0.86) right \
        textcolor rgb alarm font ",12" front
    plot for [b = 1:5] (runs[b] eq "" ? "/dev/null" : folder."/".runs[b].".tsv") \
            using (column("time/s")):(100 * column(series)) with linespoints linewidth (m == 1 ? 2 : 1) \
            pointtype mark(b) pointsize 0.7 pointinterval gap(b, 40) linecolor rgb hues[b] notitle, \
         for [b = 1:5] keyentry with linespoints linewidth 2 pointtype mark(b) linecolor rgb hues[b] title word(names, b)
    unset label
}
unset multiplot
