#!/usr/bin/env bash
# Check a page of docs/ that adds code: its files are written into a copy of the sources, which is built. Its commands run
# there, and their output must be that of the page. Takes as long as a build.
#
#   tests/build_page.sh PAGE [FOLDER]     docs/methods.md; a folder for the copy, which is kept for the next time
#
# Markers describe an indented block: `file: PATH` or `append: PATH` before it; `run` (commands) or `says` (each of its
# lines is in the output of the last commands) after it.
set -euo pipefail
cd "$(dirname "$0")/.."
page=$PWD/$1
if [ $# -gt 1 ]; then
    mkdir -p "$2"
    copy=$(realpath "$2")
else
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
fi
git ls-files -z | xargs -0 cp --parents --update -t "$copy"
cp src/method/methods.def "$copy/src/method"
cp src/backend/backends.def "$copy/src/backend"
cd "$copy"

expect() { # check that each line of stdin is in the output; the number of blanks does not matter
    while read -r line; do
        tr -s ' \t' ' ' <said | grep -qF -- "$(tr -s ' \t' ' ' <<<"$line")" && continue
        printf '%s: "%s" was not said:\n' "$page" "$line" >&2
        cat said >&2
        exit 1
    done
}

# Files are written now; commands and their expected output become a script.
awk '/^<!-- (file|append): .* -->$/ {
         path = $3
         inside = 0
         system("mkdir -p \"$(dirname " path ")\"")
         if ($2 == "file:") printf "" >path
         next
     }
     /^<!-- run -->$/ { printf "{\n%s} | tee said\n", block }
     /^<!-- says -->$/ { printf "expect <<\"END\"\n%sEND\n", block }
     /^    / {
         if (!inside) block = blank = ""
         line = blank substr($0, 5) "\n"
         block = block line
         if (path) printf "%s", line >>path
         inside = 1
         blank = ""
         next
     }
     /^$/ { if (inside) blank = blank "\n"; next }
     inside { inside = 0; close(path); path = "" }' "$page" >commands.sh
rm -rf out
make --no-print-directory build SKIP_PACKAGES=1 GOALS=springback CMAKE_OPTIONS=-DSPRINGBACK_TESTS=OFF
. ./commands.sh
echo "$1: all commands gave the expected output"
