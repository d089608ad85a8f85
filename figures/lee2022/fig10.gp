# lee2022, figure 10: frames per second of the Dragon, as a surface alone and with inner links, at the 15 instants of
# the paper's protocol. Our copy of the paper lacks the curves of this figure, and the paper's text gives no frame rates
# of the Dragon.
folder = here."/protocol"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
load "figures/lee2022/bodies.inc"

mesh = "dragon_holed_2998"
title_text = "Dragon: frames per second, surface alone and inner links"
array method[2] = [bare, links]
array colour[2] = [black, purple]
array model[2] = ["surface alone", "inner links"]
array printed[2] = [NaN, NaN]
load "figures/lee2022/rates.inc"
