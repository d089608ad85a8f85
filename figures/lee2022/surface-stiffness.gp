# lee2022, section 4.2.3: whether the Dragon's surface alone keeps its shape with any stiffness, or with more
# iterations.
folder = here."/surface-stiffness"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/lee2022/bodies.inc"

stiffness = swept(table, "method.surface_compression")
bending = swept(table, "method.bending")
iterations = swept(table, "method.iterations")
array hues[4] = ["#9fc5e8", "#2f6db5", "#8e44ad", "#c0392b"]
set print $points
do for [b = 1:words(bending)] {
    do for [s = 1:words(stiffness)] {
        do for [i = 1:words(iterations)] {
            where = sprintf("method.surface_compression=%s;method.bending=%s;method.iterations=%s", \
                word(stiffness, s), word(bending, b), word(iterations, i))
            off = share_of(table, where, "shape_error_max")
            print sprintf("%s %g %g", word(iterations, i), off < 38 ? off : NaN, off < 38 ? -9 : 38.5)
        }
        print ""
        print ""
    }
}
unset print
other = here."/fall-dragon/summary.tsv"
other_error = share_of(other, of_body("dragon_holed_2998", links, ""), "shape_error_max")

set datafile separator whitespace
set datafile nocolumnheaders
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "The Dragon's surface alone: the largest shape error" at screen 0.5, screen 0.955 center font ",17"
set logscale x
set xrange [4:150]
set xtics (5, 20, 60, 120)
panels = words(bending) > 0 ? words(bending) : 1
most = words(stiffness) > 0 ? words(stiffness) : 1
set yrange [0:40]
do for [b = 1:panels] {
    set lmargin at screen 0.09 + 0.89 / panels * (b - 1) + 0.01; set rmargin at screen 0.09 + 0.89 / panels * b - 0.015
    set tmargin at screen 0.86; set bmargin at screen 0.28
    set label 3 (words(bending) ? sprintf("bending %s", word(bending, b)) : "not run") at graph 0.5, graph 1.04 center font ",13"
    set ylabel (b == 1 ? "shape error / % of the longest side" : "")
    set format y (b == 1 ? "%g" : "")
    set xlabel "iterations" offset 0, 0.6
    if (b == panels) { set key at screen 0.53, screen 0.115 center center vertical maxrows 2 font ",12" } else { unset key }
    plot for [s = 1:words(stiffness)] $points index (b - 1) * words(stiffness) + s - 1 using 1:2 with linespoints \
            linewidth 2 pointtype mark(s) linecolor rgb hues[s] notitle, \
         for [s = 1:words(stiffness)] $points index (b - 1) * words(stiffness) + s - 1 using 1:3 with points pointtype 2 \
            linewidth 2 linecolor rgb hues[s] notitle, \
         (other_error == other_error ? other_error : NaN) with lines linewidth 2 dashtype 2 linecolor rgb hash(purple) notitle, \
         5 with lines dashtype 3 linecolor rgb alarm notitle, \
         for [s = 1:most] keyentry with linespoints linewidth 2 pointtype mark(s) linecolor rgb hues[s] \
            title words(stiffness) ? "edge stiffness ".word(stiffness, s) : "", \
         keyentry with lines linewidth 2 dashtype 2 linecolor rgb hash(purple) title "inner links, 10 iterations", \
         keyentry with lines dashtype 3 linecolor rgb alarm title "shape kept: up to 5 %", \
         keyentry with points pointtype 2 linewidth 2 linecolor rgb hash(black) title "blew up, or over 38 %"
    unset label 1; unset label 2; unset label 3
}
unset multiplot
