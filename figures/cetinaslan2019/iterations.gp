# cetinaslan2019, section 3: whether the stiffness of a spring depends on the number of iterations or on the step. The
# figure shows the mean error of the edges' lengths of a cloth that hangs by its upper edge. Left: the paper's
# compliance alpha. Right: a larger alpha, 1, which has a visible effect. The lines are horizontal if the stiffness
# depends neither on the iterations nor on the step, as XPBD promises. Circles mark points that differ by more than 5 %
# from the run of 100 iterations and 1/24 s. At alpha = 1 the lines of Hooke, StVK and Morse are horizontal for another
# reason: these cloths fall almost freely (docs/cetinaslan2019.md).
folder = here."/iterations"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"

array compliance[2] = ["1e-05", "1"]
array counts[4] = [25, 50, 100, 200]
array step[3] = ["0.041666666666666664", "0.020833333333333332", "0.010416666666666666"]
off_of(where) = pick(table, where, "run") eq "" || pick(table, where, "status") eq "diverged" ? NaN : \
    100 * mean_of(reduced(folder."/".pick(table, where, "run").".tsv", "length_error", ""))
at(s, c, count, h) = off_of(of_spring(s, \
    sprintf(";method.compliance=%s;method.iterations=%d;time.step=%s s", compliance[c], count, step[h])))
fails(off, level) = abs(off / level - 1) > 0.05 ? off : NaN
# One block per row of the figure (iterations, steps), column of the figure (compliance) and spring. A line of a block
# has the number of iterations or of steps; the error in %; and the error again if it differs by more than 5 % from that
# of 100 iterations and 1/24 s, else NaN.
set print $points
do for [r = 1:2] {
    do for [c = 1:2] {
        do for [s = 1:4] {
            level = at(s, c, 100, 1)
            do for [i = 1:(r == 1 ? 4 : 3)] {
                off = r == 1 ? at(s, c, counts[i], 1) : at(s, c, 100, i)
                print sprintf("%g %g %g", r == 1 ? counts[i] : 2 ** (i - 1), off, fails(off, level))
            }
            print ""
            print ""
        }
    }
}
unset print
ran = pick(table, "", "run") ne ""
set datafile separator whitespace
set datafile nocolumnheaders
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Mean error of the edges' lengths (circle: differs by over 5 % from 100 iterations)" at screen 0.5, screen 0.955 center font ",15"
set logscale xy
set tics font ",11"
if (!ran) { set yrange [0.1:100] }
array title_of_x[2] = ["iterations, at a step of 1/24 s", "steps in 1/24 s, of 100 iterations each"]
do for [r = 1:2] {
    if (r == 1) {
        set xrange [20:240]; set xtics (25, 50, 100, 200) offset 0, 0.4
    } else {
        set xrange [0.9:4.5]; set xtics (1, 2, 4) offset 0, 0.4
    }
    do for [c = 1:2] {
        set lmargin at screen (c == 1 ? 0.1 : 0.58); set rmargin at screen (c == 1 ? 0.5 : 0.97)
        set tmargin at screen (r == 1 ? 0.87 : 0.5); set bmargin at screen (r == 1 ? 0.6 : 0.23)
        set label 3 (r == 1 ? "α = ".(c == 1 ? "0.00001" : "1") : "") at graph 0.5, graph 1.07 center font ",13"
        set label 4 (ran ? "" : "not run") at graph 0.5, graph 0.5 center textcolor rgb alarm font ",12"
        set ylabel (c == 1 ? "error / %" : "") offset 2
        set xlabel title_of_x[r] offset 0, 0.8 font ",12"
        if (r == 2 && c == 2) { set key at screen 0.53, screen 0.09 center center vertical maxrows 2 font ",11" } else { unset key }
        first = 8 * (r - 1) + 4 * (c - 1) - 1
        plot for [s = 1:4] $points index first + s using 1:2 with linespoints linewidth 2 dashtype s pointtype mark(s) \
                pointsize 0.8 linecolor rgb spring_ink(s) notitle, \
             $points index first + 1 : first + 4 using 1:3 with points pointtype 6 pointsize 1.6 linewidth 1.5 \
                linecolor rgb paper notitle, \
             for [s = 1:4] keyentry with linespoints linewidth 2 dashtype s pointtype mark(s) pointsize 0.8 linecolor rgb spring_ink(s) \
                title spring_name[s], \
             keyentry with points pointtype 6 pointsize 1.6 linewidth 1.5 linecolor rgb paper title "differs by over 5 %", \
             NaN notitle
        unset label
    }
}
unset multiplot
