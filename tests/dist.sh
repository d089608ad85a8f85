#!/usr/bin/env bash
# Check the archive of `make dist`:
#   - reprotest makes the archive twice, in two folders, at two dates and times of day, with two locales, umasks, homes
#     and so on; diffoscope must find no difference
#   - the archive has each file of the last commit, and REVISION
#   - a program that is built from the archive has the revision and the SWHIDs of a program from the repository
#   - a program that is built from changed sources has no SWHIDs
#   - CHANGELOG.md, CITATION.cff and debian/changelog have the archive's version
#   - the archive builds without git, and the program prints the version and the revision
#
#   tests/dist.sh [quick]     quick: without the build
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" != false ]; then
    echo "dist-check: the archive needs a repository with its whole history; use a clone without --depth" >&2
    exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    printf 'dist-check: %s\n' "$@" >&2
    exit 1
}
git clone -q --no-local . "$work/clone"
reprotest --variations=environment,build_path,time,home,locales,exec_path,timezone,umask,num_cpus \
    --store-dir="$work/made" -c 'make -s dist' "$work/clone" 'build/*.tar.xz' >"$work/log" 2>&1 ||
    { tail -n 40 "$work/log" >&2; fail "the archive is not reproducible"; }
made=$(find "$work/made/control" -name "springback-*.tar.xz")
name=$(basename "$made" .tar.xz)
version=${name#springback-}
tar -xf "$made" -C "$work"
revision=$(head -n 1 "$work/$name/REVISION")
differences=$(diff -r --exclude=.git "$work/clone" "$work/$name" || true)
[ "$differences" = "Only in $work/$name: REVISION" ] || fail "the archive is not the last commit with REVISION:" "$differences"
sources() { # FOLDER: what a program that is built from the folder says of its sources
    cmake -DOUT="$work/revision.h" -DSOURCE="$1" -P src/run/revision.cmake
    grep -E '_(REVISION|TREE|COMMIT|SOURCES) ' "$work/revision.h"
}
said=$(sources "$work/$name")
[ "$said" = "$(sources "$work/clone")" ] || fail "the archive and the repository differ in revision or SWHIDs:" "$said"
[ "$(grep -cE '_REVISION "[0-9a-f]{12}"|_COMMIT "swh:1:rev:[0-9a-f]{40}"|_SOURCES "swh:1:dir:[0-9a-f]{40}"' <<<"$said")" = 3 ] ||
    fail "the archive lacks the revision or a SWHID:" "$said"
cp -r "$work/$name" "$work/changed"
echo >>"$work/changed/kernels/$(ls "$work/changed/kernels" | head -n 1)"
said=$(sources "$work/changed")
grep -q '_TREE "changed"' <<<"$said" && ! grep -q swh: <<<"$said" || fail "a changed source is not noticed:" "$said"
cd "$work/$name"
grep -q "^## \[$version\]" CHANGELOG.md || fail "CHANGELOG.md has no heading ## [$version]"
grep -qx "version: $version" CITATION.cff || fail "CITATION.cff does not have version: $version"
[[ $(dpkg-parsechangelog -S Version) == "$version"-* ]] || fail "debian/changelog does not begin with version $version-1"
echo "$name.tar.xz: reproducible, $(find . -type f | wc -l) files, revision $revision"
[ "${1:-}" != quick ] || exit 0
mkdir "$work/bin"
printf '#!/bin/sh\nexit 127\n' >"$work/bin/git"
chmod +x "$work/bin/git"
PATH=$work/bin:$PATH make --no-print-directory build SKIP_PACKAGES=1 CMAKE_OPTIONS=-DSPRINGBACK_TESTS=OFF
printed=$(build/springback --version)
[ "$printed" = "springback $version, revision $revision" ] || fail "the program prints '$printed'"
echo "the archive builds without git: $printed"
