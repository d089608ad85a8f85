# va2022, sections 1 and 5: the mass-spring cloth under a strong push from below. Upper row: the step of figure 10,
# 0.005 s. Lower row: a step that is small enough for a stable motion.
# raster 1350 680
folder = here."/strong-push"
load folder."/context.gp"
load "figures/stage.inc"
heading = "Mass-spring cloth pushed from below"
row_count = 2
array folders[2] = [folder, folder]
array where[2] = ["time.step=0.005 s", "time.step=0.00025 s"]
array row_name[2] = ["Δt = 0.005 s, as in the paper", "Δt = 0.00025 s"]
array colour[2] = ["d0705b", "d0705b"]
array moments[8] = [0.005, 0.01, 0.015, 0.02, 0.04, 0.1, 0.2, 0.3]
do for [r = 1:2] {
    if (pick(folder."/summary.tsv", where[r], "run") eq "") {
        exit error sprintf("%s/summary.tsv: no run has %s, which this figure shows", folder, where[r])
    }
}
load "figures/va2022/moments.inc"
