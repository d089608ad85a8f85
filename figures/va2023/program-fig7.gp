# va2023, figure 7: the largest loss of volume in free fall with the volume constraint: printed, by the paper's
# equations, and by the authors' programs. The programs do not correct the volume error, and they lift nodes by 1 mm at
# contacts.
folder = here."/program-fall"
table = folder."/summary.tsv"
load folder."/context.gp"
load here."/reported.gp"
meshes = "sphere_642 torus_2304 bunny_closed_2990 armadillo_6362 dragon_closed_5203"
groups = "Sphere Torus Bunny Armadillo Dragon"
where(g) = sprintf("body.mesh=%s;", word(meshes, g))
series = "volume_loss"
measured(words) = largest_of(words)
printed_count = 1
array printed[1] = [value_of("va2023_free_fall_vpc_mean_max_loss")]
printed_says = "printed mean: %g %%"
set title "Free fall: the paper, its equations, and the authors' programs"
set ylabel "largest loss of volume / %"
lowest = 1e-6
load "figures/va2023/program-bars.inc"
