#!/usr/bin/env bash
# Run the kernels of the small experiments under oclgrind. There must be no access out of bounds, no data race and no
# read of uninitialized memory, and the results must be bit-identical to the serial backend.
# Option --inexact is needed because oclgrind does not guarantee correctly rounded square roots.
#
#   tests/oclgrind.sh SPRINGBACK [NAME...]     NAME: how kernels are launched (default: all three).
#                                              launches: single launches; frames: one kernel for each frame; bare: also
#                                              one kernel for each frame, but a lane prefetches only one item
set -euo pipefail
springback=$(realpath "${1:?usage: tests/oclgrind.sh SPRINGBACK [NAME...]}")
shift
[ $# != 0 ] || set -- frames launches bare
command -v oclgrind >/dev/null || { echo "oclgrind is missing; packages/ says which systems have it" >&2; exit 2; }
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export SPRINGBACK_BODIES=$out/bodies
"$springback" meshes torus_576 cube_386 >"$out/meshes.log" 2>&1 || { cat "$out/meshes.log" >&2; exit 1; }
hashes() { # FILE: experiment and hash of each bit-exact run; not its id, because the ids of two backends differ
    grep -v 'variant=\(paper\|node_centric\|reduced\)' "$1" |
        grep -o '"experiment":"[^"]*"\|"state_hash":"[^"]*"' | paste -d' ' - - | sort
}
# Run all small experiments, and cube_386, whose sums need several work groups. Runs are not timed, because timed runs
# would wait for each other.
run() { # NAME OPTION...: writes $out/NAME.json and $out/NAME.log
    local name=$1 more=() cube=(tests/small_volume.yaml --only mesh=cube_386 --only method=volume_constraint)
    local pair=(tests/small_constraints.yaml --only nodes=9x7 --only precision=float --only regularisation='1 m^2/kg')
    shift
    local two=(--set time.frames=1 --set time.steps_per_frame=2) one=(--set time.frames=1 --set time.steps_per_frame=1)
    local each=("${wrapper[@]}" "$springback" run --json --set time.repeats=0 --out "$out/$name" "$@")
    if [ "$name" = bare ]; then # here a lane prefetches one item, and a colour has fewer items than lanes
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
            { [ "$name" != launches ] || "${each[@]}" "${one[@]}" tests/small_constraints_paper.yaml; } && # no frame kernel
            "${each[@]}" "${one[@]}" "${cube[@]}" --only precision=float --only variant=tuned --only weight_radius='0 m'
    fi >"$out/$name.json" 2>"$out/$name.log"
}
wrapper=()
run serial -b serial || { tail -n 40 "$out/serial.log" >&2; exit 1; }
# Print the findings, except one that is not a fault: atomic_add_real reads a sum that another work item may change at
# the same time. The function detects such a change by atomic_cmpxchg.
findings() { # FILE
    awk 'BEGIN { RS = "\n\n[A-Z]" } !/load volatile/ || !/atomic_cmpxchg/' "$1" |
        grep -iE 'invalid|race|uninitialized|error' || true
}
# Two compiler options are needed because oclgrind 21.10 does not know a marker that the optimizer inserts for inlined
# functions.
wrapper=(oclgrind --data-races --uninitialized --max-errors 1000000 --build-options "-cl-opt-disable -Dalways_inline=")
declare -A goes=([frames]="one ahead lanes=64 fused" [launches]="launches fused" [bare]="one bare lanes=64")
declare -A job
for name; do
    [ -n "${goes[$name]:-}" ] || { echo "oclgrind: unknown name '$name'; use frames, launches or bare" >&2; exit 2; }
done
for name; do
    SPRINGBACK_OPENCL=${goes[$name]} run "$name" --inexact -b opencl:0 &
    job[$name]=$!
done
for name; do
    failed=0
    wait "${job[$name]}" || failed=1
    if [ "$failed" = 1 ] || [ -n "$(findings "$out/$name.log")" ]; then
        findings "$out/$name.log" | sort | uniq -c >&2
        tail -n 40 "$out/$name.log" >&2
        cp "$out/$name.log" oclgrind.log && echo "$name failed; see oclgrind.log" >&2
        kill "${job[@]}" 2>/dev/null || true
        exit 1
    fi
    # Compare only the experiments that ran with these options.
    some=$(hashes "$out/$name.json" | grep -o '"experiment":"[^"]*"' | sort -u)
    diff <(hashes "$out/serial.json" | grep -F "$some") <(hashes "$out/$name.json")
    echo "$name: $(hashes "$out/$name.json" | wc -l) runs, no findings, bit-identical to serial"
done
# Run the members of an ensemble, each in its own work group, if the tests were built. The tests compare the bits.
# Uninitialized memory is not checked here: oclgrind 21.10 wrongly reports the ends of springs that several members
# share, and everything that depends on them. The comparison of bits shows that the memory is initialized.
tests=$(dirname "$springback")/test_ensemble
if [ -n "${MEMBERS:-}" ] && [ -x "$tests" ]; then # this check takes minutes; MEMBERS=1 switches it on
    # The local memory is large enough for a member's state and the sums of the largest group, because nodes are sorted
    # only if both fit into it.
    oclgrind --max-wgsize 256 --local-mem-size 1000000 --data-races --max-errors 1000000 \
        --build-options "-cl-opt-disable -Dalways_inline=" "$tests" \
        >"$out/members.log" 2>&1 || { tail -n 40 "$out/members.log" >&2; exit 1; }
    [ -z "$(findings "$out/members.log")" ] || { findings "$out/members.log" | sort | uniq -c >&2; exit 1; }
    echo "members: no findings, bit-identical to serial"
fi
