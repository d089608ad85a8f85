# va2023, figure 7: the largest loss of volume of each body in free fall on a plane.
table = here."/free-fall/summary.tsv"
load here."/free-fall/context.gp"
load here."/reported.gp"
load "figures/va2023/bodies.inc"

set title "Free fall on a plane: the largest loss of volume"
set ylabel "volume loss / %"
series = "volume_loss"
what(words) = largest_of(words)
paper_mean(m) = m == 1 ? value_of("va2023_free_fall_msm_mean_max_loss") : value_of("va2023_free_fall_vpc_mean_max_loss")
load "figures/va2023/loss-bars.inc"
