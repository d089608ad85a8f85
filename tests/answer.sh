#!/usr/bin/env bash
# Measure how long `check` and `plan` take with the results of a machine, and how large the report is. Print each number
# with its bound. The exit code is 1 if a number is out of bounds.
#
#   tests/answer.sh SPRINGBACK OUT      OUT: results with report.html, as `make reproduce` makes them; needs strace
set -euo pipefail
springback=$(realpath "${1:?usage: tests/answer.sh SPRINGBACK OUT}") out=$(realpath "${2:?usage: tests/answer.sh SPRINGBACK OUT}")
cd "$(dirname "$0")/.."
command -v strace >/dev/null || { echo "strace is missing; run apt-get install strace" >&2; exit 2; }
[ -e "$out/report.html" ] || { echo "$out/report.html is missing; run make reproduce" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
three=(va2023.free-fall.msm-mean-max-loss va2023.pressing.msm-bunny lee2022.fall.like-tetrahedra)
experiment=experiments/va2023/free-fall.yaml

bound() { # NAME VALUE UNIT least|most BOUND
    local verdict=ok sign='<='
    [ "$4" = most ] || sign='>='
    awk "BEGIN { exit !($2 $sign $5) }" || { verdict='OUT OF BOUNDS' bad=1; }
    printf '  %-52s %10s %-8s at %s %-8s %s\n' "$1" "$2" "$3" "$4" "$5" "$verdict"
}

opened() { # COMMAND...: print the number of times that the command opens a trace
    strace -f -qq -e trace=openat,open -o "$work/trace" "$@" >/dev/null 2>&1 || true
    grep -c -E '\.(h5|vtkhdf)"' "$work/trace" || true
}

seconds() { # COMMAND...: print the shortest duration of five calls, in seconds
    local least=999 start now
    for _ in 1 2 3 4 5; do
        start=$EPOCHREALTIME
        "$@" >/dev/null 2>&1 || true
        now=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')
        least=$(awk -v a="$least" -v b="$now" 'BEGIN { print (b < a ? b : a) }')
    done
    echo "$least"
}

"$springback" check --out "$out" --experiments experiments >"$work/screen" 2>&1 || true # this call makes the index
bound "lines at the end of make reproduce" "$(($(wc -l <"$work/screen") + 3))" lines most 60
bound "bytes of the report without players" \
    "$(sed '/^<figure class="scene"/,/^<\/figure>/d; /^<script type="text\/plain" id="three">/d' "$out/report.html" | wc -c)" bytes most 4000000
bound "scenes that the report plays" "$(grep -c '^<figure class="scene"' "$out/report.html" || true)" scenes least 20
bound "traces opened by check of three claims" "$(opened "$springback" check --out "$out" "${three[@]}")" traces most 0
bound "check of three claims" "$(seconds "$springback" check --out "$out" "${three[@]}")" s most 0.2
bound "plan of an experiment" "$(seconds "$springback" plan --out "$out" --tier quick "$experiment")" s most 0.2
bound "check of all claims, nothing changed" "$(seconds "$springback" check --out "$out" --experiments experiments)" s most 1
exit $bad
