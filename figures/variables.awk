# Tables of variables (context.gp, reported.gp) hold lines NAME = VALUE and nothing else: gnuplot loads them, and would run
# any other line that somebody had put there.
!/^[A-Za-z_][A-Za-z0-9_]* = ("([^"\\`]|\\0[0-7][0-7][0-7])*"|-?[0-9.]+(e[-+]?[0-9]+)?|-?nan|NaN|-?inf)( # [^\\`]*)?$/ {
    print FILENAME ":" FNR ": not a line NAME = NUMBER or NAME = \"TEXT\"; remove the file, and make writes it" >"/dev/stderr"
    exit bad = 2
}
END { exit bad }
