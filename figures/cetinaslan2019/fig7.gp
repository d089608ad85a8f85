# cetinaslan2019, figure 7: the relative errors of the hanging cloth and of the hanging Bunny, with two dampings.
load here."/hanging-cloth/context.gp"
heading = "Relative errors with damping"
array panels[4] = [ \
    here."/hanging-cloth|;method.damping=0.3;method.damping_means=scaled|length_error|cloth, damping 0.3: lengths of edges", \
    here."/hanging-cloth|;method.damping=1;method.damping_means=scaled|length_error|cloth, damping 1: lengths of edges", \
    here."/hanging-bunny|;method.damping=0.3|volume_error|Bunny, damping 0.3: volume", \
    here."/hanging-bunny|;method.damping=1|volume_error|Bunny, damping 1: volume"]
load "figures/cetinaslan2019/errors.inc"
