# va2023, figure 8: the mean error of the volume over all frames of the free fall, by the paper's equations and by the
# authors' programs. The paper prints no number.
folder = here."/program-fall"
table = folder."/summary.tsv"
load folder."/context.gp"
meshes = "sphere_642 torus_2304 bunny_closed_2990 armadillo_6362 dragon_closed_5203"
groups = "Sphere Torus Bunny Armadillo Dragon"
where(g) = sprintf("body.mesh=%s;", word(meshes, g))
series = "volume_error"
measured(words) = mean_of(words)
printed_count = 0
set title "Free fall: the paper's equations, and the authors' programs"
set ylabel "mean error of the volume / %"
lowest = 1e-7
load "figures/va2023/program-bars.inc"
