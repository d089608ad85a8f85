# va2023, figure 9: the five bodies in free fall at three times, as mass-spring surfaces (red), with the volume
# constraint by the paper's equations (light blue), and with the constraint of the authors' programs (blue).
# raster 1350 2050
folder = here."/program-fall"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/va2023/bodies.inc"
meshes = "sphere_642 torus_2304 bunny_closed_2990 armadillo_6362 dragon_closed_5203"
method_count = 3
conditions = "method.name=mass_spring method.volume_correction=1 method.volume_correction=0"
where(b, m) = sprintf("body.mesh=%s;%s", word(meshes, b), word(conditions, m))
colour_of(m) = word("c0392b 9ecae1 2f6db5", m)
title = "Free fall: mass-spring (red), equations (light blue), authors' programs (blue)"
load "figures/va2023/falls.inc"
