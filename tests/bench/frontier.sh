#!/usr/bin/env bash
# `make frontier`: for each method of experiments/va2022/frontier.yaml, find by bisection the largest square grid that
# runs in real time: its median frame has a rate of at least 30 frames per second. Each probe is a run of that file on
# another grid. The results of a probe are bit-identical on all machines, but the probed grids depend on the machine.
# Each probe becomes a line of the table FOUND, which figures/va2022/frontier.gp draws.
#
#   tests/bench/frontier.sh SPRINGBACK OUT TIER FOUND BACKEND...
#
# The first grid has FIRST nodes per side (default: 32), and no grid has more than LAST (default: 16384). The side is
# doubled until the grid is too slow or too large for the machine. Then the gap between the last fast side and the
# first slow one is halved until it is at most 1/16 of the side (tier full: 1/64). For the adaptive method, a grid
# counts as real time only if the median share of springs that are constraints is at least a tenth. Otherwise the median
# frame would have too few constraints.
set -euo pipefail
[ $# -ge 5 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
springback=$1 out=$2 tier=$3 found=$4
shift 4
experiment=experiments/va2022/frontier.yaml
first=${FIRST:-32} last=${LAST:-16384} rate=30 part=16
[ "$tier" != full ] || part=64
case $first$last in *[!0-9]*) echo "frontier.sh: FIRST='$first' and LAST='$last' must be whole numbers of nodes per side (example: FIRST=32)" >&2; exit 2;; esac
if [ "$first" -lt 4 ] || [ "$last" -lt "$first" ]; then
    echo "frontier.sh: FIRST is $first and LAST is $last; FIRST must be at least 4, and LAST at least FIRST" >&2
    exit 2
fi
mkdir -p "$out" "$(dirname "$found")"
lines=$(mktemp "$found.XXXXXX")
trap 'rm -f "$lines"' EXIT
printf 'method.name\tbackend_kind\tbackend\tdevice\tside\tnodes\tsprings\tframes_per_second\tframes_per_second_low\t' >"$lines"
printf 'frames_per_second_high\tsamples\tactive_share\tfew_active\tresidual\tis_real_time\n' >>"$lines"

# TABLE COLUMN: print the cell of this column in the last line of a table, or "-".
cell() {
    awk -F'\t' -v name="$2" 'NR == 1 {for (c = 1; c <= NF; ++c) if ($c == name) at = c} END {print at ? $at : "-"}' "$1"
}

# TABLE SPRINGS: print three cells from the table of a run: the median share of springs that are constraints; "yes" if
# this median is below a tenth, otherwise "no"; the largest residual. A cell is "-" if the run has no such number.
# Frame 0, the start, does not count.
series() {
    awk -F'\t' -v springs="$2" '
        NR == 1 {for (c = 1; c <= NF; ++c) {if ($c == "active_constraints") active = c; if ($c == "residual") residual = c}}
        NR > 2 {if (active) share[n++] = $active / springs; if (residual && $residual + 0 > worst) worst = $residual + 0}
        END {
            for (i = 1; i < n; ++i)
                for (k = i; k > 0 && share[k - 1] > share[k]; --k) {s = share[k]; share[k] = share[k - 1]; share[k - 1] = s}
            median = n ? share[int((n - 1) / 2)] : "-"
            printf "%s\t%s\t%s", median, n ? (median < 0.1 ? "yes" : "no") : "-", residual ? worst : "-"
        }' "$1"
}

# SIDE: whether a grid of SIDE nodes per side runs in real time. Writes the grid's line of FOUND.
probe() {
    local side=$1 folder=$out/$method table name springs kept fast
    rm -rf "$folder"
    if ! "$springback" run -q --force --tier "$tier" --out "$folder" -b "$backend" -k "method.name=$method" \
        -s "body.cloth.nodes=[$side, $side]" "$experiment"; then
        [ "$side" -gt "$first" ] || exit 2
        echo "  $method on $backend: $side x $side cannot be run" >&2
        return 1
    fi
    "$springback" export --format figure --out "$folder/tables" "$folder/va2022/frontier"
    table=$folder/tables/summary.tsv
    name=$(cell "$table" run) springs=$(cell "$table" springs)
    kept=$(series "$folder/tables/$name.tsv" "$springs")
    fast=$(awk -v r="$(cell "$table" frames_per_second)" -v few="$(cut -f2 <<<"$kept")" -v status="$(cell "$table" status)" \
        -v least=$rate 'BEGIN {print (status == "whole" && few != "yes" && r + 0 >= least) ? "yes" : "no"}')
    printf '%s\t' "$method" "$(cell "$table" backend_kind)" "$(cell "$table" backend)" "$(cell "$table" device)" "$side" \
        "$(cell "$table" nodes)" "$springs" "$(cell "$table" frames_per_second)" \
        "$(cell "$table" frames_per_second_low)" "$(cell "$table" frames_per_second_high)" \
        "$(cell "$table" samples)" "$kept" >>"$lines"
    printf '%s\n' "$fast" >>"$lines"
    printf '  %s on %s: %d x %d, %.4g frames/s%s\n' "$method" "$backend" "$side" "$side" \
        "$(cell "$table" frames_per_second)" \
        "$(awk -F'\t' '$1 != "-" {printf ", %.0f %% of the springs are constraints", 100 * $1}' <<<"$kept")"
    [ "$fast" = yes ]
}

methods=$(sed -n 's/^  - {name: \([a-z_]*\).*/\1/p' "$experiment")
for backend in "$@"; do
    for method in $methods; do
        low=0 high=$first
        while [ "$high" -le "$last" ] && probe "$high"; do
            low=$high
            high=$((2 * high))
        done
        [ "$low" -gt 0 ] && [ "$high" -le "$last" ] || continue
        while [ $((high - low)) -gt 1 ] && [ $(((high - low) * part)) -gt "$low" ]; do
            middle=$(((low + high) / 2))
            if probe "$middle"; then low=$middle; else high=$middle; fi
        done
    done
done
chmod 644 "$lines"
mv "$lines" "$found"
awk -F'\t' '
    NR == 1 {for (c = 1; c <= NF; ++c) at[$c] = c; next}
    {
        key = $at["method.name"] " on " $at["device"]
        if (!(key in seen)) {order[++n] = key; seen[key] = 1}
        if ($at["is_real_time"] == "yes" && $at["side"] + 0 > side[key]) {side[key] = $at["side"] + 0; line[key] = $0}
        if ($at["is_real_time"] == "no" && (!(key in over) || $at["side"] + 0 < over[key])) over[key] = $at["side"] + 0
    }
    END {
        for (k = 1; k <= n; ++k) {
            key = order[k]
            if (!side[key]) {print key ": none of the grids that were tried runs in real time"; continue}
            split(line[key], f, "\t")
            printf "%s: %d nodes, %d x %d, at %.4g frames/s", key, f[at["nodes"]], side[key], side[key], f[at["frames_per_second"]]
            if (f[at["residual"]] != "-") printf ", residual %.2g", f[at["residual"]]
            if (f[at["active_share"]] != "-") printf ", %.0f %% of the springs are constraints", 100 * f[at["active_share"]]
            if (key in over) printf "; %d x %d does not run in real time\n", over[key], over[key]
            else printf "; no larger grid was tried\n"
        }
    }' "$found"
