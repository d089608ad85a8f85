#!/usr/bin/env bash
# For each method, the cheapest run with an error below a limit, as the table of docs/which-method.md.
#
#   figures/springback/table.sh POINTS BACKEND
#
# POINTS is the output of figures/springback/points.sh for work-precision-cloth; BACKEND is serial, threads or opencl.
set -euo pipefail
points=${1:?usage: figures/springback/table.sh POINTS BACKEND} backend=${2:?BACKEND is missing}
least() { # METHOD LEVEL NODES: "4.8 ms (step 0.5 ms)", or a dash
    awk -F'\t' -v method="$1" -v level="$2" -v kind="$backend" -f figures/springback/least.awk "$points" |
        awk -v nodes="$3" '
            function milliseconds(s) { return s < 0.9995 ? sprintf("%.3g ms", 1000 * s) : sprintf("%.3g s", s) }
            $1 == nodes {
                found = milliseconds($2) " (step " milliseconds($4) ($3 == "-" ? "" : ", " $3 " iteration" ($3 == 1 ? "" : "s")) ")"
            }
            END { print found == "" ? "-" : found }'
}
echo '| error below | nodes | mass-spring | XPBD | VBD |'
echo '| --- | --- | --- | --- | --- |'
for level in 0.03 0.003 0.0003; do
    for side in 16 32 64; do
        printf '| %s %% | %d x %d |' "$(awk "BEGIN { printf \"%g\", 100 * $level }")" "$side" "$side"
        for method in mass_spring xpbd vbd; do
            printf ' %s |' "$(least "$method" "$level" $((side * side)))"
        done
        echo
    done
done
