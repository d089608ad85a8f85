#!/usr/bin/env bash
# `make reproduce SLURM=1` and `make sensitivity SLURM=1` (docs/cluster.md): slurm.sh submit VERB submits an array of shards,
# the timed runs, and a job that collects; sbatch runs slurm.sh TASK VERB. Makefile.experiments exports the variables.
if [ "$1" = submit ]; then
    set -eo pipefail
    name=springback-$(pwd | cksum | cut -d' ' -f1) verb=$2
    mkdir -p "$LOGS" && submit() { # TASK OPTION...
        [[ $2 = --array* ]] && log=$1-%A-%a || log=$1-%j
        sbatch --parsable --job-name="$name" --output="$LOGS/$log.log" --open-mode=append --requeue \
            --ntasks=1 --cpus-per-task="$CPUS" ${GPUS:+--gpus-per-task="$GPUS"} ${PARTITION:+--partition="$PARTITION"} \
            ${CONSTRAINT:+--constraint="$CONSTRAINT"} --signal=B:TERM@120 "${@:2}" \
            src/run/slurm.sh "$1" "$verb" | cut -d';' -f1
    }
    earlier=$(squeue --noheader --name="$name" --user="$(id -un)" --format=%A | sort -u | paste -sd:)
    array=$(submit "${verb/reproduce/run}" --array="1-$SHARDS${NODES:+%$NODES}" ${earlier:+--dependency=afterany:"$earlier"})
    [ "$verb" = sensitivity ] || [ -z "$TIMED" ] || timed=$(submit timed --exclusive --dependency=afterany:"$array")
    collect=$(submit collect --dependency=afterany:"$array${timed:+:$timed}")
    echo "jobs: $array, $SHARDS shards${timed:+; $timed, timed runs}; $collect, collects; logs: $LOGS"
    exit
fi
export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK # its own, not the login node's; a timed run has the node
[ "$1" != timed ] || OMP_NUM_THREADS=$SLURM_CPUS_ON_NODE
LAUNCH=${LAUNCH:-} MAKEFLAGS=$(grep -o -- '-- .*' <<<"${MAKEFLAGS:-}") # the variables of the call alone
OUT=${OUT:-out/${MACHINE:-$($LAUNCH "$SPRINGBACK" devices --machine)}} || exit
shard=(--shard "${SLURM_ARRAY_TASK_ID:-1}/$SHARDS") run=(run --resume --label --tier "$TIER")
set -m # the task is a process group of its own, to which TERM goes on
case $1 in
run) $LAUNCH "$SPRINGBACK" "${run[@]}" $BACKEND --out "$OUT" "${shard[@]}" $UNTIMED & ;;
timed) $LAUNCH "$SPRINGBACK" "${run[@]}" $BACKEND --out "$OUT" $TIMED & ;;
sensitivity) $LAUNCH "$SPRINGBACK" sensitivity --members "$MEMBERS" $BACKEND --out "$OUT" ${SCRATCH:+--scratch "$SCRATCH"} \
    "${shard[@]}" $SWEPT & ;;
collect) $LAUNCH make -f Makefile.experiments "$2" SLURM= LAUNCH= OUT="$OUT" JOBS="$OMP_NUM_THREADS" & ;;
esac
trap 'sleep 1; kill -TERM -$!' TERM # before a time limit Slurm tells this shell alone; else the task is told as well
while wait $!; code=$?; kill -0 $! 2>/dev/null; do :; done
# Ended by a signal, and neither preempted nor cancelled, when Slurm decides: start again, and resume.
id=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID} id=${id:-$SLURM_JOB_ID}
[ $code -le 128 ] || [ "${SLURM_RESTART_COUNT:-0}" -ge 30 ] || [ "$(squeue --noheader --jobs="$id" --format=%T)" != RUNNING ] ||
    scontrol requeue "$id"
exit $code
