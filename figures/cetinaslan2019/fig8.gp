# cetinaslan2019, figure 8: the relative errors of the hanging cloth and of the hanging Bunny, without damping.
load here."/hanging-cloth/context.gp"
heading = "Relative errors without damping"
array panels[2] = [ \
    here."/hanging-cloth|;method.damping=0|length_error|cloth: lengths of edges", \
    here."/hanging-bunny|;method.damping=0|volume_error|Bunny: volume"]
load "figures/cetinaslan2019/errors.inc"
