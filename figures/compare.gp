# The speed of a machine B relative to a machine A. Each point is a run that both machines timed, with the interval that
# `springback compare` computes.
# Drawn by
#   springback compare A B --table >compare.tsv
#   gnuplot -c figures/draw.gp svg "1350 1350" compare.svg figures/compare.gp compare.tsv
table = here
count = int(system(sprintf("awk 'END {print NR - 1}' %s", quoted(table))))
if (count < 1) { print table.": no run was timed on both machines"; exit status 1 }

set title "Speed of B relative to A"
set logscale x
set xlabel "Median frame time of A, divided by that of B"
set yrange [count + 0.5 : 0.5]
set lmargin 24
set key outside bottom center horizontal
set arrow 1 from 1, graph 0 to 1, graph 1 nohead linecolor rgb paper dashtype 3
unset ytics

# The name of each experiment at its first row, and a line above the row.
firsts = system(sprintf("awk -F'\\t' 'NR > 1 && $1 != last {print NR - 1 \"|\" $1; last = $1}' %s", quoted(table)))
do for [e = 1:words(firsts)] {
    at = int(word(firsts, e)[1 : strstrt(word(firsts, e), "|") - 1])
    set label 10 + e word(firsts, e)[strstrt(word(firsts, e), "|") + 1 :] at graph -0.01, first at right font ",11" noenhanced
    if (at > 1) { set arrow 10 + e from graph 0, first at - 0.5 to graph 1, first at - 0.5 nohead linecolor rgb "#bbbbbb" }
}

# The ratio of speeds if the row is of backend k, else NaN. Rows of threads:1, threads:2 and so on count as threads.
kind(k) = strcol("backend")[1 : strlen(word(kinds, k))] eq word(kinds, k) ? column("ratio") : NaN
plot for [k = 1:3] table using (kind(k)):($0 + 1):(column("low")):(column("high")) with xerrorbars \
    linecolor rgb word(colours, k) pointtype int(word(points, k)) pointsize 0.7 title word(kinds, k)
