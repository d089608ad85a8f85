# va2023: in what share of the ranges of all that the paper leaves unsaid each claim holds, by `make sensitivity`.
# Experiments that are timed have no such share, and the bodies at rest none that could be other than all or nothing.
load here."/free-fall/context.gp"
swept_ones = "free-fall resolution stiffness stiffness-double pressing twisting twisting-surface inner-springs local ".\
    "as-printed step-size"

set print $rows
set datafile columnheaders
print "claim\tmembers\tshare\tlow\thigh\ttaken"
do for [e in swept_ones] {
    table = sprintf("%s/%s/sensitivity.tsv", here, e)
    rows = system(sprintf("[ ! -e '%s' ] || awk -f figures/held.awk '%s'", table, table))
    if (rows ne "") {
        print rows
    }
}
count = |$rows| - 1
if (count < 1) {
    print "\t0\t-50\t-50\t-50\t0"
}
unset print
half = (count + 1) / 2
most = half > 1 ? half : 1

set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "In what share of the ranges of the unsaid each claim holds" at screen 0.5, screen 0.965 center font ",16"
set xrange [-3 : 103]
set xtics 0, 50, 100 font ",12"
set xlabel "share of the members / %" offset 0, 0.7 font ",12"
set yrange [most + 0.5 : 0.5]
unset ytics
set border 1
set tmargin at screen 0.925; set bmargin at screen 0.185
# Between these the verdict is "sensitive".
set arrow 1 from 5, graph 0 to 5, graph 1 nohead dashtype 3 linecolor rgb "#888888" back
set arrow 2 from 95, graph 0 to 95, graph 1 nohead dashtype 3 linecolor rgb "#888888" back
outside = -9 # of the panel
of_side(s, row) = s == 1 ? (row < half ? row + 1 : outside) : (row >= half ? row - half + 1 : outside)
as_taken(row, s, holds) = column("taken") == holds ? of_side(s, row) : outside
do for [s = 1:2] {
    set lmargin at screen (s == 1 ? 0.265 : 0.765); set rmargin at screen (s == 1 ? 0.485 : 0.985)
    if (s == 2) {
        set key at screen 0.5, screen 0.072 center center vertical maxrows 1 font ",12"
    } else {
        unset key
    }
    set label 3 (s == 1 && count < 1 ? "not swept yet; make sensitivity does it" : "") at screen 0.5, screen 0.55 center \
        textcolor rgb alarm font ",12"
    plot for [holds = 0:1] $rows \
            using (column("share")):(as_taken(column(0), s, holds)):(column("low")):(column("high")) \
            with xerrorbars pointtype (holds ? 7 : 6) linewidth 1.5 linecolor rgb (holds ? opencl : alarm) notitle, \
         $rows using (-3):(of_side(s, column(0))):(strcol("claim")) with labels right offset -1, 0 font ",9.5" notitle, \
         keyentry with points pointtype 7 linecolor rgb opencl title "holds with the values taken", \
         keyentry with points pointtype 6 linewidth 1.5 linecolor rgb alarm title "does not", \
         keyentry with lines dashtype 3 linecolor rgb "#888888" title "between: sensitive", \
         outside notitle
    unset label
}
unset multiplot
