# lee2022, figure 8: frames per second of the Armadillo, with tetrahedra and with inner links, at the 15 instants of the
# paper's protocol. Our copy of the paper lacks the curves of figure 8. This script also draws the means that the
# paper's text gives for another machine.
folder = here."/protocol"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
load "figures/lee2022/bodies.inc"

mesh = "armadillo_6362"
title_text = "Armadillo: frames per second, tetrahedra and inner links"
array method[2] = [tets, links]
array colour[2] = [black, blue]
array model[2] = ["tetrahedra", "inner links"]
array printed[2] = [value_of("lee2022_fps_armadillo_tetrahedra"), value_of("lee2022_fps_armadillo_links")]
load "figures/lee2022/rates.inc"
