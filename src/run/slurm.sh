#!/usr/bin/env bash
# For `make reproduce|sensitivity SLURM=1` (docs/cluster.md). slurm.sh submit COMMAND submits an array of shards, the timed runs,
# and a job that collects the results; sbatch runs slurm.sh TASK COMMAND. Makefile.experiments exports the variables.
if [ "$1" = submit ]; then
    set -eo pipefail && mkdir -p "$LOGS" && exec 9>"$LOGS/.lock" && flock 9 # one submission at a time
    verb=$2 name=springback-$(echo "$(pwd -P) ${OUT:-}" | cksum | cut -d' ' -f1)
    submit() { # arguments: TASK LOG OPTION...
        sbatch --parsable --export=ALL --job-name="$name" --output="$LOGS/$1-$2.log" --open-mode=append --requeue --ntasks=1 \
            --cpus-per-task="$CPUS" ${GPUS:+--gpus-per-task="$GPUS"} ${PARTITION:+--partition="$PARTITION"} --signal=B:TERM@120 \
            ${CONSTRAINT:+--constraint="$CONSTRAINT"} ${after:+--dependency=afterany$after} "${@:3}" src/run/slurm.sh "$1" "$verb" |
            cut -d';' -f1 || { [ -z "${array:-}" ] || scancel "$array"; exit 1; }
    }
    after=$(squeue --noheader --name="$name" --user="$(id -un)" --format=:%F | sort -u | tr -d '\n') # earlier submissions
    [ -z "$FILES" ] || { array=$(submit "${verb/reproduce/run}" %A-%a --array="1-$SHARDS${NODES:+%$NODES}") && after=:$array; }
    [ -z "${TIMED:-}" ] || { timed=$(submit timed %j --exclusive) && after=${array:+:$array}:$timed; }
    [ -n "${array:-}${timed:-}" ] || { echo "there is nothing to submit" && exit; }
    collect=$(submit collect %j)
    echo "jobs:${array:+ $array, an array of $SHARDS shards;}${timed:+ $timed, timed runs;}" \
        "$collect, collects the results; logs: $LOGS"
    echo "scancel --name=$name cancels all of them" && exit
fi
[ "$1" = timed ] && cores=$SLURM_CPUS_ON_NODE || cores=$SLURM_CPUS_PER_TASK # processors of this node, not of the login node
export OMP_NUM_THREADS=$cores POCL_MAX_PTHREAD_COUNT=$cores POCL_CPU_MAX_CU_COUNT=$cores
LAUNCH=${LAUNCH:-} MAKEFLAGS=$(grep -o -- '-- .*' <<<"${MAKEFLAGS:-}") # keep only the variables that were given to make
OUT=${OUT:-out/${MACHINE:-$($LAUNCH "$SPRINGBACK" devices --machine)}} || exit
eval "scratch=$NODE_SCRATCH" && scratch=${scratch:+$scratch/springback-$SLURM_JOB_ID} && trap 'rm -rf ${scratch:+"$scratch"}' EXIT
shard=(--shard "${SLURM_ARRAY_TASK_ID:-1}/$SHARDS") run=(run --resume --label --tier "$TIER")
set -m && case $1 in # the task has its own process group
run) $LAUNCH "$SPRINGBACK" "${run[@]}" $BACKEND --out "$OUT" "${shard[@]}" $FILES & ;;
timed) $LAUNCH "$SPRINGBACK" "${run[@]}" $BACKEND --out "$OUT" $TIMED & ;;
sensitivity) $LAUNCH "$SPRINGBACK" sensitivity --members "$MEMBERS" $BACKEND --out "$OUT" ${scratch:+--scratch "$scratch"} \
    "${shard[@]}" $FILES & ;;
collect) $LAUNCH make -k -f Makefile.experiments "$2" SLURM= LAUNCH= OUT="$OUT" JOBS="$cores" & ;;
esac
id=${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}
is_running() { [ "$(squeue --noheader --format=%T --jobs="$id")" = RUNNING ]; } # neither preempted nor cancelled
trap 'is_running && kill -TERM -$!' TERM # Slurm sends TERM before the time limit
while wait $!; code=$?; kill -0 $! 2>/dev/null; do :; done
# Requeue the task, which then resumes, if the time limit was reached (143), or if the program was killed (137) and the
# task has had fewer than 10 restarts.
case $code in 143 | 137) [ $code = 137 ] && [ "${SLURM_RESTART_COUNT:-0}" -ge 10 ] || ! is_running || scontrol requeue "$id" ;; esac
exit $code
