# va2023, figure 1: the largest loss of volume of sphere and torus at three stiffnesses: printed, by the paper's
# equations, and by the authors' programs.
folder = here."/program-stiffness"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
meshes = "sphere_642 torus_2304"
names = "sphere torus"
stiffnesses = "100 1000 5000"
array method_label[3] = ["printed", "equations", "authors' programs"]
array ink[3] = ["#555555", "#9ecae1", "#2f6db5"]

# Rows: number of the bar's colour, x, loss in %, label.
set print $bars
do for [b = 1:2] {
    do for [s = 1:3] {
        printed = value_of(sprintf("va2023_stiffness_%s_%s", word(names, b), word(stiffnesses, s)))
        do for [k = 1:3] {
            run = k == 1 ? "" : pick(table, sprintf("body.mesh=%s;method.stiffness=%s N/m;method.volume_correction=%d", \
                word(meshes, b), word(stiffnesses, s), k == 2), "run")
            loss = k == 1 ? printed : run eq "" ? NaN : 100 * largest_of(reduced(folder."/".run.".tsv", "volume_loss", ""))
            print sprintf("%d %g %.9g \"%s\"", k, 3.4 * (b - 1) + s + 0.27 * (k - 2), loss, \
                k > 1 && run eq "" ? "not run" : percent(loss))
        }
    }
}
unset print
set datafile separator whitespace
set datafile nocolumnheaders
set title "Stiffness: the paper, its equations, and the authors' programs"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set ylabel "largest loss of volume / %"
set logscale y
set format y "10^{%T}"
set xrange [0.4:7]
set yrange [1e-5:1e2]
set ytics 10
unset grid
set grid ytics linecolor rgb "#dddddd" linetype 1 linewidth 0.6
set key at screen 0.54, screen 0.095 center center horizontal maxrows 2 width -3
set boxwidth 0.25
set style fill solid 0.9 noborder
set xtics ("" 0)
do for [b = 1:2] {
    set for [s = 1:3] xtics add (sprintf("%s\n%s N/m", s == 2 ? word(names, b) : "", word(stiffnesses, s)) 3.4 * (b - 1) + s)
}
plot for [k = 1:3] $bars using ($1 == k ? $2 : NaN):3 with boxes linecolor rgb ink[k] title method_label[k], \
     $bars using (valid(3) ? $2 : NaN):($3 / 1.5):4:($1 == 2 ? 0x222222 : 0xffffff) with labels rotate right font ",10.5" \
        textcolor rgb variable notitle, \
     $bars using (valid(3) ? NaN : $2):(2e-5):4 with labels rotate left font ",10" textcolor rgb alarm notitle
