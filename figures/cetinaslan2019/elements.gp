# cetinaslan2019, section 7 on figure 4: the motion of Bob made of springs, and of Bob made of tetrahedral elements. The
# figure shows the speed of the nodes relative to their centre of mass (root mean square), the volume error and the
# shape error.
load here."/bob-elements/context.gp"
load "figures/cetinaslan2019/springs.inc"
load "figures/cetinaslan2019/elements.inc"

array folders[2] = [here."/bob-elements", here."/bob-elements-convex"]
array meant[2] = ["on a sphere", "on convex bodies"]
array axis[3] = ["speed / (m/s)", "volume error / %", "shape error / %"]
array spacing[3] = [1, 4, 2]
file_of(e, b) = pick(folders[e]."/summary.tsv", body_where[b], "run")
table_of(e, b) = file_of(e, b) eq "" ? "< echo frame" : folders[e]."/".file_of(e, b).".tsv"
mass_of(e, b) = number(pick(folders[e]."/summary.tsv", body_where[b], "nodes")) * \
                number(pick(folders[e]."/summary.tsv", body_where[b], "body.node_mass"))
# The mean square of the speed relative to the centre of mass is 2 K / M - |P|^2 / M^2, by Koenig's theorem. K: kinetic
# energy, P: momentum, M: mass. Rounding may make the result negative; then off(x) is 0.
off(x) = x > 0 ? sqrt(x) : 0
inner(m) = off(2 * column("kinetic_energy/J") / m - (column("momentum_x/kg m/s") ** 2 + column("momentum_y/kg m/s") ** 2 + \
                                                     column("momentum_z/kg m/s") ** 2) / m ** 2)
level_of(q, m) = q == 1 ? inner(m) : 100 * column(q == 2 ? "volume_error" : "shape_error")

set multiplot
set label 1 footnote(footer) at screen 0.01, screen 0.025
set label 2 "Bob falls: springs, and tetrahedral elements" at screen 0.5, screen 0.955 center font ",17"
set style data linespoints
do for [q = 1:3] {
    do for [e = 1:2] {
        array mass[3]
        do for [b = 1:3] { mass[b] = mass_of(e, b) }
        set lmargin at screen (e == 1 ? 0.1 : 0.57); set rmargin at screen (e == 1 ? 0.5 : 0.97)
        set tmargin at screen 0.89 - 0.235 * (q - 1); set bmargin at screen 0.89 - 0.235 * (q - 1) - 0.2
        set ylabel (e == 1 ? axis[q] : "") offset 0.5 font ",12"
        set xrange [0:lasting(folders[e]."/summary.tsv")]; set yrange [0:*]
        set tics font ",12"; set ytics 0, spacing[q] * (q == 3 && e == 2 ? 2 : 1)
        set xlabel (q == 3 ? "time / s" : "") offset 0, 0.4 font ",12"
        set format x (q == 3 ? "%g" : "")
        set label 3 (q == 1 ? meant[e] : "") at graph 0.02, graph 0.88 left font ",13"
        set label 4 (file_of(e, 1).file_of(e, 2).file_of(e, 3) eq "" ? "not run" : "") at graph 0.5, graph 0.5 center \
            textcolor rgb alarm font ",12"
        if (q == 3 && e == 2) { set key at screen 0.53, screen 0.09 center center horizontal maxrows 2 width -4 font ",12" } else { unset key }
        plot for [b = 1:3] table_of(e, b) every (q == 3 ? 4 : 1) using (column(2)):(level_of(q, mass[b])) \
                 linewidth 2 dashtype b pointtype mark(b) pointsize 0.6 pointinterval gap(b, q == 3 ? 1 : 6) \
                 linecolor rgb body_ink(b) notitle, \
             for [b = 1:3] keyentry with linespoints linewidth 2 dashtype b pointtype mark(b) linecolor rgb body_ink(b) \
                 title (b == 1 ? "Morse and volume" : b == 2 ? "StVK elements" : "Neo-Hookean elements"), \
             NaN notitle
        unset label
    }
}
unset multiplot
