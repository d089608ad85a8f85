# lee2022, section 1: Gauss-Seidel and Jacobi. With Jacobi a node moves by the mean of its corrections, or by their sum.
folder = here."/solvers"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/lee2022/bodies.inc"

iterations = swept(table, "method.iterations")
array mesh[2] = ["bunny_closed_3008", "dragon_closed_2998"]
array method[2] = [links, tets]
array body[2] = ["Bunny, inner links", "Dragon without holes, tetrahedra"]
array solver[3] = ["gauss_seidel", "jacobi", "jacobi_sum"]
array meant[3] = ["Gauss-Seidel", "Jacobi, mean", "Jacobi, sum"]
array hues[3] = ["#2f6db5", "#d55e00", "#8e44ad"]
array lasted[6] # 0: all runs of a series diverged; the series is then drawn below the axis, where it is not visible
set print $points
do for [b = 1:2] {
    do for [s = 1:3] {
        lasted[(b - 1) * 3 + s] = 0
        do for [i = 1:words(iterations)] {
            where = of_body(mesh[b], method[b], sprintf(";method.solver=%s;method.iterations=%s", solver[s], word(iterations, i)))
            blew = pick(table, where, "status") eq "diverged"
            if (!blew) { lasted[(b - 1) * 3 + s] = 1 }
            print sprintf("%s %g \"%s\"", word(iterations, i), blew ? NaN : share_of(table, where, "shape_error_max"), \
                blew ? "blew up" : "")
        }
        print ""
        print ""
    }
}
unset print
set datafile separator whitespace
set datafile nocolumnheaders
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Gauss-Seidel and Jacobi: the largest shape error" at screen 0.5, screen 0.955 center font ",17"
set logscale x
set xrange [4:25]
set xtics (5, 10, 20)
set yrange [0:*]
do for [b = 1:2] {
    set lmargin at screen (b == 1 ? 0.1 : 0.58); set rmargin at screen (b == 1 ? 0.5 : 0.97)
    set tmargin at screen 0.86; set bmargin at screen 0.25
    set label 3 body[b] at graph 0.5, graph 1.05 center font ",13"
    set ylabel (b == 1 ? "shape error / % of the longest side" : "")
    set xlabel "iterations" offset 0, 0.6
    if (b == 2) { set key at screen 0.53, screen 0.09 center center horizontal } else { unset key }
    plot for [s = 1:3] $points index (b - 1) * 3 + s - 1 using 1:(lasted[(b - 1) * 3 + s] ? $2 : -1) \
            with linespoints linewidth 2 dashtype s pointtype mark(s) linecolor rgb hues[s] notitle, \
         for [s = 1:3] $points index (b - 1) * 3 + s - 1 using 1:(1):3 with labels font ",10" \
            textcolor rgb hues[s] notitle, \
         for [s = 1:3] keyentry with linespoints linewidth 2 dashtype s pointtype mark(s) linecolor rgb hues[s] title meant[s]
    unset label 1; unset label 2; unset label 3
}
unset multiplot
