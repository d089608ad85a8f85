#!/usr/bin/env bash
# Do what a page of docs/ says that adds code: its files go into a copy of the sources, which is built; its commands are
# run there, and must say what the page says. Takes a build's time.
#
#   tests/build_page.sh PAGE [FOLDER]     docs/methods.md; a folder for the copy, which is kept for the next time
#
# Marks say what an indented block is: `file: PATH` or `append: PATH` before it; `run` (commands) or `says` (each of its
# lines stands in what the last commands said) behind it.
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

expect() { # the lines of stdin, in what was said; blanks of any number are alike
    while read -r line; do
        tr -s ' \t' ' ' <said | grep -qF -- "$(tr -s ' \t' ' ' <<<"$line")" && continue
        printf '%s: "%s" was not said:\n' "$page" "$line" >&2
        cat said >&2
        exit 1
    done
}

# Files are written at once; commands and what they must say become a script.
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
echo "$1: done as it says"
