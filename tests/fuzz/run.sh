#!/usr/bin/env bash
# The fuzz targets, all at once, for so many seconds: from the seeds beside this file and files of the repository, into
# a corpus that is thrown away. A finding is kept in BUILD/findings, and fails. With a SEED the inputs are the same each
# time, as far as the time takes them.
#
#   tests/fuzz/run.sh BUILD SECONDS [SEED]
set -euo pipefail
build=$(realpath "${1:?usage: tests/fuzz/run.sh BUILD SECONDS [SEED]}")
seconds=${2:?usage: tests/fuzz/run.sh BUILD SECONDS [SEED]}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "SECONDS=$seconds is no whole number of seconds; 60 would be" >&2; exit 2; }
seed=${3:-0} # libFuzzer's 0: another each time
[[ $seed =~ ^[0-9]+$ ]] || { echo "SEED=$seed is no whole number; 1 would be" >&2; exit 2; }
cd "$(dirname "$0")/../.."
targets=(tests/fuzz/fuzz_*.c)
targets=("${targets[@]#tests/fuzz/fuzz_}")
targets=("${targets[@]%.c}")
declare -A options=( # further seeds, and what libFuzzer should know
    [description]="experiments -dict=$build/description.dict"
    [claims]="paper_checks -dict=$build/claims.dict"
    [trace]="-max_len=121" # twelve edits
)
findings=$build/findings
rm -rf "$findings"
mkdir -p "$findings"
"$build/words" >"$build/description.dict"
"$build/words" paper_checks/*.yaml tests/fuzz/seeds/claims/*.yaml >"$build/claims.dict"
memory=$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}") # traces are written all the time
export TMPDIR
TMPDIR=$(mktemp -d -p "$memory")
trap 'rm -rf "$TMPDIR"' EXIT

declare -A running
for target in "${targets[@]}"; do
    mkdir "$TMPDIR/$target"
    # shellcheck disable=SC2086 # options are words
    "$build/fuzz_$target" -max_total_time="$seconds" -seed="$seed" -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$findings/$target-" "$TMPDIR/$target" "tests/fuzz/seeds/$target" ${options[$target]:-} \
        &>"$build/fuzz_$target.log" &
    running[$target]=$!
done

status=0
for target in "${targets[@]}"; do
    log=$build/fuzz_$target.log
    if wait "${running[$target]}"; then
        echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s, nothing found"
        continue
    fi
    status=1
    grep -aE 'does not hold|ERROR|runtime error|SUMMARY|^ +#[0-9]+ .*/(src|tests)/' "$log" | head -20 >&2 ||
        tail -20 "$log" >&2
    finding=$(find "$findings" -name "$target-*" | sort | head -1)
    echo "$target: ${finding:+found; again with: $build/fuzz_$target }${finding:-did not run: see $log}" >&2
done
exit $status
