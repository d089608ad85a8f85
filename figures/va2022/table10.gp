# va2022, table 10, mass-spring: speed-up over one core against the resolution, with the paper's mean. Our copy of the
# paper lacks the image with the other values of the table.
table = here."/resolutions/summary.tsv"
load here."/resolutions/context.gp"
load here."/reported.gp"

# Speed-up of a row: its frames per second, divided by those of the serial run with the same number of nodes.
serial_rate(nodes) = real(look_up(table, "backend_kind", "serial", "nodes", sprintf("%d", nodes), "frames_per_second"))
speed_up(kind) = strcol("backend_kind") eq kind ? column("frames_per_second") / serial_rate(column("nodes")) : NaN

set title "Mass-spring cloth: times faster than one core"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set logscale xy
set format x powers
set xlabel "nodes" offset 0, 0.4
set ylabel "frames/s divided by those of one core"
set xrange [2000:9e6]
set yrange [0.4:*]
set key at screen 0.5, screen 0.105 center center vertical maxrows 3
set bmargin 9.5
set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb serial
set label 3 has_gpu(table) ? "" : no_gpu \
    at screen 0.99, screen 0.025 right textcolor rgb alarm font ",11"

plot for [k = 2:3] table using (of(word(kinds, k), column("nodes"))):(speed_up(word(kinds, k))) \
        with linespoints linecolor rgb word(colours, k) pointtype int(word(points, k)) linewidth 2 \
        title title_of(word(kinds, k), table) noenhanced, \
     va2022_speed_up_mean with lines linecolor rgb paper linewidth 2 dashtype 3 \
        title sprintf("paper's mean, GTX 1070 over i7-7700: %g", va2022_speed_up_mean)
