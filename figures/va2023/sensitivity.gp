# va2023: in what share of the ranges of all that the paper leaves unsaid each claim holds, by `make sensitivity`.
# Experiments that are timed have no such share, and the bodies at rest none that could be other than all or nothing.
load here."/free-fall/context.gp"
swept_ones = "free-fall resolution stiffness stiffness-double pressing twisting twisting-surface inner-springs local ".\
    "as-printed step-size"
load "figures/sensitivity.inc"
