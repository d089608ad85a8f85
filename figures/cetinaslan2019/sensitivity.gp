# cetinaslan2019: in what share of the ranges of all that the paper leaves unsaid each claim holds, by `make sensitivity`.
# Experiments that are timed have no such share.
load here."/hanging-cloth/context.gp"
swept_ones = "hanging-cloth flag decay cloth-on-sphere alpha-damps hanging-bunny bob bob-convex bob-elements ".\
    "bob-elements-convex iterations large-steps momentum grouping unmodified-morse"
load "figures/sensitivity.inc"
