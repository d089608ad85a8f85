#!/usr/bin/env bash
# Build springback with gcc and clang and with many options. Run tests/small*.yaml with each set of vector instructions
# (base, v3, v4), and compare the hash of all final states with that of PROGRAM. small_constraints_paper.yaml does not
# run, because it needs OpenCL. The controls are builds with options that change results: the program must name the
# fault and refuse to run.
#
#   tests/matrix.sh PROGRAM FOLDER [PATTERN...]   the builds whose names match a pattern, by default all 48 and the
#                                                 controls. A name is COMPILER-OPTIMISATION-VARIANT-THREADS, for example
#                                                 gcc-O2-lto-openmp, or control-COMPILER-OPTION
set -euo pipefail
program=$(realpath "$1") folder=$(realpath -m "$2") here=$(cd "$(dirname "$0")/.." && pwd)
shift 2
[ $# != 0 ] || set -- '*'
patterns=("$@")
cd "$here"
mapfile -t experiments < <(ls tests/small*.yaml | grep -v _paper)
mkdir -p "$folder"
"$program" meshes -q cube_386 torus_576 cloth_16384
fail() { echo "matrix: $1" >&2; exit 1; }
exec 9>"$folder/lock"
flock -n 9 || fail "another check uses $folder; wait until it has ended, or use another folder"
is_chosen() { local p; for p in "${patterns[@]}"; do case $1 in $p) return 0 ;; esac; done; return 1; }

state_hash() { # PROGRAM LEVEL: print the number of runs, and one hash of the ids and final states of all runs
    local lines
    lines=$(SPRINGBACK_LEVEL=$2 "$1" run --json --force --out "$folder/out" "${experiments[@]}" -b serial -b threads:1 |
        sed -n 's/.*"id":"\([^"]*\)","experiment":"\([^"]*\)".*"state_hash":"\([^"]*\)".*/\2 \1 \3/p' | LC_ALL=C sort) ||
        fail "$1 cannot run ${experiments[*]}"
    [ -n "$lines" ] || fail "$1 printed no final states"
    echo "$(wc -l <<<"$lines") runs $(sha256sum <<<"$lines" | cut -c1-32)"
}

# Build a program, and print its path. A launcher calls the compiler with FLAGS in place of -O3, and with LAST after all
# other options. CMakeLists.txt sets -O3 itself, so CMake cannot pass these options.
build() { # NAME COMPILER FLAGS LAST CMAKE_OPTION...
    local name=$1 compiler=$2 flags=$3 last=$4 log=$folder/$1.log launcher=$folder/$1.sh
    shift 4
    cat >"$launcher" <<END
#!/bin/bash
for option; do
    if [ "\$option" = -O3 ]; then set -- "\$@" $flags; else set -- "\$@" "\$option"; fi
    shift
done
echo "\$*" >>"$folder/$name.commands"
exec "\$@" $last
END
    chmod +x "$launcher"
    rm -f "$folder/$name.commands"
    { cmake -S . -B "$folder/$name" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_COMPILER_LAUNCHER="$launcher" \
        -DSPRINGBACK_PREPARE=OFF -DSPRINGBACK_SWEEP=OFF -DSPRINGBACK_TESTS=OFF "$@" &&
        cmake --build "$folder/$name" --target springback -j "$(nproc)"; } >"$log" 2>&1 ||
        { tail -n 30 "$log" >&2; fail "$name does not build"; }
    ! grep -v -e " $flags " "$folder/$name.commands" >&2 || fail "$name: these compilations lack $flags"
    rm "$launcher" "$folder/$name.commands"
    echo "$folder/$name/springback"
}

check() { # NAME COMPILER FLAGS CMAKE_OPTION...
    local name=$1 built level found
    is_chosen "$name" || return 0
    built=$(build "$1" "$2" "$3" "" "${@:4}")
    for level in base v3 v4; do # a processor that lacks a level uses its highest level
        found=$(state_hash "$built" $level)
        [ "$found" = "$expected" ] || fail "$name, level $level: $found; expected $expected"
    done
    rm -rf "${folder:?}/$name"
    builds=$((builds + 1))
    echo "matrix: $name: $found"
}

# Build with flags after those of CMakeLists.txt. The program must name the fault, and refuse to run.
control() { # NAME COMPILER FLAGS FAULT CMAKE_OPTION...
    local name=$1 built
    is_chosen "$name" || return 0
    built=$(build "$name" "$2" -O3 "$3 -Wno-error" "${@:5}")
    "$built" devices | grep '^serial' >"$folder/$name.devices"
    grep -q "not bit-exact.*$4" "$folder/$name.devices" || fail "$name: expected \"$4\" in the output of devices: $(cat "$folder/$name.devices")"
    ! "$built" run -q --force --out "$folder/out" tests/small.yaml -b serial 2>"$folder/$name.errors" ||
        fail "$name: the program ran, although its results are not bit-exact"
    grep -q "$4" "$folder/$name.errors" || fail "$name: expected \"$4\" in the error of the run: $(cat "$folder/$name.errors")"
    rm -rf "${folder:?}/$name"
    controls=$((controls + 1))
    echo "matrix: $name: $(cat "$folder/$name.devices")"
}

builds=0 controls=0 expected=$(state_hash "$program" v4)
for compiler in gcc clang; do
    for level in O0 O1 O2 O3; do
        flags=-$level
        [ $level != O0 ] || flags+=" -Dalways_inline=" # without optimisation a function cannot be inlined into its caller
        for threads in openmp single; do
            [ $threads = openmp ] && openmp=ON || openmp=OFF
            check $compiler-$level-plain-$threads $compiler "$flags" -DSPRINGBACK_OPENMP=$openmp
            check $compiler-$level-native-$threads $compiler "$flags -march=native" -DSPRINGBACK_OPENMP=$openmp
            check $compiler-$level-lto-$threads $compiler "$flags" -DSPRINGBACK_OPENMP=$openmp \
                -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
        done
    done
    if grep -qw fma /proc/cpuinfo; then
        control control-$compiler-contract $compiler -ffp-contract=fast "option -ffp-contract=fast"
    fi
    control control-$compiler-fast $compiler -ffast-math "option -ffast-math"
    control control-$compiler-flush $compiler "" "denormal numbers" -DCMAKE_EXE_LINKER_FLAGS=-ffast-math
done
rm -rf "$folder/out"
echo "matrix: $builds builds have one hash, $expected; the faults of $controls controls were named"
[ $((builds + controls)) -gt 0 ] || fail "no build has a name that matches ${patterns[*]}; a name is, for example, gcc-O2-lto-openmp"
