# va2023, sections I and II: a body with springs inside compared with its surface alone, as mass-spring systems in free
# fall.
folder = here."/inner-springs"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"

array kinds_of[3] = ["none", "links", "tetrahedra"]
array series_label[3] = ["surface alone", "with lee2022's inner links", "with the edges of TetGen's tetrahedra"]
array hues[3] = ["#c0392b", "#e69f00", "#0072b2"]

set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Free fall of mass-spring systems, with and without inner springs" at screen 0.5, screen 0.955 center font ",17"
set xlabel "time / s" offset 0, 0.4
set xtics 0.2
set xrange [0 : lasting(table)]
set yrange [-5:115]
set ytics 0, 25, 100
set tmargin at screen 0.89; set bmargin at screen 0.23
bodies = swept(table, "body.mesh") # at most two are drawn
do for [b = 1:2] {
    set lmargin at screen (b == 1 ? 0.105 : 0.565); set rmargin at screen (b == 1 ? 0.51 : 0.97)
    set ylabel b == 1 ? "volume loss / %" : "" offset 1.2
    set format y b == 1 ? "%g" : ""
    array runs[3]
    array ends[3]
    do for [k = 1:3] {
        where = sprintf("body.mesh=%s;method.name=%s;body.surface.inside=%s", word(bodies, b), word(methods, 1), kinds_of[k])
        runs[k] = pick(table, where, "run")
        ends[k] = runs[k] eq "" ? series_label[k]." not run\n" : pick(table, where, "status") eq "diverged" ? series_label[k]." blew up\n" : ""
    }
    set label 3 "mesh ".word(bodies, b) at graph 0.04, graph 0.92 font ",14" noenhanced
    set label 4 ends[1].ends[2].ends[3] at graph 0.04, graph 0.8 textcolor rgb alarm font ",11"
    if (b == 1) {
        unset key
    } else {
        set key at screen 0.53, screen 0.085 center center vertical maxrows 2
    }
    plot for [k = 1:3] (runs[k] eq "" ? "/dev/null" : folder."/".runs[k].".tsv") \
            using (column("time/s")):(100 * column("volume_loss")) with linespoints linewidth 2 \
            dashtype k pointtype mark(k) pointsize 0.7 pointinterval gap(k, 20) linecolor rgb hues[k] notitle, \
         for [k = 1:3] keyentry with linespoints linewidth 2 dashtype k pointtype mark(k) linecolor rgb hues[k] title series_label[k]
    unset label
}
unset multiplot
