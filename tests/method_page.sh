#!/usr/bin/env bash
# docs/methods.md, done as it says: its files are put into a copy of the sources, which is built; the method's run must
# follow Stokes' law, in the same bits on all backends. Takes a build's time (OpenCL is left out where there is none).
#
#   tests/method_page.sh [FOLDER]     a folder for the copy, which is kept for the next time (one that is removed)
set -euo pipefail
cd "$(dirname "$0")/.."
page=$PWD/docs/methods.md
if [ $# -gt 0 ]; then
    mkdir -p "$1"
    copy=$(realpath "$1")
else
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
fi
git ls-files -z | xargs -0 cp --parents --update -t "$copy"
git show HEAD:src/method/methods.def >"$copy/src/method/methods.def"
cd "$copy"
# A mark names the file of the next indented block, which ends where a line is not indented.
awk '/^<!-- (file:|append:) .* -->$/ { path = $3; append = $2 == "append:"; begun = 0; blank = ""; next }
     path && /^    / {
         if (!begun) { system("mkdir -p \"$(dirname " path ")\""); if (!append) printf "" >path }
         begun = 1
         printf "%s%s\n", blank, substr($0, 5) >>path
         blank = ""
         next
     }
     path && /^$/ { if (begun) blank = blank "\n"; next }
     path && begun { close(path); path = "" }' "$page"
make --no-print-directory build SKIP_PACKAGES=1 GOALS=springback CMAKE_OPTIONS=-DSPRINGBACK_TESTS=OFF
build/springback manual | grep '`method.drag`' >/dev/null
backends=(-b serial -b threads)
if build/springback devices | grep opencl >/dev/null; then backends+=(-b opencl); fi
build/springback run --force --out out "${backends[@]}" --json experiments/drag/fall.yaml >runs.json
for precision in float double; do
    hashes=$(grep "precision=$precision" runs.json | grep -o '"state_hash":"[^"]*"' | sort -u | wc -l)
    [ "$hashes" = 1 ] || { echo "the bits of $precision differ between backends:" >&2; cat runs.json >&2; exit 1; }
done
# v = m g / c (1 - exp(-c t / m)), of 1 g and 5 g/s after a second; the step is off by less than 1e-3 of it.
build/springback export out/drag/fall/precision=double,backend=serial.h5 | awk -F'\t' '
    NR == 1 { for (c = 1; c <= NF; ++c) if ($c == "largest_speed/m/s") column = c; next }
    { speed = $column; time = $2 }
    END { law = 0.001 * 9.8 / 0.005 * (1 - exp(-5 * time))
          printf "speed %.5f m/s after %g s; by the law %.5f m/s\n", speed, time, law
          exit !(column && time == 1 && (speed - law) ^ 2 < (1e-3 * law) ^ 2) }'
grep -q "$(awk 'BEGIN { printf "= %.5f m/s", 0.001 * 9.8 / 0.005 * (1 - exp(-5)) }' | cut -c3-)" "$page"
echo "docs/methods.md: done as it says"
