# va2022, figure 10: the cloth under a strong push from below at a step of 0.005 s, by all three methods.
# The paper prints renderings, no values.
# raster 1350 970
load here."/adaptive-push/context.gp"
load "figures/stage.inc"
heading = "Strong push from below, Δt = 0.005 s"
row_count = 3
array folders[3] = [here."/adaptive-push", here."/constraint-push", here."/adaptive-push"]
array where[3] = ["method.name=mass_spring;time.step=0.005 s", "time.step=0.005 s", "method.name=adaptive_constraint;time.step=0.005 s"]
array row_name[3] = ["mass-spring", "constraint enforcement", "adaptive constraint"]
array colour[3] = ["d0705b", "5b8fd0", "5bb08a"]
array moments[4] = [0.02, 0.05, 0.15, 0.3]
load "figures/va2022/moments.inc"
