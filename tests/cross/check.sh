#!/usr/bin/env bash
# Build springback for other processors, run tests/small*.yaml on them under qemu, and compare all bits of the traces
# with those of PROGRAM, whose golden hashes the tests check. small_constraints_paper.yaml does not run, because it
# needs OpenCL.
#
#   tests/cross/check.sh PROGRAM FOLDER ARCHITECTURE...
#
# ARCHITECTURE is arm64 or s390x (big-endian), as Debian names them. Libraries and builds stay in FOLDER for the next
# call. With RUNS="A.yaml ..." only these files are run.
set -euo pipefail
program=$(realpath "$1") folder=$(realpath -m "$2") here=$(cd "$(dirname "$0")/../.." && pwd)
shift 2
cd "$here"
fail() { echo "cross-check: $1" >&2; exit 1; }
libraries=(libc6-dev libhdf5-dev libfyaml-dev libjansson-dev libudunits2-dev libxxhash-dev libmuparser-dev zlib1g-dev
    liblzma-dev ocl-icd-opencl-dev libgsl-dev)
mapfile -t runs < <([ -n "${RUNS:-}" ] && printf '%s\n' $RUNS || ls tests/small*.yaml | grep -v _paper)
# With several threads, these variants use atomic sums, which add in no fixed order.
no_order='variant=(paper|node_centric|reduced),.*backend=threads'

# Unpack Debian's packages for an architecture into a folder, without installing them.
unpack() { # ARCHITECTURE TRIPLET ROOT
    local apt=$folder/$1-apt root=$3.part package link
    rm -rf "$root" "$apt"
    mkdir -p "$apt"/{lists,archives}/partial "$root/usr/lib"
    ln -s usr/lib "$root/lib"
    local options=(-qq -o "APT::Architecture=$1" -o "APT::Architectures=$1" -o "Dir::State::Lists=$apt/lists"
        -o Dir::State::status=/dev/null -o "Dir::Cache=$apt" -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update || fail "the packages of $1 are not available here"
    apt-get "${options[@]}" install -y --no-install-recommends --download-only "${libraries[@]}" \
        "libgcc-$("$2-gcc" -dumpversion)-dev" >/dev/null
    for package in "$apt"/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$root"
    done
    find "$root" -type l -lname '/*' | while read -r link; do # links with absolute targets
        ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$root$(readlink "$link")")" "$link"
    done
    ln -s hdf5/serial/libhdf5.so "$root/usr/lib/$2/" # Debian creates this link only when the package is installed
    rm -rf "$apt"
    mv "$root" "$3"
}

# The SIMD kernels (in folders rows_*) must use vector registers, and no instruction may compute a product and a sum
# with one rounding.
check_arm64_code() { # BUILD
    local object code count=0
    while read -r object; do
        code=$(aarch64-linux-gnu-objdump -d "$object")
        case $object in
        */arithmetic_rows.c.o) ;; # uses no vectors
        */rows_float_*/spring_batch_rows.c.o | */rows_float_*/node_rows.c.o) ;; # empty: the functions exist in double only
        */rows_*) [ "$(grep -cE '\s(fadd|fsub|fmul)\s+v[0-9]+\.(4s|2d)' <<<"$code")" -gt \
            "$(grep -cE '\s(fadd|fsub|fmul)\s+[sd][0-9]+,' <<<"$code")" ] ||
            fail "$object: at least half of its additions and multiplications do not use NEON vectors" ;;
        esac
        count=$((count + 1))
        ! grep -E '\s(fn?m(add|sub)|fml[as])\s' <<<"$code" ||
            fail "$object: the instructions above round a product and a sum once, not twice"
    done < <(find "$1/CMakeFiles" -path '*/rows_*.o' -o -path '*/loops_*.o' -o -path '*/results.dir/*.o')
    [ $count != 0 ] || fail "there is no compiled code in $1"
}

check() { # ARCHITECTURE TRIPLET
    local root=$folder/$1-root build=$folder/$1 processor=${2%%-*} file trace same=0 other=0 out
    [ -e "$root" ] || unpack "$1" "$2" "$root"
    cmake -S . -B "$build" -DCMAKE_TOOLCHAIN_FILE="$here/tests/cross/toolchain.cmake" -DTRIPLET="$2" -DROOT="$root" \
        -DSPRINGBACK_PREPARE=OFF -DSPRINGBACK_TESTS=OFF >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 1; }
    cmake --build "$build" --target springback -j "$(nproc)" >>"$build.log" 2>&1 || { tail -n 40 "$build.log" >&2; exit 1; }
    [ "$1" != arm64 ] || check_arm64_code "$build"
    out=$(mktemp -d "$folder/$1-out.XXXXXX")
    for file in "${runs[@]}"; do
        qemu-"$processor" -L "$root" "$build/springback" run -q --out "$out/$1" "$file" -b serial -b threads:2
        "$program" run -q --out "$out/here" "$file" -b serial -b threads:2
    done
    while read -r trace; do
        if "$program" diff "$out/here/$trace" "$out/$1/$trace" >"$out/diff"; then
            same=$((same + 1))
        elif [ $? = 1 ] && grep -qE "$no_order" <<<"$trace"; then
            other=$((other + 1))
        else
            cat "$out/diff" >&2
            fail "$1: $trace differs; see $out"
        fi
    done < <(cd "$out/here" && find . -name '*.h5' -o -name '*.vtkhdf' | sort)
    [ "$same" -gt 0 ] || fail "$1: there are no traces to compare"
    rm -rf "$out"
    echo "cross-check: $1: $same runs are bit-identical to those of $(uname -m); $other with atomic sums differ"
}

mkdir -p "$folder"
exec 9>"$folder/lock"
flock -n 9 || fail "another check uses $folder; wait until it has ended, or use another folder"
"$program" meshes -q cube_386 torus_576 cloth_16384 # springback prepares no bodies on the other processors
for architecture; do
    case $architecture in
    arm64) check arm64 aarch64-linux-gnu ;;
    s390x) check s390x s390x-linux-gnu ;;
    *) fail "there is no check for $architecture; use arm64 or s390x" ;;
    esac
done
