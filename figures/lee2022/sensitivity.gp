# lee2022: the share of the set-ups that the paper allows in which a claim holds. Dots: likely set-ups, with the 95 %
# interval. Crosses: other possible set-ups. Circles: undecided, because there are too few set-ups or no search. Timed
# claims and counts have no share.
load here."/fall/context.gp"
load "figures/sensitivity.inc"
