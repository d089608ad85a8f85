# The methods that the papers recommend, compared with other methods at equal error: the error in a scene of each paper
# against the cost of a frame. Each curve is one method or kind of spring with different numbers of iterations, or
# different steps.
load here."/worth-links/context.gp"
array folder[4] = ["worth-volume", "worth-links", "worth-morse", "worth-adaptive"]
tables = here."/worth-volume/summary.tsv ".here."/worth-links/summary.tsv ".here."/worth-morse/summary.tsv ".here."/worth-adaptive/summary.tsv"
array panel[4] = ["va2023: volume in a fall", "lee2022: shape in a fall", "cetinaslan2019: a hanging cloth", "va2022: a strong push"]
array measured[4] = ["volume_loss_max", "shape_error_max", "length_error_last", "largest_strain_max"]
array label_of[4] = ["loss of volume", "largest shape error", "mean stretch", "largest stretch"]
array key_of[4] = ["method.name", "method.name", "method.spring", "method.name"]
array words_of[4] = ["mass_spring volume_constraint", "pbd_strain_tets:gauss_seidel pbd_inner_links:gauss_seidel pbd_surface:gauss_seidel pbd_inner_links:jacobi", "stretching hookean morse", "constraint_enforcement adaptive_1 adaptive_100"]
array names_of[4] = ["springs|volume_constraint", "tetrahedra|inner_links|surface_alone|inner_links,_Jacobi", "stretching|Hooke|Morse", "constraint_enforcement|adaptive,_1 N/m|adaptive,_100 N/m"]
hue(k) = word("#6a6a6a #2171b5 #d94801 #8e44ad", k)
# The name of a row's curve: the kind of spring, or the method with its solver or stiffness.
kind_of(p) = key_of[p] eq "method.spring" ? strcol("method.spring") : p == 2 ? strcol("method.name").":".strcol("method.solver") : \
    strcol("method.name") eq "adaptive_constraint" ? sprintf("adaptive_%g", number(strcol("method.stiffness"))) : strcol("method.name")
name_of(p, k) = system(sprintf("echo '%s' | cut -d'|' -f%d | tr _ ' '", names_of[p], k))
set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.02
set label 2 "Are the papers' methods worth their cost?" at screen 0.5, screen 0.97 center font ",17"
set tics font ",11"
set xlabel font ",12"
set ylabel font ",12"
set logscale xy
set format x powers
set format y powers
do for [p = 1:4] {
    column_of = (p - 1) % 2; row_of = (p - 1) / 2
    set lmargin at screen 0.11 + 0.49 * column_of; set rmargin at screen 0.475 + 0.49 * column_of
    set tmargin at screen 0.89 - 0.43 * row_of; set bmargin at screen 0.58 - 0.43 * row_of
    set label 3 panel[p] at graph 0.5, graph 1.06 center font ",13"
    set ylabel label_of[p] offset 1, 0
    set xlabel (row_of == 1 ? "seconds per frame" : "") offset 0, 0.5
    if (p == 1) { set key right center font ",11" } else { if (p == 2) { set key left bottom font ",10" } else { set key right top font ",10" } }
    if (p == 1) { set yrange [1e-7:10] } else { if (p == 4) { set yrange [0.1:1e4] } else { set yrange [*:*] } }
    plot for [k = 1:words(words_of[p])] here."/".folder[p]."/summary.tsv" using \
            (strcol("backend_kind") eq "threads" && kind_of(p) eq word(words_of[p], k) ? column("frame_seconds") : NaN):(column(measured[p])) \
            with linespoints linewidth 2 pointtype mark(k) linecolor rgb hue(k) title name_of(p, k)
    unset label 1; unset label 2; unset label 3
}
unset multiplot
