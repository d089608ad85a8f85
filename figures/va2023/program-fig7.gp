# va2023, figure 7: the largest loss of volume in free fall with the volume constraint, printed, by the paper's equations,
# and as the authors' programs have it: the volume error is not corrected, and contacts lift nodes by 1 mm.
folder = here."/program-fall"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
meshes = "sphere_642 torus_2304 bunny_closed_2990 armadillo_6362 dragon_closed_5203"
names = "Sphere Torus Bunny Armadillo Dragon"
array said[3] = ["mass-spring", "constraint: equations", "constraint: programs"]
array ink[3] = ["#c0392b", "#9ecae1", "#2f6db5"]
array which[3] = ["method.name=mass_spring", "method.volume_correction=1", "method.volume_correction=0"]

# Rows: bar, place, loss in %, its text.
set print $bars
do for [k = 1:3] {
    do for [b = 1:5] {
        run = pick(table, "body.mesh=".word(meshes, b).";".which[k], "run")
        loss = run eq "" ? NaN : 100 * largest_of(reduced(folder."/".run.".tsv", "volume_loss", ""))
        print sprintf("%d %g %.9g \"%s\"", k, b + 0.27 * (k - 2), loss, run eq "" ? "not run" : percent(loss))
    }
}
unset print
set datafile separator whitespace
set datafile nocolumnheaders
set title "Free fall: the paper, its equations, and the authors' programs"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set ylabel "largest loss of volume / %"
set logscale y
set format y "10^{%T}"
set xrange [0.4:5.6]
set yrange [1e-4:1e3]
set ytics 10
unset grid
set grid ytics linecolor rgb "#dddddd" linetype 1 linewidth 0.6
set key at screen 0.54, screen 0.095 center center horizontal maxrows 2 width -3
set style textbox opaque noborder fillcolor rgb "white" margins 0.2, 0.2
set boxwidth 0.25
set style fill solid 0.9 noborder
set xtics ("" 0)
set for [b = 1:5] xtics add (word(names, b) b)
mean = value_of("va2023_free_fall_vpc_mean_max_loss")
plot for [k = 1:3] $bars using ($1 == k ? $2 : NaN):3 with boxes linecolor rgb ink[k] title said[k], \
     mean with lines linecolor rgb "black" dashtype 2 linewidth 1.5 \
        title sprintf("printed mean: %g %%", mean), \
     $bars using 2:3:4 with labels boxed offset 0, 0.7 font ",9" textcolor rgb "#333333" notitle
