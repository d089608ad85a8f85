# va2022, figure 8: frames per second of constraint enforcement over the resolution. Filled: two types of spring; open:
# three types. The paper prints bars without their values.
table = here."/constraint-speed/summary.tsv"
load here."/constraint-speed/context.gp"
load here."/reported.gp"

set title "Constraint enforcement: frames per second over the resolution"
set label 4 title_of("threads", table)."; ".title_of("opencl", table) at graph 0.5, graph 1.035 center font ",11" \
    textcolor rgb "#555555" noenhanced
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 3 has_gpu(table) ? "" : no_gpu \
    at screen 0.99, screen 0.025 right textcolor rgb alarm font ",11"
set logscale xy
set format y powers
set xlabel "nodes" offset 0, 0.4
set ylabel "frames / s"
set xrange [800:22000]
set xtics (1024, 2704, 4096, 16384)
set yrange [3:*]
set key at screen 0.5, screen 0.125 center center vertical maxrows 4 width -2
set bmargin 10
set arrow 1 from graph 0, first 30 to graph 1, first 30 nohead linecolor rgb paper dashtype 3
set label 2 "30 frames/s: real time" at graph 0.02, first 30 offset 0, 0.6 font ",12"

# The number of nodes if the row has n types of spring and this kind of backend, else NaN.
types_of(n) = column("springs_bend") > 0 ? (n == 3) : (n == 2)
nodes_of(kind, n) = types_of(n) ? of(kind, column("nodes")) : NaN
rate = "frames_per_second"
hollow = "6 4 8"
plot for [n = 2:3] for [k = 1:3] table \
        using (nodes_of(word(kinds, k), n)):(column(rate)):(column(rate."_low")):(column(rate."_high")) \
        with yerrorbars linecolor rgb word(colours, k) pointtype -1 notitle, \
     for [n = 2:3] for [k = 1:3] "" using (nodes_of(word(kinds, k), n)):(column(rate)) \
        with linespoints linecolor rgb word(colours, k) pointtype int(word(n == 2 ? points : hollow, k)) linewidth 2 \
        dashtype n - 1 title word(kinds, k).(n == 2 ? "" : " with bend springs") noenhanced, \
     "+" using (va2022_counts_nodes_52x52):(30.0) every ::::0 with points linecolor rgb paper pointtype 6 pointsize 1.5 \
        linewidth 2 title sprintf("paper: real time at %d nodes, GTX 1070", va2022_counts_nodes_52x52)
