#!/usr/bin/env bash
# Check a Debian package. lintian must find no error. apt must install the package in a fresh minimal system, which
# debootstrap makes from the mirror of this machine's apt. There, in a folder without the repository:
#   - three experiments must run, one of them on a body that the program prepares
#   - `springback check` must judge claims about one of these experiments
#
#   tests/deb.sh PACKAGE      needs root; takes minutes
set -euo pipefail
package=$(realpath "${1:?usage: tests/deb.sh PACKAGE}")
[ "$(id -u)" = 0 ] || { echo "deb-check: debootstrap needs root; run make deb-check as root" >&2; exit 2; }
lintian --allow-root --fail-on error "$package"
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $release" 'Component: main' | head -n 1)
[ -n "$mirror" ] || { echo "deb-check: apt has no mirror of $release; run apt-get update" >&2; exit 2; }
root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT
debootstrap --variant=minbase "$release" "$root" "$mirror" >"$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 2; }
rm "$root.log"
mount -t proc proc "$root/proc"
cp "$package" "$root/root/springback.deb"
chroot "$root" sh -euc 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
    --no-install-recommends /root/springback.deb tetgen' >"$root/root/log" 2>&1 || { tail -n 20 "$root/root/log" >&2; exit 1; }
chroot "$root" sh -euc '
    mkdir /root/empty && cd /root/empty && export HOME=/root
    springback --version
    springback list | tail -n 1
    springback run --tier quick --backend serial experiments/va2022/strong-push.yaml
    springback run --tier quick --backend serial experiments/va2023/overlaps.yaml # its mesh is in data/
    springback meshes --quiet cube_386
    springback run --tier quick --backend serial experiments/va2023/twisting.yaml
    springback check --about va2022/strong-push va2022 | tail -n 5
    springback verify experiments/va2022/strong-push.yaml
    test -e /usr/share/springback/kernels -a -e /usr/share/bash-completion/completions/springback
    dpkg -L springback | grep -c "/man/man[15]/springback"
    test "$(ls)" = out'
echo "deb-check: the package installs and runs"
