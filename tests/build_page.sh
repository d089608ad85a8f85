#!/usr/bin/env bash
# Check a page of docs/ that adds code. The files of the page are written into a copy of the sources, which is built.
# Then the commands of the page run in the copy, and must print the output that the page shows. This takes as long as a
# build.
#
#   tests/build_page.sh PAGE [FOLDER]     PAGE: for example docs/methods.md; FOLDER: for the copy, which the next call
#                                         reuses (default: a temporary folder)
#
# HTML comments mark an indented block. Before the block: `file: PATH` or `append: PATH`. After the block: `run` if it
# has commands; `says` if each of its lines must be in the output of the last commands.
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
        printf '%s: expected "%s" in this output:\n' "$page" "$line" >&2
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
