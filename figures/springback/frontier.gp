# The cost of each method's cheapest run whose error is below a limit, against the size of the cloth, for three limits.
folder = here."/work-precision-cloth"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/springback/curves.inc"
points = out.".points"
made = points_of(folder, points)

array method[3] = ["mass_spring", "xpbd", "vbd"]
array named[3] = ["mass-spring", "XPBD", "VBD"]
array colour[3] = ["#000000", "#2171b5", "#d94801"]
array level[3] = ["0.03", "0.003", "0.0003"]
kind = has_gpu(table) ? "opencl" : "threads"
set print $least
do for [l = 1:3] { do for [m = 1:3] {
    print system(sprintf("awk -F'\\t' -v method=%s -v level=%s -v kind=%s -f figures/springback/least.awk %s", \
        quoted(method[m]), level[l], kind, quoted(points)))
    print ""
    print ""
} }
unset print
set datafile separator whitespace
set datafile nocolumnheaders
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 sprintf("The cheapest run with an error below a limit, %s", kind eq "opencl" ? "on the GPU" : "on all threads") at screen 0.5, screen 0.955 center font ",17"
set tics font ",11"
set xlabel font ",12"
set ylabel font ",12"
set logscale xy
set format y powers
set xrange [200:6000]
set xtics ("16^2" 256, "32^2" 1024, "64^2" 4096)
set yrange [1e-3:100]
do for [l = 1:3] {
    set lmargin at screen 0.1 + 0.3 * (l - 1); set rmargin at screen 0.36 + 0.3 * (l - 1)
    set tmargin at screen 0.86; set bmargin at screen 0.25
    set label 3 sprintf("error below %g %%", 100 * real(level[l])) at graph 0.5, graph 1.05 center font ",13"
    set ylabel (l == 1 ? "computing time / simulated time" : "") offset 1.5, 0
    set xlabel "nodes" offset 0, 0.4
    if (l == 3) { set key at screen 0.53, screen 0.09 center center vertical maxrows 1 } else { unset key }
    plot for [m = 1:3] $least index (l - 1) * 3 + m - 1 using 1:2 with linespoints linewidth 2 pointsize 1.2 \
            dashtype m pointtype mark(m) linecolor rgb colour[m] notitle, \
         for [m = 1:3] keyentry with linespoints linewidth 2 dashtype m pointtype mark(m) linecolor rgb colour[m] title named[m]
    unset label 1; unset label 2; unset label 3
}
unset multiplot
made = system(sprintf("rm -f %s", quoted(points)))
