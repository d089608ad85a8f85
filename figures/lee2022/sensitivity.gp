# lee2022: in what share of the ranges of all that the paper leaves unsaid each claim holds, by `make sensitivity`.
# Experiments that are timed have no such share.
load here."/fall/context.gp"
swept_ones = "fall press fall-dragon fall-columns soft-to-rigid readings solvers step-size surface-stiffness fitted"
load "figures/sensitivity.inc"
