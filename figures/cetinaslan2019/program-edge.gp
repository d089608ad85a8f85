# cetinaslan2019, figure 7, top: the relative error of one edge of the hanging cloth. Lines of a later program of the
# author that are commented out print log10 of the error of edge 472 (ozancetinaslan/espef_and_esbd, commit c021b14,
# xpbd2020/PHYSSolverCPU.cpp:348-350). The scene of that program numbers edges by rows from the free end
# (scenes/clothFall18.ma:384-493). With this numbering in a cloth of 40 x 40 squares, edge 472 leads from row 5 to row 6
# in column 33. In our mesh this edge is between the first two corners of triangle 842.
folder = here."/program-cloth"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"
array damping[2] = ["0.3", "1"]
rest = length_of(table) / 40
frame_time = frame_time_of(table)
run(s, d) = pick(table, of_spring(s, ";method.damping_of=ends;method.damping=".damping[d]), "run")
frames(s, d) = pick(table, of_spring(s, ";method.damping_of=ends;method.damping=".damping[d]), "geometry")
# Rows: frame, log10 of the edge's error. Each line of the export that is not empty is a corner of a triangle. The last
# corner of each triangle is there twice.
one_edge = "NF {++k} NF && k == 3369 {x = $1; y = $2; z = $3} ".\
    "NF && k == 3370 {e = sqrt(($1 - x)^2 + ($2 - y)^2 + ($3 - z)^2) / rest - 1; ".\
    "print n, log(1e-8 + (e < 0 ? -e : e)) / log(10)}"
errors(s, d) = run(s, d) eq "" ? "" : system(sprintf( \
    "for n in %s; do %s export --format triangles --frame $n %s | awk -v n=$n -v rest=%.9g %s; done", \
    frames(s, d), quoted(springback), quoted(trace_of(folder, run(s, d))), rest, quoted(one_edge)))
set print $errors
do for [d = 1:2] { do for [s = 1:4] { print errors(s, d); print ""; print "" } }
unset print
set datafile separator whitespace
set datafile nocolumnheaders
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Error of one edge of a hanging cloth, as in the author's program" at screen 0.5, screen 0.955 center font ",17"
set tics font ",12"
set xrange [0:lasting(table)]
set yrange [-5:0]
do for [d = 1:2] {
    set lmargin at screen 0.1 + 0.47 * (d - 1); set rmargin at screen 0.5 + 0.47 * (d - 1)
    set tmargin at screen 0.87; set bmargin at screen 0.24
    set label 3 "damping ".damping[d] at graph 0.97, graph 0.93 right font ",13"
    set label 4 (run(1, d) eq "" ? "not run" : "") at graph 0.5, graph 0.5 center textcolor rgb alarm font ",12"
    set ylabel (d == 1 ? "log_{10} |length / rest - 1|" : "")
    set xlabel "time / s" offset 0, 0.6
    if (d == 2) { set key at screen 0.53, screen 0.085 center center horizontal font ",12" } else { unset key }
    plot for [s = 1:4] $errors index (4 * (d - 1) + s - 1) using ($1 * frame_time):2 with linespoints \
            linewidth 2 dashtype s pointtype mark(s) pointsize 0.6 pointinterval gap(s, 2) linecolor rgb spring_ink(s) notitle, \
         for [s = 1:4] keyentry with linespoints linewidth 2 dashtype s pointtype mark(s) linecolor rgb spring_ink(s) \
             title spring_name[s], \
         NaN notitle
    unset label
}
unset multiplot
