# lee2022, figures 5 to 10: Gauss-Seidel, as in the paper, and the Jacobi solver of a later program of the authors'
# group. Left: our speed-ups and the printed speed-ups. Right: the shape error of the bodies in a fall.
fallen = here."/program-fall"; equations = here."/program-gauss-seidel"
speed(solver) = here.(solver == 1 ? "/speed" : "/program-speed")."/summary.tsv"
load fallen."/context.gp"
load here."/reported.gp"
load "figures/lee2022/bodies.inc"

array solver[2] = ["Gauss-Seidel, as in the paper", "Jacobi, as in the program"]
array hues[3] = ["#3a3a3a", "#9ec5e8", "#d55e00"]
gpu = "backend=opencl;device_type=gpu"
has_gpu = pick(speed(1), gpu, "run") ne "" && pick(speed(2), gpu, "run") ne ""
on = has_gpu ? gpu : "backend=serial"

# Rows: x, number of the bar's colour, speed-up, label.
array mesh[3] = ["bunny_closed_3008", "armadillo_6362", "dragon_holed_2998"]
array slow[3] = [tets, tets, links]
array fast[3] = [links, links, bare]
array printed[3] = [value_of("lee2022_speed_bunny"), value_of("lee2022_speed_armadillo"), value_of("lee2022_speed_dragon")]
seconds(s, b, method) = number(pick(speed(s), of_body(mesh[b], method, ";".on), "frame_seconds"))
ran(s, b) = pick(speed(s), of_body(mesh[b], slow[b], ";".on), "run") ne "" && \
    pick(speed(s), of_body(mesh[b], fast[b], ";".on), "run") ne ""
set print $ratios
do for [b = 1:3] {
    print sprintf("%g 1 %.9g %.3g", b - 0.27, printed[b], printed[b])
    do for [s = 1:2] {
        ratio = ran(s, b) ? seconds(s, b, slow[b]) / seconds(s, b, fast[b]) : NaN
        print sprintf("%g %d %.9g \"%s\"", b + 0.27 * (s - 1), s + 1, ratio, ran(s, b) ? sprintf("%.3g", ratio) : "not run")
    }
}
unset print

# Rows: x, number of the bar's colour, largest shape error in %, label.
array fallen_mesh[6] = [mesh[1], mesh[1], mesh[2], mesh[2], mesh[3], mesh[3]]
array fallen_method[6] = [tets, links, tets, links, links, bare]
set print $shapes
do for [b = 1:6] {
    do for [s = 1:2] {
        table = (s == 1 ? equations : fallen)."/summary.tsv"
        where = of_body(fallen_mesh[b], fallen_method[b], s == 1 ? ";method.stiffness_means=clamp" : "")
        status = pick(table, where, "status")
        off = status eq "" || status eq "diverged" ? NaN : share_of(table, where, "shape_error_max")
        print sprintf("%g %d %.9g \"%s\"", b + 0.4 * (s - 1.5), s + 1, off, \
            status eq "" ? "not run" : status eq "diverged" ? "blew up" : sprintf("%.2g", off))
    }
}
unset print

set datafile separator whitespace
set datafile nocolumnheaders
set style fill solid 0.9 noborder
set style textbox opaque noborder fillcolor rgb "white" margins 0.2, 0.2
unset grid
set grid ytics linecolor rgb "#dddddd" linetype 1 linewidth 0.6
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Gauss-Seidel, as in the paper, and Jacobi, as in a later program of the authors' group" at screen 0.5, screen 0.955 center font ",15"
set tmargin at screen 0.86; set bmargin at screen 0.31
unset key
set xtics scale 0 font ",11" ("" 0)
set lmargin at screen 0.09; set rmargin at screen 0.43
set label 3 has_gpu ? "speed-up, on a GPU" : "speed-up, on one core" at graph 0.5, graph 1.04 center font ",13"
set ylabel "ratio of frame times" offset 1.5
set logscale y
set yrange [0.7:40]
set ytics (1, 2, 5, 10, 20)
set boxwidth 0.25
set xrange [0.4:3.6]
set xtics add ("Bunny\nlinks over\ntetrahedra" 1, "Armadillo\nlinks over\ntetrahedra" 2, "Dragon\nsurface over\nlinks" 3)
plot for [k = 1:3] $ratios using ($2 == k ? $1 : NaN):3 with boxes linecolor rgb hues[k] notitle, \
     $ratios using 1:(valid(3) ? $3 : 0.8):4 with labels boxed offset 0, 0.7 font ",9" textcolor rgb "#333333" notitle
unset label 1; unset label 2
set lmargin at screen 0.52; set rmargin at screen 0.98
set label 3 "largest shape error in a fall" at graph 0.5, graph 1.04 center font ",13"
set ylabel "shape error / % of the longest side" offset 1
unset logscale
set yrange [0:35]
set ytics 5
set boxwidth 0.36
set xrange [0.4:6.6]
set xtics scale 0 font ",10" ("" 0)
set xtics add ("Bunny\ntetra-\nhedra" 1, "Bunny\nlinks" 2, "Arma-\ndillo\ntetra-\nhedra" 3, "Arma-\ndillo\nlinks" 4, "Dragon\nlinks" 5, "Dragon\nsurface" 6)
set key at screen 0.53, screen 0.1 center center vertical maxrows 2 font ",12"
plot 5 with lines dashtype 3 linecolor rgb alarm notitle, \
     for [k = 2:3] $shapes using ($2 == k ? $1 : NaN):3 with boxes linecolor rgb hues[k] notitle, \
     $shapes using 1:3:4 with labels boxed offset 0, 0.7 font ",9" textcolor rgb "#333333" notitle, \
     $shapes using (valid(3) ? NaN : $1):(0.6):4 with labels boxed rotate left font ",10" textcolor rgb alarm notitle, \
     keyentry with boxes linecolor rgb hues[1] title "printed", \
     for [k = 2:3] keyentry with boxes linecolor rgb hues[k] title solver[k - 1], \
     keyentry with lines dashtype 3 linecolor rgb alarm title "shape kept: up to 5 %"
unset multiplot
