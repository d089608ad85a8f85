# cetinaslan2019, section 3: whether what a spring is like hangs on the count of iterations: how far the edges of a cloth
# that hangs by its upper edge are off their lengths at most, at the paper's compliance and at one that is felt.
folder = here."/iterations"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"

array counts[4] = [25, 50, 100, 200]
array compliance[2] = ["1e-05", "1"]
set print $points
do for [c = 1:2] {
    do for [s = 1:4] {
        do for [i = 1:4] {
            where = of_spring(s, sprintf(";method.compliance=%s;method.iterations=%d;time.step=0.041666666666666664 s", compliance[c], counts[i]))
            run = pick(table, where, "run")
            off = run eq "" ? NaN : 100 * mean_of(reduced(folder."/".run.".tsv", "length_error", ""))
            print sprintf("%d %g", counts[i], pick(table, where, "status") eq "diverged" ? NaN : off)
        }
        print ""
        print ""
    }
}
unset print
ran = pick(table, "", "run") ne ""
set datafile separator whitespace
set datafile nocolumnheaders
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Iterations: by how much the edges' lengths are off" at screen 0.5, screen 0.955 center font ",17"
set logscale xy
set xrange [20:240]
set xtics (25, 50, 100, 200)
if (!ran) { set yrange [0.1:100] }
do for [c = 1:2] {
    set lmargin at screen (c == 1 ? 0.1 : 0.58); set rmargin at screen (c == 1 ? 0.5 : 0.97)
    set tmargin at screen 0.86; set bmargin at screen 0.24
    set label 3 "{/Symbol a} = ".(c == 1 ? "0.00001" : "1") at graph 0.5, graph 1.05 center font ",13"
    set label 4 (ran ? "" : "not run") at graph 0.5, graph 0.5 center textcolor rgb alarm font ",12"
    set ylabel (c == 1 ? "mean of the run / %" : "") offset 2
    set xlabel "iterations" offset 0, 0.6
    if (c == 2) { set key at screen 0.53, screen 0.09 center center horizontal } else { unset key }
    plot for [s = 1:4] $points index (c - 1) * 4 + s - 1 using 1:2 with linespoints linewidth 2 pointtype 7 \
            linecolor rgb spring_ink(s) notitle, \
         for [s = 1:4] keyentry with linespoints linewidth 2 pointtype 7 linecolor rgb spring_ink(s) title spring_name[s], \
         NaN notitle
    unset label
}
unset multiplot
