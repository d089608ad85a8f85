#!/usr/bin/env bash
# On a machine with a GPU: build, print the state hashes of runs on all backends, and time the cloth of va2022. On
# machines without Debian's packages, DEPS=FOLDER is a folder into which these packages were unpacked (dpkg -x).
# REVISION= is the revision of the sources, if the sources are not in a git repository. Mesh bodies run only if the
# folder SPRINGBACK_BODIES (default: out/bodies) has bodies that `springback meshes` prepared on another machine.
#
#   tests/bench/device.sh OUT
set -euo pipefail
out=${1:?usage: tests/bench/device.sh OUT}
cd "$(dirname "$0")/../.."
# shellcheck source=tests/bench/device_build.sh
. tests/bench/device_build.sh
$springback devices

echo "== state hashes, which must be equal on all backends"
same=(experiments/springback/same-bits.yaml)
[ ! -d "${SPRINGBACK_BODIES:-out/bodies}" ] || same+=(experiments/springback/bodies.yaml)
$springback run --tier full --out "$out" -b serial -b threads -b opencl:gpu -b opencl:cpu "${same[@]}"

echo "== frames by resolution, one step per frame"
$springback run --tier full --out "$out" experiments/va2022/resolutions.yaml
$springback export --format figure --out "$out/tables" "$out/va2022/resolutions"

echo "== a step, compared with the hardware limits"
$springback run -q --force --tier quick --out "$out/bench" tests/bench/cloth.yaml
build-device/bench "$out/bench/bench/cloth" "$out/bench.json"

if [ -d "${SPRINGBACK_BODIES:-out/bodies}" ]; then
    echo "== a step on bodies of triangles, us"
    $springback run -q --force --tier full --out "$out/bench" -b opencl:gpu tests/bench/bodies.yaml
    $springback export --format figure --out "$out/bench/tables" "$out/bench/bench/bodies"
    awk -f tests/bench/steps.awk "$out/bench/tables/summary.tsv"
    echo "== va2023: speed, sums, collisions"
    for name in speed twisting-speed variants collisions; do
        $springback run -q --tier quick --out "$out" experiments/va2023/$name.yaml
        $springback export --format figure --out "$out/tables/$name" "$out/va2023/$name"
    done
    $springback check --experiments experiments --out "$out" paper_checks/va2023.yaml || true # most claims have no results here
fi
