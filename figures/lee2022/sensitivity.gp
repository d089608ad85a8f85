# lee2022: the share of the set-ups in which each claim is true. Filled marks: likely set-ups, with the 95 % interval.
# Crosses: possible set-ups. Open circles: likely set-ups of a claim that is not swept, because there are too few
# set-ups or no search. Timed claims and counts have no share.
load here."/fall/context.gp"
load "figures/sensitivity.inc"
