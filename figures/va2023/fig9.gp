# va2023, figure 9: the five bodies in free fall at three times, as mass-spring surfaces (red) and with the volume
# constraint (blue). The paper prints pictures, no values.
# raster 1350 1450
folder = here."/free-fall"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"
method_count = 2
where(b, m) = of_body(b, m, "")
colour_of(m) = word(inks, m)
title = "Free fall on a plane: mass-spring (red) and volume constraint (blue)"
load "figures/va2023/falls.inc"
