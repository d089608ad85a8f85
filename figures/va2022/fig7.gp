# va2022, figure 7: frames per second of the mass-spring cloth over its resolution.
# The paper prints bars without their values.
table = here."/resolutions/summary.tsv"
load here."/resolutions/context.gp"
load here."/reported.gp"

set title "Mass-spring cloth: frames per second over the resolution"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set logscale xy
set format xy powers
set xlabel "nodes"
set ylabel "frames / s"
set xrange [2000:9e6]
set yrange [0.2:*]
set key bottom left
set arrow 1 from graph 0, first 30 to graph 1, first 30 nohead linecolor rgb paper dashtype 3
set label 2 "30 frames/s: real time" at graph 0.02, first 30 offset 0, 0.6 font ",12"
set arrow 3 from va2022_real_time_nodes, 30 to va2022_real_time_nodes, 100 front linecolor rgb paper linewidth 2

# One line for each backend, with the intervals of its medians.
nodes_of(kind) = of(kind, column("nodes"))
rate = "frames_per_second"
plot for [k = 1:3] table using (nodes_of(word(kinds, k))):(column(rate)):(column(rate."_low")):(column(rate."_high")) \
        with yerrorbars linecolor rgb word(colours, k) pointtype -1 notitle, \
     for [k = 1:3] "" using (nodes_of(word(kinds, k))):(column(rate)) \
        with linespoints linecolor rgb word(colours, k) pointtype int(word(points, k)) linewidth 2 \
        title title_of(word(kinds, k), table) noenhanced, \
     "+" using (va2022_real_time_nodes):(30.0) every ::::0 with points linecolor rgb paper pointtype 6 pointsize 1.5 \
        linewidth 2 title sprintf("paper: real time at %d nodes, GTX 1070", va2022_real_time_nodes)
