# va2022, table 10, constraint enforcement: speed-up over one core against the resolution, with the paper's mean. Our
# copy of the paper lacks the image with the other values of the table.
table = here."/constraint-speed/summary.tsv"
load here."/constraint-speed/context.gp"
load here."/reported.gp"

# Speed-up of a row: its frames per second, divided by those of the serial run with the same numbers of nodes and
# springs.
cloth_rate(nodes, springs) = number(pick(table, sprintf("backend_kind=serial;nodes=%d;springs=%d", nodes, springs), "frames_per_second"))
speed_up(kind, n) = strcol("backend_kind") eq kind && (column("springs_bend") > 0 ? 3 : 2) == n ? \
    column("frames_per_second") / cloth_rate(column("nodes"), column("springs")) : NaN

set title "Constraint enforcement: times faster than one core"
set label 4 title_of("threads", table)."; ".title_of("opencl", table) at graph 0.5, graph 1.035 center font ",11" \
    textcolor rgb "#555555" noenhanced
set label 1 footnote(footer) at screen 0.01, screen 0.025
set logscale xy
set xlabel "nodes" offset 0, 0.4
set ylabel "frames/s divided by those of one core"
set xrange [800:22000]
set xtics (1024, 2704, 4096, 16384)
set yrange [0.02:300]
set key at screen 0.5, screen 0.105 center center vertical maxrows 3
set bmargin 9.5
set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb serial
set label 3 has_gpu(table) ? "" : no_gpu \
    at screen 0.99, screen 0.025 right textcolor rgb alarm font ",11"

hollow = "6 4 8"
plot for [n = 2:3] for [k = 2:3] table using (column("nodes")):(speed_up(word(kinds, k), n)) \
        with linespoints linecolor rgb word(colours, k) pointtype int(word(n == 2 ? points : hollow, k)) linewidth 2 \
        dashtype n - 1 title word(kinds, k).(n == 2 ? "" : " with bend springs") noenhanced, \
     va2022_speed_up_constraints_mean with lines linecolor rgb paper linewidth 2 dashtype 3 \
        title sprintf("paper's mean, GTX 1070 over i7-7700: %g", va2022_speed_up_constraints_mean)
