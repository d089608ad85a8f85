# lee2022, tables 3 to 5: the Bunny falls, for four meanings of the printed stiffnesses. The Bunny has inner links, or
# tetrahedra with the strain as printed, or tetrahedra with the strain of the paper from which lee2022 has its
# equations.
folder = here."/readings"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/lee2022/bodies.inc"

array meaning[4] = ["clamp", "scale", "share", "raw"]
array said[4] = ["stiffness at most 1", "a quarter of the stiffness", "shared among the iterations", "as printed"]
array model[3] = [sprintf("method.name=%s;method.strain_form=normalised", tets), \
    sprintf("method.name=%s;method.strain_form=printed", tets), sprintf("method.name=%s", links)]
array named[3] = ["tetrahedra", "tetrahedra, (10) and (11) as printed", "inner links"]
hues = hash(black)." #d55e00 ".hash(blue)
k = 1
where(m) = sprintf("%s;method.stiffness_means=%s", model[m], meaning[k])
blew_up(m) = pick(table, where(m), "status") eq "diverged" ? named[m]." blew up\n" : ""
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Shape error of the Bunny, for four meanings of the printed stiffnesses" at screen 0.5, screen 0.955 center font ",17"
set xrange [0:lasting(table)]
set yrange [0:30]
do for [k = 1:4] {
    set lmargin at screen (k % 2 == 1 ? 0.1 : 0.57); set rmargin at screen (k % 2 == 1 ? 0.5 : 0.97)
    set tmargin at screen (k < 3 ? 0.89 : 0.53); set bmargin at screen (k < 3 ? 0.59 : 0.23)
    set label 3 said[k] at graph 0.02, graph 0.93 left font ",13"
    set label 4 blew_up(1).blew_up(2).blew_up(3) at graph 0.02, graph 0.8 left font ",11" textcolor rgb alarm
    set ylabel (k % 2 == 1 ? "shape error / %" : "") offset 1
    set format x (k > 2 ? "%g" : "")
    set xlabel (k > 2 ? "time / s" : "") offset 0, 0.6
    if (k == 4) { set key at screen 0.53, screen 0.085 center center vertical maxrows 2 } else { unset key }
    plot for [m = 1:3] series_of(folder, run_of(table, where(m))) using (column(2)):(100 * column("shape_error")) \
            with linespoints pointsize 0.8 linewidth 2 dashtype m pointtype mark(m) linecolor rgb word(hues, m) notitle, \
         for [m = 1:3] keyentry with linespoints linewidth 2 dashtype m pointtype mark(m) linecolor rgb word(hues, m) title named[m]
    unset label 1; unset label 2; unset label 3; unset label 4
}
unset multiplot
