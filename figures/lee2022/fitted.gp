# lee2022: the distance between the surfaces of the models with inner links and with tetrahedra, at the printed
# stiffnesses and at stiffnesses that this project fitted.
printed = here."/fall"; fitted = here."/fitted"
load fitted."/context.gp"
load "figures/lee2022/bodies.inc"

array mesh[2] = ["bunny_closed_3008", "armadillo_6362"]
array body[2] = ["Bunny", "Armadillo"]
table(folder) = folder."/summary.tsv"
of_tets(folder, b) = run_of(table(folder), of_body(mesh[b], tets, ""))
of_links(folder, b, more) = run_of(table(folder), of_body(mesh[b], links, more))
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Distance of the surfaces of inner links and tetrahedra" at screen 0.5, screen 0.955 center font ",17"
set xrange [0:lasting(table(fitted))]
set yrange [0:13]; set ytics 0, 2; set tics font ",12"
do for [b = 1:2] {
    set lmargin at screen (b == 1 ? 0.1 : 0.57); set rmargin at screen (b == 1 ? 0.5 : 0.97)
    set tmargin at screen 0.86; set bmargin at screen 0.28
    set label 3 body[b] at graph 0.03, graph 0.95 left font ",13"
    set ylabel (b == 1 ? "distance / % of the longest side" : "")
    set xlabel "time / s" offset 0, 0.6
    if (b == 2) { set key at screen 0.53, screen 0.11 center center vertical maxrows 2 } else { unset key }
    thirty = of_links(fitted, b, ";method.iterations=30")
    plot pair_of(printed, of_links(printed, b, ""), of_tets(printed, b)) using "time/s":(100 * column("shape_distance")) \
            with linespoints linewidth 2 pointtype 7 dashtype 2 linecolor rgb "#6fa8dc" notitle, \
         pair_of(fitted, of_links(fitted, b, ";method.iterations=10"), of_tets(fitted, b)) using "time/s":(100 * column("shape_distance")) \
            with linespoints linewidth 2 pointtype 5 linecolor rgb hash(blue) notitle, \
         pair_of(fitted, thirty eq "" ? of_links(fitted, b, "") : thirty, of_tets(fitted, b)) using "time/s":(thirty eq "" ? -9 : 100 * column("shape_distance")) \
            with linespoints linewidth 2 pointtype 9 dashtype 4 linecolor rgb "#009e73" notitle, \
         5 with lines dashtype 3 linecolor rgb alarm notitle, \
         keyentry with linespoints linewidth 2 pointtype 7 dashtype 2 linecolor rgb "#6fa8dc" title "as printed", \
         keyentry with linespoints linewidth 2 pointtype 5 linecolor rgb hash(blue) title "fitted", \
         keyentry with linespoints linewidth 2 pointtype 9 dashtype 4 linecolor rgb "#009e73" title "fitted, 30 iterations (Bunny)", \
         keyentry with lines dashtype 3 linecolor rgb alarm title "similar: up to 5 %"
    unset label 1; unset label 2; unset label 3
}
unset multiplot
