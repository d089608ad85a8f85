# va2023, figure 8: the mean volume error of each body over the frames of the free fall on a plane. The paper prints
# bars without their values.
table = here."/free-fall/summary.tsv"
load here."/free-fall/context.gp"
load here."/reported.gp"
load "figures/va2023/bodies.inc"

set title "Free fall on a plane: the mean error of the volume over all frames"
set ylabel "volume error |V - V_0| / V_0 / %"
series = "volume_error"
what(words) = mean_of(words)
paper_mean(m) = NaN # the paper shows the mean only in an image, which our copy of the paper lacks
load "figures/va2023/loss-bars.inc"
