# va2023, sections III to V: the largest volume error of each method at each time step, and the runs that blew up.
folder = here."/step-size"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"

stiffness = swept(table, "method.stiffness")
most = words(stiffness) < 4 ? words(stiffness) : 4
array hues[4] = ["#009e73", "#0072b2", "#8e44ad", "#d55e00"]
array bodies[2] = [1, 3]
marks = "7 5 9 13"

# Rows: method, body, index of the stiffness, step in s, largest volume error in %, 1 if the run blew up (otherwise 0).
# `has` lists, for each panel, the indices of the stiffnesses that have a run.
array has[4]
set print $points
steps = swept(table, "time.step")
do for [m = 1:2] {
    do for [b = 1:2] {
        has[(m - 1) * 2 + b] = ""
        do for [k = 1:4] {
            any = 0
            do for [s = 1:words(steps)] {
                where = of_body(bodies[b], m, sprintf(";method.stiffness=%s N/m;time.step=%s s", word(stiffness, k), word(steps, s)))
                run = pick(table, where, "run")
                error = run eq "" ? NaN : 100 * largest_of(reduced(folder."/".run.".tsv", "volume_error", ""))
                blew = run ne "" && pick(table, where, "status") eq "diverged"
                any = any || run ne ""
                print sprintf("%d %d %d %s %g %d", m, b, k, word(steps, s), blew ? NaN : error, blew)
            }
            has[(m - 1) * 2 + b] = has[(m - 1) * 2 + b].(any ? sprintf(" %d", k) : "")
            print ""
            print ""
        }
    }
}
unset print
block(m, b, k) = ((m - 1) * 2 + b - 1) * 4 + k - 1

set datafile separator whitespace
set datafile nocolumnheaders
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Free fall with larger steps: the largest volume error" at screen 0.5, screen 0.955 center font ",17"
set logscale xy
set format x powers
set format y powers
set xrange [0.00007:0.015]
set yrange [1e-5:1e5]
set ytics 100
blown = 1e4
do for [m = 1:2] {
    do for [b = 1:2] {
        set lmargin at screen (b == 1 ? 0.105 : 0.565); set rmargin at screen (b == 1 ? 0.525 : 0.98)
        set tmargin at screen (m == 1 ? 0.87 : 0.5); set bmargin at screen (m == 1 ? 0.575 : 0.205)
        set label 3 sprintf("%s, %s", word(names, bodies[b]), method_label[m]) at graph 0.5, graph 1.05 center font ",12"
        set ylabel b == 1 ? "error / %" : "" offset 1.2
        set xlabel m == 2 ? "time step / s" : "" offset 0, 0.7
        set format x m == 2 ? "10^{%T}" : ""
        set format y b == 1 ? "10^{%T}" : ""
        if (m == 2 && b == 2) {
            set key at screen 0.54, screen 0.066 center center vertical maxrows 2
        } else {
            unset key
        }
        drawn = has[(m - 1) * 2 + b]
        set label 4 (drawn eq "" ? "not run" : "") at graph 0.5, graph 0.7 center textcolor rgb alarm font ",12"
        drawn = drawn eq "" ? "1" : drawn
        plot for [k in drawn] $points index block(m, b, int(k)) using 4:5 with linespoints linewidth 2 \
                dashtype int(k) linecolor rgb hues[int(k)] pointtype int(word(marks, int(k))) notitle, \
             for [k in drawn] $points index block(m, b, int(k)) using ($6 == 1 ? $4 * 1.06 ** (int(k) - 2.5) : 1):(blown) \
                with points pointtype 2 linewidth 2 linecolor rgb hues[int(k)] notitle, \
             for [k = 1:most] keyentry with linespoints linewidth 2 dashtype k linecolor rgb hues[k] pointtype int(word(marks, k)) \
                title sprintf("%d N/m", number(word(stiffness, k))), \
             keyentry with points pointtype 2 linewidth 2 linecolor rgb paper title "blew up", \
             NaN notitle
        unset label
    }
}
unset multiplot
