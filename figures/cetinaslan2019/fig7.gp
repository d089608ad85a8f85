# cetinaslan2019, figure 7: the relative errors of the hanging cloth and of the hanging Bunny, with two dampings. The
# paper plots log(C / I.V.) and does not define I.V.; here it is the initial length or volume. The paper prints curves,
# no values.
load here."/hanging-cloth/context.gp"
heading = "Relative errors with damping (of the length or volume at rest)"
array panels[6] = [ \
    here."/hanging-cloth|;method.damping=0.3;method.damping_means=scaled|length_error|cloth, damping 0.3: edges (thin: the worst)|largest_strain", \
    here."/hanging-cloth|;method.damping=1;method.damping_means=scaled|length_error|cloth, damping 1: edges (thin: the worst)|largest_strain", \
    here."/hanging-cloth|;method.damping=0.3;method.damping_means=scaled|constraint_error|cloth, damping 0.3: C of each spring", \
    here."/hanging-cloth|;method.damping=1;method.damping_means=scaled|constraint_error|cloth, damping 1: C of each spring", \
    here."/hanging-bunny|;method.damping=0.3|volume_error|Bunny, damping 0.3: volume", \
    here."/hanging-bunny|;method.damping=1|volume_error|Bunny, damping 1: volume"]
load "figures/cetinaslan2019/errors.inc"
