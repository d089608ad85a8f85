# va2022, figure 11: the cloth under a strong push at larger steps: constraint enforcement at 0.02 s, the adaptive
# method at 0.02 s and at 0.01 s. The paper prints renderings, no values.
# raster 1350 970
load here."/adaptive-push/context.gp"
load "figures/stage.inc"
heading = "Strong push from below at larger steps"
row_count = 3
array folders[3] = [here."/constraint-push", here."/adaptive-push", here."/adaptive-push"]
array where[3] = ["time.step=0.02 s", "method.name=adaptive_constraint;time.step=0.02 s", "method.name=adaptive_constraint;time.step=0.01 s"]
array row_name[3] = ["constraint enforcement, Δt = 0.02 s", "adaptive constraint, Δt = 0.02 s", "adaptive constraint, Δt = 0.01 s"]
array colour[3] = ["5b8fd0", "5bb08a", "5bb08a"]
array moments[4] = [0.02, 0.06, 0.16, 0.3]
load "figures/va2022/moments.inc"
