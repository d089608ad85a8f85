# cetinaslan2019, figures 1 and 8: the mean error of the edges of an undamped hanging cloth, with four kinds of spring.
# The error is shown for the paper's equations with edges of 0.25 m and of 0.996 m, and for a later program of the
# author. The paper prints no value. Its text says that the order from the stiffest to the softest spring is stretching,
# StVK, Morse, Hooke.
folder = here."/program-cloth"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/cetinaslan2019/springs.inc"
order = "1 3 4 2" # indices in springs.inc, from the stiffest to the softest spring, as the paper says
array said[3] = ["equations, edges of 0.25 m", "equations, edges of 0.996 m", "author's program, edges of 0.996 m"]
array ink[3] = ["#9ecae1", "#5b9bd5", "#1f4e79"]
array from[3] = [here."/hanging-cloth", folder, folder]
array where[3] = [";method.damping=0", ";method.damping=0;method.damping_of=pair", ";method.damping=0;method.damping_of=ends"]

# Rows: number of the bar's colour, x, mean error in %, label.
set print $bars
do for [k = 1:3] {
    do for [s = 1:4] {
        run = pick(from[k]."/summary.tsv", of_spring(int(word(order, s)), where[k]), "run")
        error = run eq "" ? NaN : 100 * mean_of(reduced(from[k]."/".run.".tsv", "length_error", ""))
        print sprintf("%d %g %.9g \"%s\"", k, s + 0.27 * (k - 2), error, run eq "" ? "not run" : percent(error))
    }
}
unset print
set datafile separator whitespace
set datafile nocolumnheaders
set title "Hanging cloth: the paper's equations and the author's program"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set ylabel "mean |length / rest length - 1| / %"
set xrange [0.4:4.6]
set yrange [0:3.5]
unset grid
set grid ytics linecolor rgb "#dddddd" linetype 1 linewidth 0.6
set key at screen 0.54, screen 0.095 center center horizontal maxrows 2
set style textbox opaque noborder fillcolor rgb "white" margins 0.2, 0.2
set boxwidth 0.25
set style fill solid 0.9 noborder
set xtics ("" 0)
set for [s = 1:4] xtics add (spring_name[int(word(order, s))] s)
plot for [k = 1:3] $bars using ($1 == k ? $2 : NaN):3 with boxes linecolor rgb ink[k] title said[k], \
     $bars using 2:3:4 with labels boxed offset 0, 0.7 font ",9" textcolor rgb "#333333" notitle
