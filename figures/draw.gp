# Draws one figure. make calls it as
#     gnuplot -c figures/draw.gp FORMAT RASTER OUT SCRIPT HERE SPRINGBACK
# gnuplot does not run these arguments as commands. SCRIPT is the figure's script; style.gp documents the other
# arguments.
format = ARG1; raster = ARG2; out = ARG3
here = ARG5; springback = ARG6
load "figures/style.gp"
# named_in_script: the experiments whose tables the script names. If none of them has a run, the figure has a message
# instead of empty axes.
named_in_script = system(sprintf("grep -Eo 'here[.]\"/[A-Za-z0-9_-]+(\"|[|]|/summary)' %s | tr -d '\"|' | cut -d/ -f2 | sort -u | tr '\\n' ' '", \
    quoted(ARG4)))
have_run = system(sprintf("cd %s && for name in %s; do sed 1d $name/summary.tsv; done 2>/dev/null | head -n 1", quoted(here), named_in_script))
if (named_in_script eq "" || have_run ne "") {
    load ARG4
} else {
    unset border; unset tics; unset key; unset grid
    set label 1 "not run here: ".named_in_script at screen 0.5, screen 0.5 center textcolor rgb alarm font ",14" noenhanced
    plot [0:1] [0:1] 2 notitle
}
