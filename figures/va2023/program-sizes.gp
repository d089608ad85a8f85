# va2023, figure 7 at other sizes: the largest loss of volume with the volume constraint over the length of the bodies,
# by the paper's equations and by the authors' programs. The smallest and largest lengths are those of the programs'
# scenes.
folder = here."/program-sizes"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
meshes = "sphere_642 torus_2304 bunny_closed_2990 armadillo_6362 dragon_closed_5203"
names = "Sphere Torus Bunny Armadillo Dragon"
hues = "#0072b2 #d55e00 #009e73 #8e44ad #7f7f7f"
lengths = swept(table, "body.surface.length")

# One block for each method.volume_correction: 0 (authors' programs), then 1 (equations). Columns: length in m, largest
# loss of each body in %, mean of these losses in %.
set print $losses
do for [c = 0:1] {
    do for [l = 1:words(lengths)] {
        line = word(lengths, l)
        sum = 0
        do for [b = 1:5] {
            run = pick(table, sprintf("body.mesh=%s;body.surface.length=%s m;method.volume_correction=%d", \
                word(meshes, b), word(lengths, l), c), "run")
            loss = run eq "" ? NaN : 100 * largest_of(reduced(folder."/".run.".tsv", "volume_loss", ""))
            sum = sum + loss
            line = line.sprintf(" %.9g", loss)
        }
        print line.sprintf(" %.9g", sum / 5)
    }
    print ""
    print ""
}
unset print
set datafile separator whitespace
set datafile nocolumnheaders
set title "Free fall with the volume constraint, by the size of the bodies"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set xlabel "length of the body / m"
set ylabel "largest loss of volume / %"
set logscale xy
set format y "10^{%T}"
set xrange [4:24]
set xtics (4.8, 6, 8, 10, 12, 16, 19.2)
set yrange [1e-4:1e2]
set ytics 10
set key at screen 0.54, screen 0.115 center center horizontal maxrows 2 width -4 font ",11"
set bmargin 8.5
mean = value_of("va2023_free_fall_vpc_mean_max_loss")
set label 2 "authors' programs" at 4.4, 55 font ",12" textcolor rgb "#333333"
set label 3 "equations" at 4.4, 0.02 font ",12" textcolor rgb "#333333"
plot for [b = 1:5] $losses index 0 using 1:(column(b + 1)) with linespoints linecolor rgb word(hues, b) pointtype mark(b) \
        pointsize 0.8 title word(names, b), \
     for [b = 1:5] $losses index 1 using 1:(column(b + 1)) with linespoints linecolor rgb word(hues, b) pointtype mark(b) \
        pointsize 0.8 dashtype 3 notitle, \
     for [c = 0:1] $losses index c using 1:7 with linespoints linecolor rgb "black" linewidth 2.5 pointtype 2 \
        title c == 0 ? "mean of the five" : "", \
     mean with lines linecolor rgb "black" dashtype 2 linewidth 1.5 title sprintf("printed mean: %g %%", mean)
