# cetinaslan2019, section 7 and figure 7: the kinetic energy of a hanging cloth, which shows how long the cloth swings,
# with two dampings. The paper says that stretching and StVK damp the motion faster than Hooke and Morse. In both panels
# the horizontal line is 1/e of the largest energy of Hooke with damping 0.3.
folder = here."/decay"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"

array damping[2] = ["0.3", "1"]
run(s, d) = pick(table, of_spring(s, ";method.damping=".damping[d]), "run")
first_run = run(1, 1).run(2, 1).run(3, 1).run(4, 1)
file(s, d) = run(s, d) eq "" ? "< echo frame" : folder."/".run(s, d).".tsv"
top = run(2, 1) eq "" ? NaN : largest_of(reduced(folder."/".run(2, 1).".tsv", "kinetic_energy", ""))
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Kinetic energy of a hanging cloth" at screen 0.5, screen 0.955 center font ",17"
set tics font ",12"
set xrange [0:lasting(table)]
if (first_run eq "") { set yrange [0:1] } else { set yrange [0:*] }
do for [d = 1:2] {
    set lmargin at screen 0.1; set rmargin at screen 0.97
    set tmargin at screen (d == 1 ? 0.9 : 0.53); set bmargin at screen (d == 1 ? 0.6 : 0.23)
    set label 3 "damping ".damping[d]." (as h^2 β)" at graph 0.98, graph 0.92 right font ",13"
    set label 4 (first_run eq "" ? "not run" : "") at graph 0.5, graph 0.5 center textcolor rgb alarm font ",12"
    set ylabel "kinetic energy / J" offset 1 font ",13"
    set xlabel (d == 2 ? "time / s" : "") offset 0, 0.7 font ",13"
    if (d == 2) { set key at screen 0.53, screen 0.085 center center vertical maxrows 2 font ",12" } else { unset key }
    plot for [s = 1:4] file(s, d) using (column(2)):(column("kinetic_energy/J")) with linespoints \
            linewidth 1.5 dashtype s pointtype mark(s) pointsize 0.6 pointinterval gap(s, 24) linecolor rgb spring_ink(s) notitle, \
         (top == top ? top / exp(1) : 1e-9) with lines linewidth 1 linecolor rgb paper notitle, \
         for [s = 1:4] keyentry with linespoints linewidth 2 dashtype s pointtype mark(s) linecolor rgb spring_ink(s) \
             title spring_name[s], \
         keyentry with lines linewidth 1 linecolor rgb paper title "1/e of Hooke's maximum"
    unset label
}
unset multiplot
