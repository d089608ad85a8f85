# cetinaslan2019: in what share of the set-ups that the paper allows each claim holds. Dots: likely set-ups, with the 95 % interval;
# crosses: other possible ones; circles: undecided, for too few set-ups or want of a search. Timed claims and counts have
# no share.
load here."/hanging-cloth/context.gp"
load "figures/sensitivity.inc"
