# cetinaslan2019, section 7 and figure 7: the kinetic energy of a hanging cloth with damping, by the paper's equations
# and by a later program of the author. The program damps each end of a spring by the motion of this end. The paper says
# that stretching and StVK damp the motion faster than Hooke and Morse.
folder = here."/program-cloth"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"
array kind[3] = ["pair", "ends", "ends"]
array damping[3] = ["1", "0.3", "1"]
array heading[3] = ["equations, damping 1", "author's program, damping 0.3", "author's program, damping 1"]
run(s, p) = pick(table, of_spring(s, sprintf(";method.damping_of=%s;method.damping=%s", kind[p], damping[p])), "run")
file(s, p) = run(s, p) eq "" ? "< echo frame" : folder."/".run(s, p).".tsv"
first_run = run(1, 1).run(2, 1).run(3, 1).run(4, 1)
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Kinetic energy of a hanging cloth" at screen 0.5, screen 0.965 center font ",17"
set tics font ",12"
set xrange [0:lasting(table)]
set yrange [0:(first_run eq "" ? 1 : 300)]
set ytics 100
do for [p = 1:3] {
    set lmargin at screen 0.1; set rmargin at screen 0.97
    set tmargin at screen 0.92 - 0.25 * (p - 1); set bmargin at screen 0.71 - 0.25 * (p - 1)
    set label 3 heading[p] at graph 0.98, graph 0.9 right font ",13"
    set label 4 (first_run eq "" ? "not run" : "") at graph 0.5, graph 0.5 center textcolor rgb alarm font ",12"
    set ylabel "energy / kJ" offset 1 font ",13"
    set format x (p == 3 ? "%g" : "")
    set xlabel (p == 3 ? "time / s" : "") offset 0, 0.7 font ",13"
    if (p == 3) { set key at screen 0.53, screen 0.075 center center horizontal font ",12" } else { unset key }
    plot for [s = 1:4] file(s, p) using (column(2)):(column("kinetic_energy/J") / 1000) with linespoints \
            linewidth 1.5 dashtype s pointtype mark(s) pointsize 0.6 pointinterval gap(s, 24) linecolor rgb spring_ink(s) notitle, \
         for [s = 1:4] keyentry with linespoints linewidth 2 dashtype s pointtype mark(s) linecolor rgb spring_ink(s) \
             title spring_name[s], \
         NaN notitle
    unset label
}
unset multiplot
