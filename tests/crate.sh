#!/usr/bin/env bash
# Check archives of `springback archive` as their readers do:
#   - the RO-Crate, by the validator of the npm package ro-crate
#   - the questions of the profile Process Run Crate, in SPARQL (oxigraph)
#   - codecheck.yml, and the SHA-256 of every file
# Then damage copies, and check that each damage is detected.
#
#   tests/crate.sh FOLDER ARCHIVE[:MEGABYTES]...   FOLDER: where the npm packages are installed, if they are missing;
#                                                  MEGABYTES: the largest size that the archive may have
set -euo pipefail
usage="usage: tests/crate.sh FOLDER ARCHIVE[:MEGABYTES]..."
modules=$(realpath -m "${1:?$usage}")
shift
[ $# -gt 0 ] || { echo "$usage" >&2; exit 2; }
command -v npm >/dev/null || { echo "npm is missing; run apt-get install nodejs npm" >&2; exit 2; }
tests=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
packages="ro-crate@3.7.2 oxigraph@0.5.11 yaml@2.9.1"
if [ "$(cat "$modules/installed" 2>/dev/null)" != "$packages" ]; then
    mkdir -p "$modules"
    # shellcheck disable=SC2086
    npm install --silent --no-audit --no-fund --no-save --prefix "$modules" $packages
    echo "$packages" >"$modules/installed"
fi
check() { NODE_PATH="$modules/node_modules" node "$tests/crate.js" "$1"; }
bad=0

for argument; do
    archive=${argument%:*}
    rm -rf "$work/crate"
    mkdir "$work/crate"
    tar -C "$work/crate" -xf "$archive"
    echo "$archive: $(stat -c %s "$archive" | awk '{ printf "%.1f", $1 / 1e6 }') MB"
    if [ "$archive" != "$argument" ] && [ "$(stat -c %s "$archive")" -gt "${argument##*:}000000" ]; then
        echo "  error: it is larger than ${argument##*:} MB" >&2
        bad=1
    fi
    check "$work/crate" || bad=1
done

spoiled() { # NAME WORDS COMMAND: check that these words are printed about the crate after the command changed it
    local said
    rm -rf "$work/copy"
    cp -r "$work/crate" "$work/copy"
    (cd "$work/copy" && eval "$3")
    if said=$(check "$work/copy" 2>&1) || ! grep -qF "$2" <<<"$said"; then
        printf 'the damage was not detected: %s:\n%s\n' "$1" "$said" >&2
        bad=1
    else
        echo "  detected: $1"
    fi
}
spoiled "a changed file" "it has another SHA-256" "echo >>README.txt"
spoiled "a missing file" "no such file" "rm provenance.json"
spoiled "a file that the crate does not name" "the crate does not name it" "echo >other.txt"
spoiled "a crate without a licence" "Missing required property: license" \
    "sed -i 's/\"license\":/\"licence\":/' ro-crate-metadata.json"
spoiled "an unknown property" "has no meaning in the context" "sed -i 's/\"creditText\"/\"creditWord\"/' ro-crate-metadata.json"
spoiled "a run without an end" "has no end" "sed -i 's/\"endTime\"/\"text\"/' ro-crate-metadata.json"
spoiled "a run without a result" "has no result" "sed -i 's/\"result\"/\"text\"/' ro-crate-metadata.json"
spoiled "a program without a version" "has no version" "sed -i 's/\"softwareVersion\"/\"text\"/' ro-crate-metadata.json"
if grep -q swh:1:rev: "$work/crate/ro-crate-metadata.json"; then # the sources were those of a commit
    spoiled "a wrong SWHID" "unexpected SWHIDs" "sed -i 's/swh:1:rev:/swh:1:rel:/' ro-crate-metadata.json"
fi
if grep -q '^  reference:' "$work/crate/codecheck.yml"; then # the archive has a published paper
    spoiled "a paper without a DOI" "paper has no reference" "sed -i '/^  reference/d' codecheck.yml"
fi
spoiled "a missing manifest" "manifest" "sed -i 's/^manifest:/list:/' codecheck.yml"
exit $bad
