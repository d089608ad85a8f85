#!/usr/bin/env bash
# The cost of an ensemble of 1,024 runs of the Bunny, and of a single run. First, time a frame of the engines alone, for
# several shapes of a member's work group. Then time a sweep by `springback sensitivity`, with 2 members and with all
# members, and a single run. The aim on a GPU is that 1,024 members take at most as long as 16 single runs. Bodies are
# in out/bodies or in the folder SPRINGBACK_BODIES.
#
#   tests/bench/ensemble.sh OUT [BUILD [BACKEND [MEMBERS]]]       BUILD: build, or build-device (tests/bench/device.sh)
set -euo pipefail
out=${1:?usage: tests/bench/ensemble.sh OUT [BUILD [BACKEND [MEMBERS]]]}
build=${2:-build} backend=${3:-opencl:gpu} members=${4:-1024}
cd "$(dirname "$0")/../.."
mkdir -p "$out"
bodies=${SPRINGBACK_BODIES:-out/bodies}
[ -e "$bodies/bunny_closed_3008.h5" ] || {
    echo "ensemble.sh: $bodies has no bunny_closed_3008; run springback meshes bunny_closed_3008" >&2; exit 2; }

echo "== a frame of 20 steps, engines only"
for override in "" bare lanes=512 "lanes=512 bare" global "global lanes=256"; do
    echo "-- ${override:-chosen by the program}"
    SPRINGBACK_OPENCL=$override "$build/bench_ensemble" "$backend" 1 128 "$members"
done

# A program that was built without sweeps (SPRINGBACK_SWEEP) does not have the command `sensitivity`.
if ! "$build/springback" sensitivity --help >/dev/null 2>&1; then
    echo "no sweep: $build/springback has no command sensitivity" >&2
    exit 0
fi
mkdir -p "$out/bench"
cat >"$out/bench/ensemble.yaml" <<END
springback: 1
paper: bench
title: An ensemble of Bunnies
body: {mesh: bunny_closed_3008}
method: {name: mass_spring, stiffness: 5000 N/m, damping: 200 N s/m}
scene: {ground: {height: 0 m}}
time: {step: 0.0001 s, frames: 400, steps_per_frame: 20}
record: {every: 40}
assumptions:
  scene.ground.drop: {value: 1 m, likely: [0.2 m, 5 m], why: for the bench}
  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: for the bench}
END
for n in 2 "$members"; do
    rm -rf "$out/sweep"
    begin=$(date +%s.%N)
    "$build/springback" sensitivity -q -b "$backend" --members "$n" --out "$out/sweep" "$out/bench/ensemble.yaml" >/dev/null
    end=$(date +%s.%N)
    awk -v n="$n" -v s="$(echo "$end $begin" | awk '{print $1 - $2}')" \
        'BEGIN { printf "sweep of %d members: %.2f s, %.2f ms a member\n", n, s, 1000 * s / n }'
done
begin=$(date +%s.%N)
"$build/springback" run -q --force -b "$backend" --out "$out/alone" "$out/bench/ensemble.yaml" >/dev/null
end=$(date +%s.%N)
echo "$end $begin" | awk '{ printf "one single run: %.2f s\n", $1 - $2 }'
rm -rf "$out/sweep" "$out/alone"
