# cetinaslan2019, figure 8: the relative errors of the hanging cloth and of the hanging Bunny, without damping. The
# paper plots log(C / I.V.) and does not define I.V.; here it is the initial length or volume. The paper prints curves,
# no values.
load here."/hanging-cloth/context.gp"
heading = "Relative errors without damping (of the length or volume at rest)"
array panels[3] = [ \
    here."/hanging-cloth|;method.damping=0|length_error|cloth: edges (thin: the worst)|largest_strain", \
    here."/hanging-cloth|;method.damping=0|constraint_error|cloth: C of each spring", \
    here."/hanging-bunny|;method.damping=0|volume_error|Bunny: volume"]
load "figures/cetinaslan2019/errors.inc"
