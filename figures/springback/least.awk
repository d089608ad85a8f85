# Reads the table of points.sh. Prints for each body the cheapest point of a method on a backend (-v method=...,
# kind=...) whose error is at most -v level=...: nodes, cost, iterations, step. Bodies are in the order of the table; a
# body without such a point has no line. If a run is repeated with starting positions that are rounded differently, the
# errors of all repeats must be at most `level`.
$3 == method && $5 == kind && $7 ~ /^[0-9]/ {
    run = $1 "\t" $4 "\t" $6
    if (!($1 in seen)) {
        seen[$1] = 1
        order[++bodies] = $1
    }
    if (!(run in worst) || $8 + 0 > worst[run])
        worst[run] = $8 ~ /^[0-9]/ ? $8 + 0 : 1e30
    if ($2 == 0)
        cost[run] = $7 + 0
}
END {
    for (b = 1; b <= bodies; ++b) {
        best = ""
        for (run in worst) {
            split(run, part, "\t")
            if (part[1] == order[b] && worst[run] <= level + 0 && run in cost && (best == "" || cost[run] < cost[best]))
                best = run
        }
        if (best == "")
            continue
        split(best, part, "\t")
        nodes = split(part[1], side, " ") == 2 ? side[1] * side[2] : part[1]
        printf "%s %.4g %s %s\n", nodes, cost[best], part[2], part[3]
    }
}
