#!/usr/bin/env bash
# Check the archive of `make dist`:
#   - reprotest makes the archive twice, in two folders, at two dates and times of day, with two locales, umasks, homes
#     and so on; diffoscope must find no difference
#   - it has each file of the last commit, and REVISION
#   - CHANGELOG.md, CITATION.cff and debian/changelog have its version
#   - it builds without git, and the program prints the version and the revision
#
#   tests/dist.sh [quick]     quick: without the build
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" != false ]; then
    echo "dist-check: skipped, because the archive needs a repository with its whole history"
    exit 0
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
revision=$(cat "$work/$name/REVISION")
differences=$(diff -r --exclude=.git "$work/clone" "$work/$name" || true)
[ "$differences" = "Only in $work/$name: REVISION" ] || fail "the archive is not the last commit with REVISION:" "$differences"
[[ $revision =~ ^[0-9a-f]{12}$ ]] || fail "REVISION is '$revision', not 12 hexadecimal digits"
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
