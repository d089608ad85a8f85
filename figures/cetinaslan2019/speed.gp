# cetinaslan2019, section 7: frames per second by backend and kind of spring. Bands show the ranges that the paper
# prints for its own CPU and GPU, one range for all four springs.
folder = here."/speed"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
load "figures/cetinaslan2019/springs.inc"

array condition[3] = ["method.iterations=200", "method.iterations=100", "method.iterations=50"]
array test[3] = ["hanging cloth, 200 iterations", "flag, 100 iterations", "hanging Bunny, 50 iterations"]
array key_of[3] = ["hanging", "flag", "bunny"]
backends = "serial threads:1 threads opencl"
array hues[4] = [serial, "#f3cf7a", threads, opencl]
array of_kind[4] = ["one core, plain", "one core, vectors", "threads", "OpenCL"]
cpu_band = "#d64545"; gpu_band = "#7b2fa0"
place(s, k) = s + 0.2 * (k - 2.5)
set print $bars
do for [t = 1:3] {
    do for [s = 1:4] {
        do for [k = 1:4] {
            where = of_spring(s, sprintf(";%s;backend=%s", condition[t], word(backends, k)))
            cell(what) = pick(table, where, what)
            outcome = cell("run") eq "" ? "not run" : cell("status") eq "diverged" ? "blew up" : ""
            rate(what) = outcome ne "" || cell(what) eq "" ? NaN : number(cell(what))
            print sprintf("%d %g %d %g %g %g \"%s\"", t, place(s, k), k, rate("frames_per_second"), \
                rate("frames_per_second_low"), rate("frames_per_second_high"), outcome)
        }
    }
}
unset print
ran_on = pick(table, "backend=opencl", "device")
gpu = pick(table, "device_type=gpu", "device") ne ""
or_unseen(rate) = rate == rate ? rate : 1e-9 # a missing rate is drawn below the axis
stated(t, kind, end) = or_unseen(value_of(sprintf("cetinaslan2019_fps_%s_%s_%s", key_of[t], kind, end)))
set print $stated
do for [t = 1:3] {
    do for [kind in "cpu gpu"] {
        print sprintf("0.4 %g %g", stated(t, kind, "low"), stated(t, kind, "high"))
        print sprintf("4.6 %g %g", stated(t, kind, "low"), stated(t, kind, "high"))
        print ""
        print ""
    }
}
unset print

set datafile separator whitespace
set datafile nocolumnheaders
set logscale y
set format y powers
set xrange [0.4:4.6]
set yrange [1:20000]
set boxwidth 0.18
set style fill solid 0.9 noborder
set xtics scale 0 ("" 0)
set for [s = 1:4] xtics add (spring_name[s] s)
set xtics font ",10"
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Frames per second, with one step per frame" at screen 0.5, screen 0.955 center font ",17"
set label 5 sprintf("OpenCL: %s; printed: i7-2600 and GTX 570", ran_on eq "" ? "not run" : ran_on) \
    at screen 0.5, screen 0.905 center font ",11" textcolor rgb "#555555" noenhanced
set label 3 gpu || ran_on eq "" ? "" : no_gpu at screen 0.99, screen 0.025 right \
    textcolor rgb alarm font ",11"
do for [t = 1:3] {
    set lmargin at screen 0.085 + 0.305 * (t - 1); set rmargin at screen 0.37 + 0.305 * (t - 1)
    set tmargin at screen 0.81; set bmargin at screen 0.24
    set label 4 test[t] at graph 0.5, graph 1.05 center font ",12"
    set ylabel (t == 1 ? "frames / s" : "") offset 1
    set format y (t == 1 ? powers : "")
    if (t == 3) { set key at screen 0.53, screen 0.1 center center vertical maxrows 2 font ",11" } else { unset key }
    plot for [k = 1:4] $bars using ($1 == t && $3 == k ? $2 : NaN):4 with boxes linecolor rgb hues[k] title of_kind[k], \
         $bars using ($1 == t ? $2 : NaN):5:(0):($6 - $5) with vectors nohead linecolor rgb paper notitle, \
         $bars using ($1 == t ? $2 : NaN):(1.2):7 with labels rotate left font ",9" textcolor rgb alarm notitle, \
         $stated index 2 * t - 2 using 1:2:3 with filledcurves fillstyle solid 1 noborder fillcolor rgb cpu_band notitle, \
         $stated index 2 * t - 1 using 1:2:3 with filledcurves fillstyle solid 1 noborder fillcolor rgb gpu_band notitle, \
         keyentry with boxes fillstyle solid 1 fillcolor rgb cpu_band title "printed, CPU", \
         keyentry with boxes fillstyle solid 1 fillcolor rgb gpu_band title "printed, GPU"
    unset label
}
unset multiplot
