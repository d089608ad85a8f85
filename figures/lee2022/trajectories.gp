# lee2022, sections 4.2.1 and 4.2.2: Bunny and Armadillo fall, made of tetrahedra (grey) and with inner links (blue).
# The rows show the y of the centre (mean of the vertices), the height of the body (largest minus smallest y), the
# volume error, and the distance between the two surfaces.
folder = here."/fall"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/lee2022/bodies.inc"

array mesh[2] = ["bunny_closed_3008", "armadillo_6362"]
array body[2] = ["Bunny", "Armadillo"]
run(b, m) = run_of(table, of_body(mesh[b], m == 1 ? tets : links, ""))
array quantity[3] = ["centre_y", "height", "volume_error"]
array axis[4] = ["centre / m", "height / m", "volume error / %", "surface distance / %"]
array ink[2] = [hash(black), hash(blue)]

set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Falling on the ground: tetrahedra and inner links" at screen 0.5, screen 0.955 center font ",17"
set xrange [0:lasting(table)]
set style data linespoints
set pointsize 0.6
do for [q = 1:4] {
    do for [b = 1:2] {
        set lmargin at screen (b == 1 ? 0.1 : 0.57); set rmargin at screen (b == 1 ? 0.5 : 0.97)
        set tmargin at screen 0.9 - 0.195 * (q - 1); set bmargin at screen 0.9 - 0.195 * (q - 1) - 0.165
        set ylabel (b == 1 ? axis[q] : "") offset 1 font ",10.5"
        set yrange [0:*]
        set ytics 0, (q == 1 ? 0.3 : q == 2 ? 0.4 : q == 3 ? 2 : 4) font ",12"
        set xlabel (q == 4 ? "time / s" : "") offset 0, 0.7
        set format x (q == 4 ? "%g" : "")
        set label 3 (q == 1 ? body[b] : "") at graph 0.98, graph 0.85 right font ",13"
        if (q == 4) {
            unset key
            plot pair_of(folder, run(b, 2), run(b, 1)) using "time/s":(100 * column("shape_distance")) \
                    linecolor rgb hash(blue) pointtype 7 notitle, \
                 5 with lines dashtype 3 linecolor rgb alarm notitle, NaN notitle
        } else {
            if (q == 2 && b == 1) { set key at graph 0.02, graph 0.1 left bottom font ",11" } else { unset key }
            plot for [m = 1:2] series_of(folder, run(b, m)) every (q == 3 ? 5 : 1) using (column(2)):((q == 3 ? 100 : 1) * \
                    column(q == 3 ? "volume_error" : quantity[q].(q == 4 ? "" : "/m"))) linecolor rgb ink[m] dashtype m pointtype mark(m) \
                    title m == 1 ? "tetrahedra" : "inner links", NaN notitle
        }
        unset label
    }
}
unset multiplot
