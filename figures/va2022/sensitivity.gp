# va2022: in what share of the ranges of all that the paper leaves unsaid each claim holds, by `make sensitivity`.
# Experiments that are timed have no such share.
load here."/strong-push/context.gp"
swept_ones = "strong-push step-limit constraint-push adaptive-push iterations iterations-needed"
load "figures/sensitivity.inc"
