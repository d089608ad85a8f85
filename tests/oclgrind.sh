#!/usr/bin/env bash
# Every kernel under oclgrind: no access out of bounds, no data race, nothing read before it is written, by launches and
# as one kernel a frame; and the bits of the serial backend. oclgrind cannot promise its roots, so --inexact.
#
#   tests/oclgrind.sh SPRINGBACK
set -euo pipefail
springback=$(realpath "${1:?usage: tests/oclgrind.sh SPRINGBACK}")
command -v oclgrind >/dev/null || { echo "oclgrind is missing; apt-get install oclgrind would bring it" >&2; exit 2; }
cd "$(dirname "$0")/.."
files=(tests/small.yaml tests/small_volume.yaml tests/small_host.yaml)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export SPRINGBACK_BODIES=$out/bodies
"$springback" meshes torus_576 cube_386 >"$out/meshes.log" 2>&1 || { cat "$out/meshes.log" >&2; exit 1; }
hashes() { # FILE: the hash of each run whose bits are exact, without its backend
    grep -v 'variant=\(paper\|node_centric\|reduced\)' "$1" |
        grep -o '"id":"[^"]*"\|"experiment":"[^"]*"\|"state_hash":"[^"]*"' | sed 's/,backend=[^"]*//' |
        paste -d' ' - - - | sort
}
"$springback" run --json -b serial --out "$out/serial" "${files[@]}" >"$out/serial.json"
for way in frames launches; do
    # Version 21.10 does not know a mark that its compiler's optimizer makes.
    SPRINGBACK_OPENCL=$way oclgrind --data-races --uninitialized --build-options -cl-opt-disable "$springback" run --json \
        --inexact -b opencl:0 --out "$out/$way" "${files[@]}" >"$out/$way.json" 2>"$out/$way.log" || {
        cat "$out/$way.log" >&2
        exit 1
    }
    if grep -qiE 'invalid|race|uninitialized' "$out/$way.log"; then
        cat "$out/$way.log" >&2
        exit 1
    fi
    diff <(hashes "$out/serial.json") <(hashes "$out/$way.json")
    echo "$way: $(hashes "$out/$way.json" | wc -l) runs, nothing found, the bits of serial"
done
