# va2023, section VI: time of a step with collisions in the kernel and on the host. The host reads and writes positions
# and velocities in each step.
folder = here."/collisions"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"

array kinds_of[4] = ["1 device", "1 host", "2 device", "2 host"]
array hues[4] = ["#e6b0aa", "#c0392b", "#9fc5e8", "#2f6db5"]
place(b, k) = b + 0.2 * (k - 2.5)

set print $bars
do for [b = 1:5] {
    do for [k = 1:4] {
        where = of_body(b, int(word(kinds_of[k], 1)), ";scene.collisions=".word(kinds_of[k], 2))
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

set title "Collisions in the kernel and on the host"
set label 4 device at graph 0.5, graph 1.035 center font ",11" textcolor rgb "#555555" noenhanced
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 3 gpu || device eq "" ? "" : "no GPU: the host is the device" at screen 0.99, screen 0.025 right textcolor rgb alarm font ",11"
set datafile separator whitespace
set datafile nocolumnheaders
set logscale y
set format y powers
set ylabel "time of a step / ns"
set xrange [0.4:5.6]
set yrange [1000:*]
set boxwidth 0.18
set style fill solid 0.95 noborder
set xtics scale 0 ("" 0)
set for [b = 1:5] xtics add (named(table, b) b)
set bmargin at screen 0.24
set key at screen 0.53, screen 0.1 center center vertical maxrows 2 font ",12"
plot for [k = 1:4] $bars using ($2 == k ? $1 : NaN):3 with boxes linecolor rgb hues[k] \
        title sprintf("%s, collisions on the %s", method_label[int(word(kinds_of[k], 1))], word(kinds_of[k], 2)), \
     $bars using 1:4:(0):($5 - $4) with vectors nohead linecolor rgb paper notitle, \
     $bars using 1:(1300):6 with labels rotate left font ",9" textcolor rgb alarm notitle
