#!/usr/bin/env bash
# Every kernel under oclgrind: no access out of bounds, no data race, nothing read before it is written, by launches and
# as one kernel a frame; and the bits of the serial backend. oclgrind cannot promise its roots, so --inexact.
#
#   tests/oclgrind.sh SPRINGBACK
set -euo pipefail
springback=$(realpath "${1:?usage: tests/oclgrind.sh SPRINGBACK}")
command -v oclgrind >/dev/null || { echo "oclgrind is missing; apt-get install oclgrind would bring it" >&2; exit 2; }
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export SPRINGBACK_BODIES=$out/bodies
"$springback" meshes torus_576 cube_386 >"$out/meshes.log" 2>&1 || { cat "$out/meshes.log" >&2; exit 1; }
hashes() { # FILE: experiment and hash of each run whose bits are exact; not its id, of which a long one hides the backend
    grep -v 'variant=\(paper\|node_centric\|reduced\)' "$1" |
        grep -o '"experiment":"[^"]*"\|"state_hash":"[^"]*"' | paste -d' ' - - | sort
}
# All that there is on the small ones, and on one more, which several work groups share, what they add up. Untimed: timed
# runs would wait for each other.
run() { # NAME OPTION...: leaves $out/NAME.json and $out/NAME.log
    local name=$1 more=() cube=(tests/small_volume.yaml --only mesh=cube_386 --only method=volume_constraint)
    local pair=(tests/small_constraints.yaml --only nodes=9x7 --only precision=float --only regularisation='1 m^2/kg')
    shift
    local two=(--set time.frames=1 --set time.steps_per_frame=2) one=(--set time.frames=1 --set time.steps_per_frame=1)
    local each=("${way[@]}" "$springback" run --json --set time.repeats=0 --out "$out/$name" "$@")
    if [ "$name" = bare ]; then # what a colour takes while another is at work, by more lanes than it has items
        "${each[@]}" tests/small_xpbd.yaml
    else
        "${each[@]}" "${two[@]}" tests/small.yaml &&
            "${each[@]}" "${two[@]}" --only mesh=tests/small_cube.off tests/small_volume.yaml &&
            "${each[@]}" "${two[@]}" --only mesh=tests/small_cube.off tests/small_host.yaml &&
            "${each[@]}" "${one[@]}" tests/small_pbd.yaml &&
            "${each[@]}" tests/small_xpbd.yaml &&
            "${each[@]}" "${one[@]}" tests/small_vbd.yaml &&
            "${each[@]}" "${one[@]}" --only constraint=root tests/small_hyperelastic.yaml &&
            "${each[@]}" "${two[@]}" "${pair[@]}" &&
            { [ "$name" != launches ] || "${each[@]}" "${one[@]}" tests/small_constraints_paper.yaml; } && # by launches alone
            "${each[@]}" "${one[@]}" "${cube[@]}" --only precision=float --only variant=tuned --only weight_radius='0 m'
    fi >"$out/$name.json" 2>"$out/$name.log"
}
way=()
run serial -b serial || { tail -n 40 "$out/serial.log" >&2; exit 1; }
# What is found. No finding: that atomic_add_real looks at a sum that another may just be exchanging; if it has changed,
# the exchange says so.
findings() { # FILE
    awk 'BEGIN { RS = "\n\n[A-Z]" } !/load volatile/ || !/atomic_cmpxchg/' "$1" |
        grep -iE 'invalid|race|uninitialized|error' || true
}
# Version 21.10 does not know a mark that its compiler's optimizer makes where it puts a function into another.
way=(oclgrind --data-races --uninitialized --max-errors 1000000 --build-options "-cl-opt-disable -Dalways_inline=")
declare -A goes=([frames]="one ahead lanes=64 fused" [launches]="launches fused" [bare]="one bare lanes=64")
declare -A job
for name in "${!goes[@]}"; do
    SPRINGBACK_OPENCL=${goes[$name]} run "$name" --inexact -b opencl:0 &
    job[$name]=$!
done
for name in "${!goes[@]}"; do
    failed=0
    wait "${job[$name]}" || failed=1
    if [ "$failed" = 1 ] || [ -n "$(findings "$out/$name.log")" ]; then
        findings "$out/$name.log" | sort | uniq -c >&2
        tail -n 40 "$out/$name.log" >&2
        cp "$out/$name.log" oclgrind.log && echo "$name failed; all of it: oclgrind.log" >&2
        kill "${job[@]}" 2>/dev/null || true
        exit 1
    fi
    # Of the experiments that were run this way.
    some=$(hashes "$out/$name.json" | grep -o '"experiment":"[^"]*"' | sort -u)
    diff <(hashes "$out/serial.json" | grep -F "$some") <(hashes "$out/$name.json")
    echo "$name: $(hashes "$out/$name.json" | wc -l) runs, nothing found, the bits of serial"
done
# Members side by side, each in its own group, where the tests were built: they hold the bits themselves.
# What was written before it is read is not watched here: oclgrind 21.10 says of the springs' ends, which several members
# share, that they never were, and of what follows from them; that they were is seen by the bits alone.
tests=$(dirname "$springback")/test_ensemble
if [ -n "${MEMBERS:-}" ] && [ -x "$tests" ]; then # minutes: MEMBERS=1 asks for it
    # Local memory that holds a member's state beside the sums of the largest group: only then are nodes ordered.
    oclgrind --max-wgsize 256 --local-mem-size 1000000 --data-races --max-errors 1000000 \
        --build-options "-cl-opt-disable -Dalways_inline=" "$tests" \
        >"$out/members.log" 2>&1 || { tail -n 40 "$out/members.log" >&2; exit 1; }
    [ -z "$(findings "$out/members.log")" ] || { findings "$out/members.log" | sort | uniq -c >&2; exit 1; }
    echo "members: nothing found, the bits of serial"
fi
