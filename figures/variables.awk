# Checks tables of variables (context.gp, reported.gp), in which each line must be NAME = VALUE. gnuplot loads these
# files, and would execute any other line.
!/^[A-Za-z_][A-Za-z0-9_]* = ("([^"\\`]|\\0[0-7][0-7][0-7])*"|-?[0-9.]+(e[-+]?[0-9]+)?|-?nan|NaN|-?inf)( # [^\\`]*)?$/ {
    print FILENAME ":" FNR ": expected NAME = NUMBER or NAME = \"TEXT\"; remove the file and run make again" >"/dev/stderr"
    exit bad = 2
}
END { exit bad }
