#!/usr/bin/env bash
# Run all fuzz targets at the same time for SECONDS, with the seeds in this folder and files of the repository. The
# corpus is deleted. An input with which a check fails (a finding) is stored in BUILD/findings, and the exit code is 1.
# With a SEED the inputs are the same each time; their number depends on SECONDS and on the machine. Leaks are checked
# at the end only: HDF5 and libfyaml keep memory between inputs, and a check after each input would take longer than the
# input.
#
#   tests/fuzz/run.sh BUILD SECONDS [SEED]
set -euo pipefail
build=$(realpath "${1:?usage: tests/fuzz/run.sh BUILD SECONDS [SEED]}")
seconds=${2:?usage: tests/fuzz/run.sh BUILD SECONDS [SEED]}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "SECONDS=$seconds is not a positive integer (example: SECONDS=60)" >&2; exit 2; }
seed=${3:-0} # 0: libFuzzer uses another seed each time
[[ $seed =~ ^[0-9]+$ ]] || { echo "SEED=$seed is not an integer of 0 or more (example: SEED=1)" >&2; exit 2; }
cd "$(dirname "$0")/../.."
targets=(tests/fuzz/fuzz_*.c)
targets=("${targets[@]#tests/fuzz/fuzz_}")
targets=("${targets[@]%.c}")
declare -A options=( # further seeds, and options of libFuzzer
    [description]="experiments -dict=$build/description.dict"
    [claims]="$build/claims-seeds -dict=$build/claims.dict"
    [trace]="-max_len=121" # one byte, and twelve edits of ten bytes each
)
declare -A niceness=([archive]=5 [claims]=5 [description]=5 [mesh]=10) # targets with fast inputs get less processor time
# This option prefers fast inputs. It is not used with a SEED, because it depends on timing.
((seed)) || options[trace]+=" -entropic_scale_per_exec_time=1"
findings=$build/findings
rm -rf "$findings"
mkdir -p "$findings"
"$build/words" >"$build/description.dict"
"$build/words" paper_checks/*.yaml tests/fuzz/seeds/claims/*.yaml >"$build/claims.dict"
# A file for each claim, because a whole file takes a hundred times as long.
rm -rf "$build/claims-seeds"
mkdir "$build/claims-seeds"
for file in paper_checks/*.yaml; do
    awk -v base="$build/claims-seeds/$(basename "$file" .yaml)" '
        /^  - / { close(file); file = base "-" ++count; print "springback: 1\npaper: p\nclaims:" >file }
        file { print >file }' "$file"
done
# Targets write files all the time, so use a file system in memory if there is one.
memory=$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")
export TMPDIR
TMPDIR=$(mktemp -d -p "$memory")
trap 'rm -rf "$TMPDIR"' EXIT

declare -A running
for target in "${targets[@]}"; do
    mkdir "$TMPDIR/$target"
    # shellcheck disable=SC2086 # options are words
    nice -n "${niceness[$target]:-0}" "$build/fuzz_$target" -max_total_time="$seconds" -seed="$seed" -timeout=30 \
        -rss_limit_mb=4096 -detect_leaks=0 -print_final_stats=1 \
        -artifact_prefix="$findings/$target-" "$TMPDIR/$target" "tests/fuzz/seeds/$target" ${options[$target]:-} \
        &>"$build/fuzz_$target.log" &
    running[$target]=$!
done

status=0
for target in "${targets[@]}"; do
    log=$build/fuzz_$target.log
    if wait "${running[$target]}"; then
        echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s, no findings"
        continue
    fi
    status=1
    grep -aE 'does not hold|ERROR|runtime error|SUMMARY|^ +#[0-9]+ .*/(src|tests)/' "$log" | head -20 >&2 ||
        tail -20 "$log" >&2
    finding=$(find "$findings" -name "$target-*" | sort | head -1)
    echo "$target: ${finding:+finding; repeat with: $build/fuzz_$target }${finding:-no input was stored; see $log}" >&2
done
exit $status
