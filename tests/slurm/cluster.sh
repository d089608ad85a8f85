#!/usr/bin/env bash
# Start and stop a real Slurm on the loopback interface, for tests: munged, slurmctld, two slurmd (nodes n1 and n2, with
# 4 CPUs each).
#
#   tests/slurm/cluster.sh start FOLDER   start the daemons; FOLDER, an absolute path, gets all files of the cluster
#   tests/slurm/cluster.sh stop FOLDER    end the daemons and all jobs; the files are kept
#
# Clients (sbatch, squeue, scontrol, srun) need only SLURM_CONF=FOLDER/slurm.conf. Each start makes a new cluster: files
# of an earlier one in FOLDER are removed, and job IDs begin at 1. Needs root, and the Debian packages slurm-wlm and munge.
# Two partitions over both nodes: low (the default; its jobs are requeued when high needs their CPUs) and high.
set -euo pipefail
fail() { echo "tests/slurm/cluster.sh: $1" >&2; exit 2; }
[ $# = 2 ] || fail "usage: tests/slurm/cluster.sh start|stop FOLDER"
verb=$1 folder=${2%/}
# slurm.conf has no quotes, and %, commas and spaces are special there. The path of a socket has at most 107 bytes.
[[ $folder =~ ^/[A-Za-z0-9._/+-]+$ ]] || fail "FOLDER must be an absolute path of letters, digits and . _ / + - only"
[ ${#folder} -le 80 ] || fail "FOLDER must have at most 80 characters: sockets are made there"
[ "$(id -u)" = 0 ] || fail "Slurm's daemons need root; run this script as root"
PATH=$PATH:/usr/sbin:/sbin
export SLURM_CONF=$folder/slurm.conf
unset SLURMD_NODENAME # this script may itself run in a job of another Slurm

# Print this cluster's processes: ID and kind, which is munged, slurmctld, slurmd, slurmstepd or job. All were started
# with this SLURM_CONF. Clients may have it too, but only processes of jobs have SLURMD_NODENAME. A job's process may
# clear its environment, so all descendants of a job's process count as processes of the job.
members() {
    local files file id name found=
    mapfile -t files < <(grep -lzsxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ)
    for file in "${files[@]}"; do
        id=${file//[!0-9]/}
        read -r name 2>/dev/null <"/proc/$id/comm" || continue
        case $name in
        munged | slurmctld | slurmd | slurmstepd) found+=" $id $name" ;;
        slurmscriptd) found+=" $id slurmctld" ;; # a process of slurmctld
        esac
    done
    [ ${#files[@]} = 0 ] || while read -r file; do
        found+=" ${file//[!0-9]/} job"
    done < <(grep -lzsx 'SLURMD_NODENAME=n[12]' "${files[@]}")
    [ -n "$found" ] || return 0
    grep -sH '^PPid:' /proc/[0-9]*/status | awk -F '[/:\t]+' -v found="$found" '
        function print_tree(id,    ids, count, i) {
            if (id in printed) return
            printed[id]
            print id, (id in kind ? kind[id] : "job")
            count = split(below[id], ids, " ")
            for (i = 1; i <= count; ++i) print_tree(ids[i])
        }
        { below[$NF] = below[$NF] " " $3 }
        END {
            count = split(found, words, " ")
            for (i = 1; i < count; i += 2) kind[words[i]] = words[i + 1]
            for (i = 1; i < count; i += 2) print_tree(words[i])
        }'
}

# Send SIGNAL to the processes whose kind matches KINDS, and wait until they are gone; after 5 s send KILL.
end() { # SIGNAL KINDS
    local signal=$1 start=$SECONDS sent=0 ids
    while true; do
        mapfile -t ids < <(members | grep -E " ($2)$" | cut -d ' ' -f 1)
        [ ${#ids[@]} != 0 ] || return 0
        [ $((SECONDS - start)) -le 5 ] || signal=KILL
        [ $((SECONDS - start)) -le 30 ] || fail "these processes do not end: ${ids[*]}"
        if [ $sent = 0 ] || [ "$signal" = KILL ]; then
            kill -"$signal" "${ids[@]}" 2>/dev/null || true
            sent=1
        fi
        sleep 0.1
    done
}

stop() {
    local tries ids id
    mapfile -t ids < <(members | cut -d ' ' -f 1)
    end TERM 'slurmctld|slurmd|job'
    end KILL 'slurmstepd|job' # slurmstepd ignores TERM
    end TERM munged # last, because the other daemons use it
    # /proc has a folder for an ended process until the parent of the process calls wait. Process 1 of a container may
    # never call wait.
    for ((tries = 0; tries < 20; ++tries)); do
        for id in "${ids[@]}"; do [ ! -e "/proc/$id" ] || { sleep 0.1; continue 2; }; done
        return 0
    done
}

free_ports() { # COUNT: print the first of COUNT consecutive free ports
    local first port
    while true; do
        # Below the ports that Linux gives to clients.
        first=$((10000 + RANDOM % 20000))
        for ((port = first; port < first + $1; ++port)); do
            ! (: </dev/tcp/127.0.0.1/$port) 2>/dev/null || continue 2
        done
        echo $first
        return
    done
}

mark="# Written by tests/slurm/cluster.sh."
write_configuration() {
    local first
    first=$(free_ports 3)
    # cred_expire also sets how long a requeued job waits before it may start again; 120 s unless set, at least 5 s.
    # config_overrides: a node has the CPUs and memory of this file, not those of the machine.
    cat >"$SLURM_CONF" <<END
$mark
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$first
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/%n
SlurmctldPidFile=$folder/state/slurmctld.pid
SlurmdPidFile=$folder/state/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd.%n
SlurmctldDebug=verbose
SlurmdDebug=verbose
MailProg=/bin/true
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MessageTimeout=30
KillWait=5
MinJobAge=300
MaxArraySize=1001
JobRequeue=1
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PriorityType=priority/basic
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((first + 1)) CPUs=4 RealMemory=64000
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((first + 2)) CPUs=4 RealMemory=64000
PartitionName=low Nodes=n1,n2 Default=YES MaxTime=INFINITE PriorityTier=1 PreemptMode=REQUEUE GraceTime=0
PartitionName=high Nodes=n1,n2 MaxTime=INFINITE PriorityTier=10 PreemptMode=OFF
END
}

# Run a daemon in the background, separated from this script's session and open files.
daemon() { # NAME COMMAND...
    local name=$1 file
    shift
    (
        for file in /proc/self/fd/*; do
            file=${file##*/}
            [ "$file" -le 2 ] || exec {file}>&-
        done
        cd /
        exec setsid "$@" </dev/null >"$folder/log/$name.out" 2>&1
    ) &
}

give_up() { # WHY: print the logs, and end all daemons
    local ids
    tail -n 20 "$folder"/log/*.out >&2 || true
    stop
    # `stop` does not end a process that did not become a daemon of Slurm, for example a wrapper.
    mapfile -t ids < <(jobs -rp)
    [ ${#ids[@]} = 0 ] || kill -KILL "${ids[@]}" 2>/dev/null || true
    fail "$1"
}

start() {
    local command tries deadline
    for command in munged slurmctld slurmd sinfo; do
        command -v $command >/dev/null || fail "$command is missing; install it with apt-get install slurm-wlm munge"
    done
    [ -z "$(members)" ] || fail "a Slurm is running in $folder already"
    if [ -n "$(ls -A "$folder" 2>/dev/null)" ]; then
        grep -qsxF "$mark" "$SLURM_CONF" || fail "$folder has files of another origin; use an empty folder"
        rm -rf "$folder"/{log,munge,state,n1,n2}
    fi
    mkdir -p "$folder"/{log,munge,state,n1,n2}
    write_configuration
    trap 'give_up "interrupted"' HUP INT TERM
    (umask 077 && head -c 128 /dev/urandom >"$folder/munge/key")
    # --force: munged would refuse a FOLDER that others cannot enter, or in which they can write.
    daemon munged munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
        --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" --log-file="$folder/log/munged"
    for ((tries = 0; tries < 50; ++tries)); do [ ! -S "$folder/munge/socket" ] || break; sleep 0.1; done
    daemon slurmctld slurmctld -D -c
    daemon slurmd.n1 slurmd -D -N n1
    daemon slurmd.n2 slurmd -D -N n2
    deadline=$((SECONDS + 20))
    while [ $SECONDS -lt $deadline ]; do
        [ "$(jobs -rp | wc -l)" = 4 ] || give_up "a daemon ended early"
        if [ "$(timeout 5 sinfo -h -p low -t idle -o %D 2>/dev/null)" = 2 ]; then
            echo "slurm.conf: $SLURM_CONF"
            return
        fi
        sleep 0.1
    done
    give_up "the nodes are not idle after 20 s"
}

case $verb in
start) start ;;
stop) stop ;;
*) fail "usage: tests/slurm/cluster.sh start|stop FOLDER" ;;
esac
