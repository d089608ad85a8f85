# va2023, figure 6: frames per second of mass-spring and of the volume constraint on CPU and GPU. The paper's text
# states the heights of five bars, which are drawn as marks. These values are from another machine, and the paper does
# not state the steps per frame.
folder = here."/speed"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
load "figures/va2023/bodies.inc"

# The backends: one core with plain loops, one core with vector units, all cores, OpenCL.
backends = "serial threads:1 threads opencl"
array hues[4] = [serial, "#f3cf7a", threads, opencl]
array of_kind[4] = ["one core, plain", "one core, vectors", "threads", "OpenCL"]
place(b, k) = b + 0.2 * (k - 2.5)

# Rows: method, x, backend, median and interval of the frames per second, label of a bar that is missing.
set print $bars
do for [m = 1:2] {
    do for [b = 1:5] {
        do for [k = 1:4] {
            where = of_body(b, m, ";backend=".word(backends, k))
            cell(what) = pick(table, where, what)
            outcome = cell("run") eq "" ? "not run" : cell("status") eq "diverged" ? "blew up" : ""
            rate = cell("frames_per_second")
            print sprintf("%d %g %d %s %s %s \"%s\"", m, place(b, k), k, outcome ne "" ? "NaN" : rate, \
                outcome ne "" ? "NaN" : cell("frames_per_second_low"), outcome ne "" ? "NaN" : cell("frames_per_second_high"), outcome)
        }
    }
}
unset print

# The printed rates. A rate on the CPU is drawn at the x of the body's bar "one core, plain". A rate on the GPU is drawn
# at the x of the body's bar "OpenCL".
array stated[5] = ["va2023_fps_cpu_vpc_bunny 3 1", "va2023_fps_cpu_vpc_armadillo 4 1", "va2023_fps_cpu_vpc_dragon 5 1", \
    "va2023_fps_gpu_vpc_armadillo 4 4", "va2023_fps_gpu_vpc_dragon 5 4"]
set print $paper
print "0 NaN"
do for [s = 1:5] {
    print sprintf("%g %g", place(int(word(stated[s], 2)), int(word(stated[s], 3))), value_of(word(stated[s], 1)))
}
unset print

ran_on(k) = pick(table, "backend=".word(backends, k), "device")
device(k) = ran_on(k) eq "" ? "not run" : ran_on(k)
gpu = pick(table, "device_type=gpu", "device") ne ""
steps = pick(table, "", "time.steps_per_frame")

set datafile separator whitespace
set datafile nocolumnheaders
set logscale y
set format y powers
set ylabel "frames / s" offset 1
set xrange [0.4:5.6]
set yrange [0.5:*]
set boxwidth 0.18
set style fill solid 0.9 noborder
set xtics scale 0
set xtics ("" 0)
unset key

set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 sprintf("Frames per second, with %s steps per frame", steps eq "" ? "?" : steps) at screen 0.5, screen 0.955 center font ",17"
set label 5 sprintf("threads: %s; OpenCL: %s; printed: i7-7700 and GTX 1070", device(3), device(4)) at screen 0.5, screen 0.905 \
    center font ",11" textcolor rgb "#555555" noenhanced
set label 3 gpu || ran_on(4) eq "" ? "" : no_gpu \
    at screen 0.99, screen 0.025 right textcolor rgb alarm font ",11"
set lmargin at screen 0.1; set rmargin at screen 0.975
do for [m = 1:2] {
    set tmargin at screen (m == 1 ? 0.87 : 0.51); set bmargin at screen (m == 1 ? 0.57 : 0.21)
    set label 4 method_label[m] at graph 0.99, graph 0.93 right font ",14"
    set arrow 1 from graph 0, first 30 to graph 1, first 30 nohead linecolor rgb paper dashtype 3
    set for [b = 1:5] xtics add (m == 1 ? "" : named(table, b) b)
    if (m == 2) {
        set key at screen 0.53, screen 0.08 center center horizontal font ",11"
    }
    plot for [k = 1:4] $bars using ($1 == m && $3 == k ? $2 : NaN):4 with boxes linecolor rgb hues[k] \
            title of_kind[k], \
         $bars using ($1 == m ? $2 : NaN):5:(0):($6 - $5) with vectors nohead linecolor rgb paper notitle, \
         $bars using ($1 == m ? $2 : NaN):(0.6):7 with labels rotate left font ",9" textcolor rgb alarm notitle, \
         $paper using (m == 2 ? $1 : -9):2 with points pointtype 9 pointsize 1 linecolor rgb paper \
            title m == 2 ? "as printed" : "", \
         keyentry with lines linecolor rgb paper dashtype 3 title "30 frames / s"
    unset label
}
unset multiplot
