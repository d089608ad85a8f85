# va2022, table 10: how many times faster than one core, over the resolution. The paper's mean is drawn beside ours.
table = here."/resolutions/summary.tsv"
load here."/resolutions/context.gp"
load here."/reported.gp"

# A row's speed-up: its frames a second over those of the serial run of the same cloth.
serial_rate(nodes) = real(look_up(table, "backend_kind", "serial", "nodes", sprintf("%d", nodes), "frames_per_second"))
speed_up(kind) = strcol("backend_kind") eq kind ? column("frames_per_second") / serial_rate(column("nodes")) : NaN

set title "Mass-spring cloth: times faster than one core"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set logscale xy
set format x powers
set xlabel "nodes"
set ylabel "frames/s over those of one core"
set xrange [2000:9e6]
set yrange [0.5:200<*]
set key top left
set arrow 1 from graph 0, first va2022_speed_up_mean to graph 1, first va2022_speed_up_mean nohead \
    linecolor rgb paper dashtype 3
set label 2 sprintf("paper's mean, GTX 1070 over i7-7700: %g", va2022_speed_up_mean) \
    at graph 0.99, first va2022_speed_up_mean offset 0, -0.7 right font ",12"
set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb serial
set label 3 has_gpu(table) ? "" : "no GPU here: OpenCL ran on the CPU, which does not stand for the paper's GPU" \
    at graph 0.5, graph 0.05 center textcolor rgb alarm font ",12"

plot for [k = 2:3] table using (of(word(kinds, k), column("nodes"))):(speed_up(word(kinds, k))) \
        with linespoints linecolor rgb word(colours, k) pointtype int(word(points, k)) linewidth 2 \
        title title_of(word(kinds, k), table) noenhanced
