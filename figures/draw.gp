# Draw one figure. Called by make as
#     gnuplot -c figures/draw.gp FORMAT RASTER OUT SCRIPT HERE SPRINGBACK
# so that none of these texts is read as a line of gnuplot's; style.gp says what they are.
format = ARG1; raster = ARG2; out = ARG3
here = ARG5; springback = ARG6
load "figures/style.gp"
load ARG4
