# va2022, section 5: the largest cloth in real time under a strong push, by each method. The points are the grids that
# `make frontier` tried or, if `make frontier` did not run, only the grid of the experiment. The large open marks are
# the values of the paper (GTX 1070).
folder = here."/frontier"
found = folder."/found.tsv"
is_found = int(system(sprintf("[ -e %s ] && echo 1 || echo 0", quoted(found))))
table = is_found ? found : folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"

set title "Real time in a strong push: frames per second over the resolution"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 3 is_found ? "" : "only the experiment's grid; for more, run make frontier" at screen 0.99, screen 0.025 right \
    textcolor rgb alarm font ",11"
set label 4 title_of("threads", table)."; ".title_of("opencl", folder."/summary.tsv") at graph 0.5, graph 1.035 center font ",11" \
    textcolor rgb "#555555" noenhanced
set logscale xy
set format x powers
set format y powers
set xlabel "nodes" offset 0, 0.4
set ylabel "frames / s"
set xrange [800:3e7]
set yrange [1:*]
set key at screen 0.5, screen 0.115 center center vertical maxrows 3 width -4
set bmargin 9.5
set arrow 1 from graph 0, first 30 to graph 1, first 30 nohead linecolor rgb paper dashtype 3
set label 2 "30 frames/s: real time" at graph 0.02, first 30 offset 0, -0.7 font ",12"

methods = "mass_spring adaptive_constraint constraint_enforcement"
array method_name[3] = ["mass-spring", "adaptive", "constraints"]
array paper_nodes[3] = [va2022_real_time_nodes, va2022_counts_nodes_128x128, va2022_counts_nodes_52x52]
method_marks = "7 5 9"
method_hollow = "6 4 8"
nodes_of(kind, m) = strcol("method.name") eq word(methods, m) ? of(kind, column("nodes")) : NaN
rate = "frames_per_second"
plot for [k = 2:3] for [m = 1:3] table using (nodes_of(word(kinds, k), m)):(column(rate)) smooth unique \
        with lines linecolor rgb word(colours, k) notitle, \
     for [k = 2:3] for [m = 1:3] "" \
        using (nodes_of(word(kinds, k), m)):(column(rate)):(column(rate."_low")):(column(rate."_high")) \
        with yerrorbars linecolor rgb word(colours, k) pointtype -1 notitle, \
     for [k = 2:3] for [m = 1:3] "" using (nodes_of(word(kinds, k), m)):(column(rate)) \
        with points linecolor rgb word(colours, k) pointtype int(word(k == 3 ? method_marks : method_hollow, m)) \
        linewidth 2 title method_name[m].", ".word(kinds, k) noenhanced, \
     for [m = 1:3] "+" using (paper_nodes[m]):(30.0) every ::::0 with points linecolor rgb paper \
        pointtype int(word(method_hollow, m)) pointsize 1.8 linewidth 2 \
        title sprintf("paper: %d nodes", paper_nodes[m]) noenhanced
