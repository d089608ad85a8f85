# va2023, figure 9: the five bodies in free fall at three moments, as mass-spring surfaces (red) and with the volume
# constraint (blue). The paper prints a picture, no values.
# raster 1350 1450
folder = here."/free-fall"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"
ways = 2
where(b, way) = of_body(b, way, "")
paint(way) = word(inks, way)
title = "Free fall on a plane: mass-spring (red) and volume constraint (blue)"
load "figures/va2023/falls.inc"
