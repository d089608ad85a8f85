# va2023, figure 11: the largest change of volume of a cube that is twisted at its top: printed, by the paper's
# equations, and by the authors' programs. Neither the paper nor a program states a torque, so each group of bars has
# another torque. The printed values are losses.
folder = here."/program-twisting"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
torques = "6250 18750 62500"
groups = "'6,250 N m' '18,750 N m' '62,500 N m'"
where(g) = sprintf("scene.twist.torque=%s N m;", word(torques, g))
series = "volume_error"
measured(words) = largest_of(words)
printed_count = 2
array printed[2] = [value_of("va2023_twisting_msm"), value_of("va2023_twisting_vpc")]
printed_says = "printed: %g %%"
set title "A twisted cube: the paper, its equations, and the authors' programs"
set ylabel "largest change of volume / %"
lowest = 1e-8
load "figures/va2023/program-bars.inc"
