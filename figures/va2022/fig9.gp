# va2022, figure 9 and section 5: frames per second of the three methods over the resolution. The paper prints bars
# without their values.
table = here."/methods-speed/summary.tsv"
load here."/methods-speed/context.gp"
load here."/reported.gp"

set title "The three methods: frames per second over the resolution"
set label 4 title_of("threads", table)."; ".title_of("opencl", table) at graph 0.5, graph 1.035 center font ",11" \
    textcolor rgb "#555555" noenhanced
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 3 has_gpu(table) ? "" : no_gpu \
    at screen 0.99, screen 0.025 right textcolor rgb alarm font ",11"
set logscale xy
set format y powers
set xlabel "nodes" offset 0, 0.4
set ylabel "frames / s"
set xrange [2200:80000]
set xtics (2704, 16384, 65536)
set yrange [2:*]
set key at screen 0.5, screen 0.125 center center vertical maxrows 4 width -2
set bmargin 10
set arrow 1 from graph 0, first 30 to graph 1, first 30 nohead linecolor rgb paper dashtype 3
set label 2 "30 frames/s: real time" at graph 0.02, first 30 offset 0, -0.7 font ",12"

methods = "mass_spring adaptive_constraint constraint_enforcement"
array method_name[3] = ["mass-spring", "adaptive", "constraint enforcement"]
method_marks = "7 5 9"
method_hollow = "6 4 8"
nodes_of(kind, m) = strcol("method.name") eq word(methods, m) ? of(kind, column("nodes")) : NaN
rate = "frames_per_second"
plot for [k = 2:3] for [m = 1:3] table \
        using (nodes_of(word(kinds, k), m)):(column(rate)):(column(rate."_low")):(column(rate."_high")) \
        with yerrorbars linecolor rgb word(colours, k) pointtype -1 notitle, \
     for [k = 2:3] for [m = 1:3] "" using (nodes_of(word(kinds, k), m)):(column(rate)) \
        with linespoints linecolor rgb word(colours, k) pointtype int(word(k == 3 ? method_marks : method_hollow, m)) \
        linewidth 2 dashtype m title method_name[m].", ".word(kinds, k) noenhanced, \
     "+" using (va2022_counts_nodes_128x128):(30.0) every ::::0 with points linecolor rgb paper pointtype 6 pointsize 1.5 \
        linewidth 2 title sprintf("paper: adaptive in real time at %d nodes", va2022_counts_nodes_128x128)
