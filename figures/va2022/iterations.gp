# va2022, sections 4.2 and 5: the residual of conjugate gradients and the stretch of the cloth over the number of
# iterations. The curves are for two and three types of spring, and for equation (12) as printed and with a term on its
# diagonal.
folder = here."/iterations"
table = folder."/summary.tsv"
load folder."/context.gp"

array types[2] = ["structural shear", "structural shear bend"]
array type_name[2] = ["two types of spring", "three types"]
array inks[2] = ["#0072b2", "#d55e00"]
counts = swept(table, "method.iterations")
regularisations = swept(table, "method.regularisation")
set print $points
do for [e = 1:2] {
    do for [s = 1:2] {
        do for [c in counts] {
            run = pick(table, sprintf("body.cloth.springs=%s;method.iterations=%s;method.regularisation=%s m^2/kg", types[s], c, \
                word(regularisations, e)), "run")
            file = folder."/".run.".tsv"
            print sprintf("%s %g %g", c, run eq "" ? NaN : mean_of(reduced(file, "residual", "")), \
                run eq "" ? NaN : 100 * largest_of(reduced(file, "largest_strain", "")))
        }
        print ""
        print ""
    }
}
unset print
ran = words(counts) > 0
set datafile separator whitespace
set datafile nocolumnheaders
set logscale xy
set xrange [4:250]
set xtics (5, 10, 20, 50, 100, 200)
set xlabel "iterations per step" offset 0, 0.4
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Conjugate gradients on equation (12), with and without a diagonal term" at screen 0.5, screen 0.955 center font ",17"
set label 4 (ran ? "" : "not run") at screen 0.5, screen 0.5 center textcolor rgb alarm
do for [p = 1:2] {
    set lmargin at screen (p == 1 ? 0.1 : 0.6); set rmargin at screen (p == 1 ? 0.49 : 0.98)
    set tmargin at screen 0.9; set bmargin at screen 0.24
    set ylabel (p == 1 ? "|b - Aλ| / |b|, mean of the steps" : "largest stretch of a spring / %") offset 1
    set format y (p == 1 ? powers : "%g")
    set yrange [(p == 1 ? 1e-5 : 1):(p == 1 ? 1 : 200)]
    if (p == 2) {
        set key at screen 0.53, screen 0.09 center center vertical maxrows 2 font ",12"
        set arrow 1 from graph 0, first 10 to graph 1, first 10 nohead linecolor rgb paper dashtype 3
        set label 3 "10 %" at graph 0.03, first 10 offset 0, 0.6 font ",12"
    } else {
        unset key
    }
    plot for [e = 0:1] for [s = 1:2] $points index 2 * e + s - 1 using 1:(column(p + 1)) with linespoints linewidth 2 \
            pointtype int(word("7 9 6 8", 2 * e + s)) dashtype e + 1 linecolor rgb inks[s] \
            title type_name[s].(e == 0 ? ", (12)" : sprintf(", (12) with %s m^2/kg", word(regularisations, 2))), NaN notitle
    unset label; unset arrow
}
unset multiplot
