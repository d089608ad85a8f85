# va2022, sections 1 and 5: which stiffness is stable at which time step.
table = here."/step-limit/summary.tsv"
load here."/step-limit/context.gp"

set title "Mass-spring cloth: stable stiffness over the time step"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set logscale xy
set format y powers
set xlabel "time step / s" offset 0, 0.4
set ylabel "stiffness / (N/m)"
set xrange [0.00015:0.008]
set yrange [0.05:10000]
set xtics (0.0002, 0.0005, 0.001, 0.002, 0.005)
set key at screen 0.55, screen 0.075 center center horizontal width -4
set bmargin 8

# Symplectic Euler is stable up to a step of 2 / (highest angular frequency). The square of this frequency is about
# 12 k / m for a grid with all three types of spring. k: stiffness, m: mass of a node.
mass = real(look_up(table, "outcome", "whole", "outcome", "whole", "body.node_mass"))
limit(step) = 4 * mass / (12 * step * step)
stiffness_of(status) = strcol("status") eq status ? real(strcol("method.stiffness")) : NaN

plot table using (real(strcol("time.step"))):(stiffness_of("whole")) \
        with points pointtype 7 linecolor rgb opencl title "stable", \
     "" using (real(strcol("time.step"))):(stiffness_of("diverged")) \
        with points pointtype 2 linewidth 2 linecolor rgb alarm title "blew up", \
     limit(x) with lines linecolor rgb paper dashtype 2 title "stability limit, 4 m / (12 Δt^2)"
