# va2023, sections IV and VI: time of a step with atomic sums and with sums by a tree, and with forces that are computed
# by spring and by node.
folder = here."/variants"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"

array kinds_of[6] = ["1 tuned", "1 paper", "2 tuned", "2 paper", "2 node_centric", "2 reduced"]
array hues[6] = ["#e6b0aa", "#c0392b", "#9fc5e8", "#2f6db5", "#56b08c", "#8e7cc3"]
array series_label[6] = ["mass-spring, tuned", "mass-spring, paper: by spring, atomic sums", "volume constraint, tuned", \
    "volume constraint, paper: by spring, atomic sums", "volume constraint: by node, atomic sums", \
    "volume constraint: by spring, sums by a tree"]
place(b, k) = b + 0.14 * (k - 3.5)

set print $bars
do for [b = 1:5] {
    do for [k = 1:6] {
        where = of_body(b, int(word(kinds_of[k], 1)), ";method.variant=".word(kinds_of[k], 2))
        cell(what) = pick(table, where, what)
        outcome = cell("run") eq "" ? "not run" : cell("status") eq "diverged" ? "blew up" : ""
        steps = number(cell("time.steps_per_frame"))
        nanoseconds(what) = outcome ne "" ? NaN : 1e9 * number(cell(what)) / steps
        print sprintf("%g %d %g %g %g \"%s\"", place(b, k), k, nanoseconds("frame_seconds"), \
            nanoseconds("frame_seconds_low"), nanoseconds("frame_seconds_high"), outcome)
    }
}
unset print
unset grid
set grid ytics linecolor rgb "#dddddd" linetype 1 linewidth 0.6
device = pick(table, "", "device")
gpu = pick(table, "device_type=gpu", "device") ne ""

set title "Time of a step, by the method of summation"
set label 4 device at graph 0.5, graph 1.035 center font ",11" textcolor rgb "#555555" noenhanced
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 3 gpu || device eq "" ? "" : no_gpu at screen 0.99, screen 0.025 right textcolor rgb alarm font ",11"
set datafile separator whitespace
set datafile nocolumnheaders
set logscale y
set format y powers
set ylabel "time of a step / ns"
set xrange [0.4:5.6]
set yrange [1000:*]
set boxwidth 0.125
set style fill solid 0.95 noborder
set xtics scale 0 ("" 0)
set for [b = 1:5] xtics add (named(table, b) b)
set bmargin at screen 0.27
set key at screen 0.53, screen 0.11 center center vertical maxrows 3 font ",11"
plot for [k = 1:6] $bars using ($2 == k ? $1 : NaN):3 with boxes linecolor rgb hues[k] title series_label[k], \
     $bars using 1:4:(0):($5 - $4) with vectors nohead linecolor rgb paper notitle, \
     $bars using 1:(1300):6 with labels rotate left font ",9" textcolor rgb alarm notitle
