# lee2022, figure 10: frames a second of the Dragon, surface alone and inner links, at the 15 instants of the paper's
# protocol. The curves of the print are lost; its text gives no frames a second of the Dragon.
folder = here."/protocol"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
load "figures/lee2022/bodies.inc"

mesh = "dragon_holed_2998"
title_text = "Dragon: frames a second, surface alone and inner links"
array method[2] = [bare, links]
array colour[2] = [black, purple]
array model[2] = ["surface alone", "inner links"]
array printed[2] = [NaN, NaN]
load "figures/lee2022/rates.inc"
