#!/usr/bin/env bash
# The fuzz targets, all at once, for so many seconds: from the seeds beside this file and the files of the repository,
# into a corpus that is thrown away. A finding is kept in BUILD/findings, and fails.
#
#   tests/fuzz/run.sh BUILD SECONDS
set -euo pipefail
build=$(realpath "${1:?usage: tests/fuzz/run.sh BUILD SECONDS}")
seconds=${2:?usage: tests/fuzz/run.sh BUILD SECONDS}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "SECONDS=$seconds is no whole number of seconds; 60 would be" >&2; exit 2; }
cd "$(dirname "$0")/../.."
export TMPDIR
TMPDIR=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")") # traces are written all the time
trap 'rm -rf "$TMPDIR"' EXIT
findings=$build/findings
rm -rf "$findings"
mkdir -p "$findings"
"$build/words" tests/fuzz/description/[as]*.yaml >"$build/description.dict"
"$build/words" paper_checks/*.yaml tests/fuzz/claims/*.yaml >"$build/claims.dict"

fuzz() { # TARGET, then its seeds and options
    local target=$1
    shift
    mkdir -p "$TMPDIR/$target"
    "$build/fuzz_$target" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$findings/$target-" "$TMPDIR/$target" "tests/fuzz/$target" "$@" &>"$build/fuzz_$target.log"
}
declare -A running
fuzz description experiments -dict="$build/description.dict" & running[description]=$!
fuzz claims paper_checks -dict="$build/claims.dict" & running[claims]=$!
fuzz trace -max_len=121 & running[trace]=$!

status=0
for target in description claims trace; do
    if wait "${running[$target]}"; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/fuzz_$target.log")
        echo "$target: $runs inputs in $seconds s, nothing found"
    else
        status=1
        grep -aE 'does not hold|ERROR|runtime error|SUMMARY|^ +#[0-9]+ .* in .*/(src|tests)/' "$build/fuzz_$target.log" |
            head -20 >&2 || tail -20 "$build/fuzz_$target.log" >&2
        echo "$target: a finding; again with: $build/fuzz_$target $(ls -t "$findings/$target-"* 2>/dev/null | head -1)" >&2
    fi
done
exit $status
