#!/usr/bin/env bash
# A sweep and a reproduction on a real Slurm with disturbances, compared with the same work on one machine.
#
#   tests/slurm/check.sh PROGRAM
#
# The sweep has MEMBERS=100 likely and as many possible set-ups, each of FRAMES=75 frames, in SHARDS=40 tasks. The
# disturbances are at least PREEMPTIONS=20 preempted tasks, KILLS=5 kills of a task's program or script, a drained node,
# and a task with a simulated full disk.
set -euo pipefail
program=$(realpath "$1") repository=$(cd "$(dirname "$0")/../.." && pwd) name=va2022/strong-push
: "${MEMBERS:=100}" "${FRAMES:=75}" "${SHARDS:=40}" "${PREEMPTIONS:=20}" "${KILLS:=5}"
unset MAKEFLAGS MAKELEVEL OUT MACHINE TIER SLURM # the make that calls this script may have set them
folder=$(mktemp -d /tmp/springback-slurm.XXXXXX)
end() {
    "$repository/tests/slurm/cluster.sh" stop "$folder/slurm" || true
    if [ "${done:-}" = yes ]; then rm -rf "$folder"; else echo "slurm-check: see $folder" >&2; fi
}
trap end EXIT
trap 'exit 130' INT TERM
fail() { echo "slurm-check: $1" >&2; exit 1; }
make_here() { make -s -f Makefile.experiments SPRINGBACK="$program" FIGURES= SEARCH=0 VERIFY=5 MEMBERS="$MEMBERS" "$@"; }
table() { xz -dc "$1/data/sweeps/$name.tsv.xz"; }

# Two folders with the same experiments, shorter than the paper's: one for this machine, one for the cluster.
for where in alone cluster; do
    mkdir -p "$folder/$where/experiments/va2022" "$folder/$where/data"
    cd "$folder/$where"
    ln -s "$repository"/{src,kernels,figures,paper_checks,Makefile.experiments} .
    cp "$repository/experiments/va2022.yaml" experiments/
    sed "s/^    value: 200$/    value: $FRAMES/; s/likely: \[100, 400\]/likely: [$FRAMES]/" \
        "$repository/experiments/$name.yaml" >experiments/$name.yaml
    sed "s/^record:/time: {repeats: 2}\n&/; s/^title: .*/title: Timed/" experiments/$name.yaml >experiments/va2022/timed.yaml
    # Tasks 1 and 2 wait until all disturbances have happened. Otherwise, on a fast machine, the array would end before
    # the last disturbance. A full disk is simulated for task 7: it cannot write a file larger than 16 KiB.
    cat >launch <<'END'
#!/bin/bash
case $2-${SLURM_ARRAY_TASK_ID:-} in
sensitivity-[12]) until [ -e disturbed ]; do sleep 0.2; done ;;
sensitivity-7) ulimit -f 16 ;;
esac
exec "$@"
END
    chmod +x launch
done
cd "$folder/alone"
began=$SECONDS
make_here sensitivity EXPERIMENTS=experiments/$name.yaml OUT=out/here >alone.log
make_here run EXPERIMENTS="experiments/$name.yaml experiments/va2022/timed.yaml" OUT=out/here >>alone.log
echo "one machine: $((SECONDS - began)) s"

"$repository/tests/slurm/cluster.sh" start "$folder/slurm"
export SLURM_CONF=$folder/slurm/slurm.conf
cd "$folder/cluster"
# Submit; sets $array, $timed and $collect to the numbers of the jobs.
submit() { # VERB OPTION...
    local said
    said=$(make_here "$1" SLURM=1 PARTITION=low SHARDS="$SHARDS" "${@:2}")
    echo "$said"
    array=$(grep -o 'jobs: [0-9]*' <<<"$said" | grep -o '[0-9]*') timed=$(grep -o '[0-9]*, timed' <<<"$said" | grep -o '[0-9]*') ||
        timed=
    collect=$(grep -o '[0-9]*, collects' <<<"$said" | grep -o '[0-9]*')
}
is_queued() { [ -n "$(squeue --noheader --jobs="$1" 2>/dev/null)" ]; }
wait_for() { # JOB SECONDS
    local until=$((SECONDS + $2))
    while is_queued "$1"; do
        [ $SECONDS -lt $until ] || { squeue >&2; fail "job $1 has not ended after $2 s"; }
        sleep 0.5
    done
}
restarts() { scontrol show job -o "$1" | grep -o ' Restarts=[0-9]*' | awk -F= '{ sum += $2 } END { print sum + 0 }'; }
# A random process of the array's tasks with ARGUMENT in its command line. Task 7 is left out: Slurm does not start
# every killed task again, and task 7 must still report its full disk.
process_of() { # ARGUMENT
    local file
    for file in $(grep -lzs '^SLURM_ARRAY_TASK_ID=' /proc/[0-9]*/environ | shuf); do
        ! grep -qzsx 'SLURM_ARRAY_TASK_ID=7' "$file" || continue
        ! grep -qzs "$1" "${file%environ}cmdline" || { file=${file#/proc/}; echo "${file%/environ}"; return; }
    done
}
preemptions() { cat out/slurm/sensitivity-"$array"-*.log 2>/dev/null | grep -c 'DUE TO PREEMPTION' || true; }

began=$SECONDS
export TMPDIR=$folder/node # the tasks expand SCRATCH='$TMPDIR'
mkdir "$TMPDIR"
submit sensitivity EXPERIMENTS=experiments/$name.yaml LAUNCH=./launch SCRATCH='$TMPDIR'
scontrol hold "$collect" # until the results of the shards are checked
# A job of higher priority takes a whole node: it preempts up to four tasks.
kills=0 drained=no
while is_queued "$array"; do
    sleep 0.$((RANDOM % 5))
    node=n$((RANDOM % 2 + 1))
    # The last kill ends the batch script itself. After this kill, Slurm does not start the task again.
    [ $kills = $((KILLS - 1)) ] && argument='/slurm_script$' || argument='^--members$'
    preemptions=$(preemptions)
    # Kills and preemptions alternate, so that a short array gets enough of both.
    if [ $kills -lt "$KILLS" ] && [ $((kills * PREEMPTIONS)) -le $((preemptions * KILLS)) ] &&
        process=$(process_of "$argument") && [ -n "$process" ] && kill -KILL "$process" 2>/dev/null; then
        kills=$((kills + 1))
    elif [ $drained = no ] && [ "$preemptions" -ge $((PREEMPTIONS / 4)) ]; then
        scontrol update NodeName=n1 State=DRAIN Reason=test
        sleep 3
        scontrol update NodeName=n1 State=RESUME
        drained=yes
    elif [ "$preemptions" -lt "$PREEMPTIONS" ] && [ -n "$(squeue --noheader --states=R --partition=low --nodelist=$node)" ]; then
        other=$(sbatch --parsable --partition=high --exclusive --nodelist=$node --output=/dev/null --wrap='sleep 0.2')
        while is_queued "$other"; do sleep 0.1; done
    elif [ $kills -ge "$KILLS" ] && [ $drained = yes ] && [ "$preemptions" -ge "$PREEMPTIONS" ]; then
        touch disturbed
    fi
    [ $((SECONDS - began)) -lt 3000 ] || fail "the array has not ended"
done
preemptions=$(preemptions)
[ -e disturbed ] || fail "the array ended too early: $preemptions preemptions, $kills kills, drained: $drained"
echo "$SHARDS tasks: $preemptions preemptions and $kills kills, with $(restarts "$array") restarts; n1 drained; task 7's disk full"
grep -q 'File too large' out/slurm/sensitivity-"$array"-7.log || fail "task 7 does not report that it could not write a file"
[ -z "$(find out -name '*.tsv.xz')" ] && [ ! -e data/sweeps ] || fail "a shard wrote the table of the sweep"
# All files members-*.tsv together have each set-up at most once, although tasks were killed and restarted. No trace of
# a member is left.
cat out/*/$name/sensitivity/members-*.tsv | grep '^member' | cut -f2,3 | sort >members
[ -z "$(uniq -d members)" ] || fail "set-ups were run twice: $(uniq -d members | paste -sd' ')"
echo "$(wc -l <members) set-ups in $(find out -name 'members-*.tsv' | wc -l) files members-*.tsv, none twice"
[ -z "$(find out -name '*.h5*' -o -name '*.vtkhdf*')" ] || fail "set-ups ran in the shared folder, and not in SCRATCH"
scontrol release "$collect"
wait_for "$collect" 600
cmp <(table .) <(table ../alone) || fail "the table differs from that of one machine"
echo "the table of $(table . | grep -c '^member') set-ups is byte-identical to that of one machine: $((SECONDS - began)) s"

# Submit the sweep again, together with a reproduction: runs that are up to date do not run again.
submit sensitivity EXPERIMENTS=experiments/$name.yaml SHARDS=3
submit reproduce EXPERIMENTS="experiments/$name.yaml experiments/va2022/timed.yaml" SHARDS=3
wait_for "$collect" 600
cmp <(table .) <(table ../alone) || fail "the second submission changed the table"
runs() { cut -f1-3 "$1"/out/*/va2022/*/runs.tsv; }
cmp <(runs .) <(runs ../alone) || fail "runs.tsv differs from that of one machine"
for trace in out/*/$name/*.vtkhdf out/*/va2022/timed/*.vtkhdf; do
    "$program" diff "$trace" ../alone/out/here/"${trace#out/*/}" >diff.log ||
        fail "$trace differs from the trace of one machine; see diff.log"
done
[ "$(cat out/slurm/run-"$array"-*.log | grep -cE '^  (whole|diverged) ')" = 2 ] ||
    fail "the log of the array must have exactly two runs: a run was made twice, or not at all"
ls out/*/report.html >/dev/null || fail "there is no report"
submit reproduce EXPERIMENTS="experiments/$name.yaml experiments/va2022/timed.yaml" SHARDS=2
wait_for "$collect" 600
! grep -hE '^  (whole|diverged) ' out/slurm/run-"$array"-*.log out/slurm/timed-"$timed".log || fail "the second submission ran something again"
# If all runs are timed, no array is submitted.
submit reproduce EXPERIMENTS=experiments/va2022/timed.yaml
[ "$array" = "$timed" ] || fail "an array without a run was submitted"
wait_for "$collect" 600
# A timed run on a shared node is refused.
sbatch --quiet --wait --partition=low --output=shared.log \
    --wrap="'$program' run --force --out other experiments/va2022/timed.yaml" && fail "a run was timed on a shared node"
grep -q 'submit it with sbatch --exclusive' shared.log ||
    fail "the message about a shared node is missing; see shared.log"
echo "2 untimed and 2 timed runs are bit-identical to those of one machine; a second submission runs nothing;" \
    "a timed run on a shared node is refused"
done=yes
