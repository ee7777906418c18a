#!/usr/bin/env bash
# A film through Slurm: munge, a controller and two nodes on the loopback interface. Tasks are killed, a node
# is lost, a frame is damaged, the disk of a node is full, the simulation is pre-empted by a partition of higher
# priority and two films are submitted at once; every film is that of one process, bit for bit.
source "$(dirname -- "$0")/cli.sh"
for program in munged slurmctld slurmd sbatch scontrol; do
    command -v $program >/dev/null || PATH=$PATH:/usr/sbin
    command -v $program >/dev/null || skip "$program is not installed"
done
[ "$(id -u)" = 0 ] || skip "the daemons of this test are started as root"

D=$folder/slurm
mkdir -p "$D"/{run,state,spool,log}
chmod 755 "$folder"
port=$((20000 + $$ % 20000))
cat >"$D/slurm.conf" <<END
ClusterName=coif
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$D/run/munge.sock,cred_expire=5
CredType=cred/munge
SlurmctldPort=$port
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool/%n
SlurmctldPidFile=$D/run/slurmctld.pid
SlurmdPidFile=$D/run/slurmd.%n.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobRequeue=1
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PropagateResourceLimits=NONE
MinJobAge=600
MaxJobCount=20000
ReturnToService=2
SlurmdTimeout=10
KillWait=5
InactiveLimit=0
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=2000 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=2000 State=UNKNOWN Weight=2
PartitionName=render Nodes=ALL Default=YES MaxTime=INFINITE PriorityTier=1 State=UP
PartitionName=urgent Nodes=ALL MaxTime=INFINITE PriorityTier=9 PreemptMode=OFF State=UP
END
export SLURM_CONF=$D/slurm.conf

stop_daemons() {
    local name
    for name in slurmd.n1 slurmd.n2 slurmctld munged; do
        [ ! -e "$D/run/$name.pid" ] || kill "$(cat "$D/run/$name.pid")" 2>/dev/null
    done
    wait_until 10 daemons_are_gone
    rm -rf "$folder"
}
daemons_are_gone() { [ -z "$(ls "$D"/run/*.pid 2>/dev/null)" ]; }
trap stop_daemons EXIT

# wait_until SECONDS COMMAND...: repeats a command until it succeeds.
wait_until() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.03
    done
}
both_idle() { [ "$(sinfo -h -N -o %T 2>/dev/null | sort -u)" = idle ]; }

head -c 1024 /dev/urandom >"$D/run/munge.key"
chmod 600 "$D/run/munge.key"
munged --force --socket="$D/run/munge.sock" --key-file="$D/run/munge.key" --pid-file="$D/run/munged.pid" \
    --log-file="$D/log/munged.log" --seed-file="$D/run/munge.seed" --num-threads=2 2>log ||
    skip "munged does not start: $(cat log)"
slurmctld -f "$D/slurm.conf" && slurmd -f "$D/slurm.conf" -N n1 && slurmd -f "$D/slurm.conf" -N n2
wait_until 60 both_idle || skip "the nodes do not start: $(tail -n 3 "$D"/log/*.log)"

scene=("$tiny" --threads 1 --set image/width=32 --set image/height=32 --set grooms/0/count=1000)
expect 0 run "${scene[@]}" --out one --no-video
rm one/run.stats.json

queue_is_empty() { [ -z "$(squeue -h 2>/dev/null)" ]; }

# same_film FOLDER: waits for the assembly and compares everything with one process.
same_film() {
    wait_until 240 queue_is_empty || failed "jobs are left in the queue: $(squeue)"
    [ -s "$1/output.mp4" ] || failed "$1: no video: $(tail -n 5 "$1"/farm/logs/slurm-coif-assemble.log)"
    mkdir -p "$1.files"
    cp "$1"/*.groom "$1"/*.strands "$1"/*.state "$1"/*.png "$1.files"
    same_files one "$1.files"
}

# unit_process FOLDER UNIT: sets child to the process that makes a unit, and stops it: however fast the machine is, the
# unit is not done before what happens to it next.
unit_process() {
    child=$(pgrep -f "^$coif $2 .*--out $folder/$1 " | head -n 1)
    [ -n "$child" ] && kill -STOP "$child" 2>/dev/null
}

# A film in partitions and tiles, and a second one to the same folder at the same time.
for said in first second; do
    "$coif" farm submit "${scene[@]}" --out plain --engine slurm --chunk 3 --partitions 2 --tiles 2x1 >/dev/null 2>$said.said &
done
wait
[ "$(cat first.said second.said | grep -c 'units submitted')" = 1 ] ||
    failed "one of two submissions is accepted: $(cat first.said second.said)"
same_film plain

# The simulation is pre-empted by a job on both nodes, a render task is killed with -9, and a frame is damaged
# before the assembly.
slow=("${scene[@]}" --set grooms/0/count=3000 --set sim/substeps=40 --set image/samples=128)
expect 0 run "${slow[@]}" --out one --no-video
rm one/run.stats.json
expect 0 farm submit "${slow[@]}" --out trouble --engine slurm --chunk 2
mapfile -t jobs <trouble/farm/slurm.jobs
scontrol hold "${jobs[2]}"
wait_until 60 unit_process trouble sim || failed "the simulation was not seen"
sbatch --partition=urgent --nodes=2 --exclusive --output=/dev/null --wrap true >/dev/null || failed "no urgent job"
was_requeued() { scontrol show job "${jobs[0]}" | grep -q 'Restarts=[1-9]'; }
wait_until 120 was_requeued || failed "the simulation was not pre-empted: $(scontrol show job "${jobs[0]}")"
wait_until 240 unit_process trouble render || failed "no render task was seen"
kill -9 "$child" || failed "no render task was killed"
wait_until 120 test -e trouble/farm/units/render-2.json
render_is_done() { ! squeue -h -o %j | grep -q coif-render; }
wait_until 120 render_is_done || failed "the render tasks do not end"
printf broken >>trouble/render0001.png
scontrol release "${jobs[2]}"
same_film trouble
grep -qs 'render0001.png: damaged' trouble/farm/logs/slurm-coif-assemble.log || failed "the damaged frame was not found"

# A node is lost in the middle of a unit.
expect 0 farm submit "${slow[@]}" --out lost --engine slurm --chunk 2
wait_until 60 unit_process lost sim || failed "the simulation was not seen"
node=$(squeue -h -t running -o %N | head -n 1)
worker=$(ps -o ppid= -p "$child")
kill -9 "$(cat "$D/run/slurmd.$node.pid")" $(pgrep -f "slurmstepd: \[$(head -n 1 lost/farm/slurm.jobs)") $worker "$child"
slurmd -f "$D/slurm.conf" -N "$node"
same_film lost
expect 0 farm logs trouble assemble
prints 'render0001.png: damaged'
expect 0 farm status lost
prints '6 of 6 frames'

# The disk of a node is full (here a limit on the size of files there): its units go to the other node.
kill "$(cat "$D/run/slurmd.n2.pid")"
gone() { [ ! -e "$D/run/slurmd.n2.pid" ]; }
wait_until 60 gone || failed "slurmd of n2 does not end"
(ulimit -f 8; exec slurmd -f "$D/slurm.conf" -N n2)
wait_until 60 both_idle || failed "n2 does not come back: $(sinfo)"
large=("${slow[@]}" --set image/width=96 --set image/height=96 --set image/samples=16)
mv one one.slow
expect 0 run "${large[@]}" --out one --no-video
rm one/run.stats.json
expect 0 farm submit "${large[@]}" --out full --engine slurm --chunk 1
same_film full
grep -qs 'units failed on n2' full/farm/logs/slurm-coif-assemble.log || failed "no unit failed on n2: $("$coif" farm status full)"
rm -r one
mv one.slow one

# Cancelled work leaves the queue and is resumed.
expect 0 farm submit "${slow[@]}" --out cancelled --engine slurm --chunk 2
expect 0 farm cancel cancelled
wait_until 60 queue_is_empty || failed "cancelled jobs are in the queue"
[ ! -e cancelled/output.mp4 ] || failed "the film is complete before it was resumed"
expect 0 farm resume cancelled
same_film cancelled

# A film of 10,000 tasks, in arrays of 1,000.
expect 0 farm submit "${scene[@]}" --out feature --engine slurm --frames 1-10000 --chunk 1
[ "$(squeue -h -r -n coif-render | wc -l)" = 10000 ] || failed "$(squeue -h -r -n coif-render | wc -l) of 10000 tasks are in the queue"
expect 0 farm status feature
prints '0 of 10000 frames'
prints 'assembly  PENDING'
expect 1 farm resume feature
says 'the film is in the queue'
expect 0 farm cancel feature
wait_until 120 queue_is_empty || failed "cancelled tasks are in the queue: $(squeue -h -r | wc -l)"
expect 0 farm status feature
prints 'queue     no job is left'
finish
