#!/usr/bin/env bash
# `make bench TARGETS=1`: measure each row of targets.tsv, and print its result, target and floor. A floor is the best
# result that the hardware allows; the last column of targets.tsv says how the floor was measured. Exit code 1 if a row
# does not reach a target that its floor allows.
#
#   tests/bench/targets.sh SPRINGBACK OUT RESULTS [ROW...]
#
# OUT is a folder for runs. RESULTS is the folder with the results of `make reproduce` in this repository; only the rows
# `check`, `report` and `up-to-date` need RESULTS. Rows that need a GPU are not measured without a GPU.
set -euo pipefail
[ $# -ge 3 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
springback=$1 out=$2 results=$3
shift 3
here=$(dirname "$0")
has_gpu=no
! "$springback" devices 2>/dev/null | grep -q '(GPU)' || has_gpu=yes
mkdir -p "$out"

# FILE OPTION...: run an experiment again, and print a line for each run, with these columns: backend, springs, steps
# per frame, seconds of a frame, iterations, bytes of memory.
columns() {
    local file=$1 name
    shift
    name=$(basename "$file" .yaml)
    rm -rf "$out/runs"
    "$springback" run -q --force --tier full --out "$out/runs" "$@" "$file" >&2
    "$springback" export --format figure --out "$out/tables" "$out"/runs/*/"$name" >/dev/null
    awk -F'\t' -v OFS='\t' '
        function cell(name) { return name in at ? $at[name] : "nan" } # mass_spring has no iterations
        NR == 1 { for (c = 1; c <= NF; ++c) at[$c] = c; next }
        { print cell("backend"), cell("springs"), cell("steps_per_frame"), cell("frame_seconds"), \
            cell("method.iterations"), cell("peak_memory") }
    ' "$out/tables/summary.tsv"
}
# COMMAND...: the seconds that a command takes. The command may exit with 1, because a verdict on this machine may not
# be the recorded one.
seconds() {
    local begin=$EPOCHREALTIME
    "$@" >"$out/said" 2>&1 || [ $? = 1 ] || {
        echo "targets.sh: '$*' failed; see $out/said. The rows 'check', 'report' and 'up-to-date' need all results of 'make reproduce'" >&2
        exit 2
    }
    awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }'
}
timed_run() { # KEY=VALUE: the seconds of a run of measuring.yaml
    seconds "$springback" run -q --force --tier full --out "$out/measuring" -k "$1" "$here/measuring.yaml"
}
cloth() { # COLUMNS ROWS: print the duration of a time step of this cloth, in microseconds
    columns "$here/cloth.yaml" -b opencl:gpu -k "nodes=$1x$2" | awk -F'\t' '{ print 1e6 * $4 / $3 }'
}
measure() {
    case $1 in
    cloth-large) cloth 2048 2560 ;;
    cloth-middle) cloth 1024 1024 ;;
    cloth-small) cloth 256 256 ;;
    xpbd-million) columns "$here/xpbd.yaml" -b opencl:gpu | awk -F'\t' '{ print $2 * $3 * $5 / $4 / 1e9 }' ;;
    adaptive-large)
        columns experiments/va2022/frontier.yaml -b opencl:gpu -k method.name=adaptive_constraint \
            -s 'body.cloth.nodes=[2048, 2048]' -s time.repeats=2 | awk -F'\t' '{ print 1 / $4 }' ;;
    full-tier) TIER=full SPRINGBACK=$springback "$here/full.sh" "$out/full" opencl:gpu "$(nproc)" | sed -n 's/^total: \([0-9]*\) s.*/\1/p' ;;
    second-thread)
        columns experiments/cetinaslan2019/speed.yaml -k body.mesh=cloth_4880 -k iterations=200 -k spring=stretching \
            -b threads:1 -b threads:2 | awk -F'\t' '{ s[$1] = $4 } END { print s["threads:1"] / s["threads:2"] }' ;;
    measuring) # the run that measures each frame, compared with the run that measures only the last frame
        local each last
        each=$(timed_run every=1)
        last=$(timed_run every=20)
        awk -v a="$each" -v b="$last" 'BEGIN { print 100 * (a - b) / a }' ;;
    memory) columns "$here/measuring.yaml" -k every=1 | awk -F'\t' '{ print $6 / 1e9 }' ;;
    reproduce)
        rm -rf "$out/clone"
        git clone -q . "$out/clone"
        seconds env -u MAKEFLAGS -u OUT make -C "$out/clone" reproduce ;;
    check) seconds "$springback" check --experiments experiments --out "$results" ;;
    report) seconds "$springback" report --experiments experiments --out "$results" ;;
    up-to-date) seconds "$springback" run --resume --tier quick --out "$results" experiments/*/*.yaml ;;
    *) echo "targets.sh: there is no row $1 in targets.tsv" >&2; exit 2 ;;
    esac
}

short=0
printf '%-15s %10s %10s %10s %-9s %s\n' row result target floor unit what
while IFS=$'\t' read -r row what unit better target needs floor why; do
    [ "$row" != row ] || continue
    [ $# = 0 ] || [[ " $* " = *" $row "* ]] || continue
    result=-
    if [ "$needs" != gpu ] || [ $has_gpu = yes ]; then result=$(measure "$row"); fi
    note=$(awk -v r="$result" -v t="$target" -v f="$floor" -v better="$better" 'BEGIN {
        sign = better == "lower" ? 1 : -1
        is_beyond = f != "-" && sign * f > sign * t
        print (r == "-" ? "not measured, because there is no GPU" : sign * r <= sign * t ? "reached" : \
            is_beyond ? "not reached, because the hardware does not allow it" : "not reached") }')
    [ "$note" != "not reached" ] || short=1
    printf '%-15s %10.5s %10s %10s %-9s %s: %s%s\n' "$row" "$result" "$target" "$floor" "$unit" "$what" "$note" "${why:+ ($why)}"
done <"$here/targets.tsv"
exit $short
