#!/bin/bash
# Reads traces with VTK 9.3, the reader of ParaView 5.12; tests/trace/vtk_reader.py says what is printed. Debian 12 has
# an older VTK. Therefore VTK and a Python for it come from Debian 13, from the mirror that this machine uses for apt.
# The first call unpacks both into FOLDER (900 MB). Nothing is installed.
#
#     tests/trace/paraview_check.sh FOLDER TRACE...
set -euo pipefail
suite=trixie package=python3-vtk9
[ $# -ge 2 ] || { echo "usage: $0 FOLDER TRACE..." >&2; exit 2; }
folder=$1
shift
root=$folder/root

fail() {
    echo "paraview-check: $1" >&2
    exit 2
}

unpack() {
    local apt=$folder/apt uri archive
    uri=$(find /etc/apt -name '*.list' -o -name '*.sources' | sort | xargs -r cat |
        sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+) .*/\2/p' | grep -m 1 -E '/debian/?$') ||
        fail "/etc/apt names no mirror of Debian; expected one whose path ends in /debian"
    rm -rf "$apt" "$root.part"
    mkdir -p "$apt"/{lists/partial,cache/archives/partial,state} "$root.part"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main" >"$apt/sources.list"
    : >"$apt/status" # no package counts as installed, so that all dependencies are fetched
    set -- -q -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State=$apt/state" \
        -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache"
    echo "paraview-check: fetching $package of Debian $suite, 200 MB"
    apt-get "$@" update >"$folder/apt.log" 2>&1 &&
        apt-get "$@" install -y --no-install-recommends --download-only "$package" >>"$folder/apt.log" 2>&1 ||
        fail "$package of $suite cannot be fetched; see $folder/apt.log"
    for archive in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$archive" "$root.part"; done
    for archive in bin lib lib64 sbin; do [ -e "$root.part/$archive" ] || ln -s "usr/$archive" "$root.part/$archive"; done
    rm -rf "$apt" "$root"
    mv "$root.part" "$root"
}

mkdir -p "$folder"
folder=$(realpath "$folder") root=$folder/root
[ -d "$root" ] || unpack
rm -rf "$root/traces"
mkdir "$root/traces"
cp "$(dirname "$0")/vtk_reader.py" "$root/traces/"
# Traces get short names here: 1.vtkhdf, 2.vtkhdf, ... The file `list` has their paths in this order.
count=0
for trace; do
    [ -f "$trace" ] || fail "$trace: no such file; expected a trace"
    cp "$trace" "$root/traces/$((++count)).vtkhdf"
    printf '%s\n' "$trace" >>"$root/traces/list"
done
start=(chroot)
[ "$(id -u)" = 0 ] || start=(unshare --map-root-user chroot)
status=0
"${start[@]}" "$root" /usr/bin/python3 /traces/vtk_reader.py /traces/list || status=$?
rm -rf "$root/traces"
exit $status
