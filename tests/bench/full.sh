#!/usr/bin/env bash
# On a machine with a GPU: run and time all papers in the tier full. Prints when each experiment starts, and the total
# duration; judges all claims, and writes the state hash of each run to OUT/hashes.tsv, for comparison with another
# machine. An interrupted call resumes.
#
#   tests/bench/full.sh OUT [BACKEND [JOBS]]
#
# Environment variables: EXPERIMENTS (files; default: all), TIER (default: full), SPRINGBACK (a program that is already
# built; default: build it), and those of tests/bench/device.sh.
set -euo pipefail
out=${1:?usage: tests/bench/full.sh OUT [BACKEND [JOBS]]}
backend=${2:-opencl:gpu} jobs=${3:-12}
cd "$(dirname "$0")/../.."
if [ -n "${SPRINGBACK:-}" ]; then
    springback=$SPRINGBACK
else
    # shellcheck source=tests/bench/device_build.sh
    . tests/bench/device_build.sh
fi
# shellcheck disable=SC2206 # EXPERIMENTS has several files, or a pattern
experiments=(${EXPERIMENTS:-experiments/*/*.yaml})
mkdir -p "$out"
begin=$EPOCHREALTIME
since() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.0f", b - a }'; }

echo "== ${#experiments[@]} experiments on $backend, $jobs at a time"
make -s -k -j"$jobs" -f Makefile.experiments run TIER="${TIER:-full}" BACKENDS="$backend" SPRINGBACK="$springback" \
    OUT="$out" EXPERIMENTS="${experiments[*]}" 2>&1 |
    while IFS= read -r line; do printf '%4d s %s\n' "$(since "$begin")" "$line"; done >"$out/full.log" || true
grep -E '^ *[0-9]+ s [^ ]' "$out/full.log" || true
echo "total: $(since "$begin") s; see $out/full.log"

echo "== verdicts"
judged=$EPOCHREALTIME
for claims in paper_checks/*.yaml; do
    "$springback" check --experiments experiments --json --out "$out" "$claims" >"$out/$(basename "$claims" .yaml).json" \
        2>"$out/$(basename "$claims" .yaml).err" &
done
wait
echo "judged in $(since "$judged") s; claims whose experiments have results and whose verdicts are not the recorded ones:"
jq -r 'select(.changed) | "  \(.id): \(.verdict), recorded \(.recorded)\(if .timed then " (timed)" else "" end)"' \
    "$out"/*.json 2>/dev/null || grep -h '"changed":true' "$out"/*.json | cut -c 1-160 || true

echo "== hashes"
names=()
for file in "${experiments[@]}"; do
    name=${file#experiments/} name=${name%.yaml}
    [ ! -e "$out/$name/runs.tsv" ] || names+=("$name")
done
printf '%s\n' "${names[@]}" |
    xargs -P "$(nproc)" -I NAME "$springback" export --format figure --out "$out/tables/NAME" "$out/NAME" >/dev/null
for name in "${names[@]}"; do
    awk -F '\t' -v OFS='\t' -v experiment="$name" '
        FNR == 1 { for (c = 1; c <= NF; ++c) at[$c] = c; next }
        { print experiment, $at["id"], $at["status"], $at["frames"], $at["seconds"], $at["state_hash"] }
    ' "$out/tables/$name/summary.tsv"
done >"$out/hashes.tsv"
wc -l <"$out/hashes.tsv" | awk '{ print $1 " runs" }'
