#!/usr/bin/env bash
# Partitions of the strands of a groom, simulated by several processes and joined, are the files of one process.
source "$(dirname -- "$0")/cli.sh"

free=("$tiny" --set sim/interaction_friction=0 --set sim/interaction_stiffness=0 --set sim/wind_attenuation=0
    --set sim/cohesion=0 --set sim/checkpoint_interval=2)

# same_caches A B: statistics with timings are not compared.
same_caches() {
    rm -f "$1"/*.sim.stats.json* "$2"/*.sim.stats.json*
    same_files "$1" "$2"
}

# joined NAME COUNT ARGUMENTS...: partitions in another order than that of their strands.
joined() {
    local name=$1 count=$2 part
    shift 2
    expect 0 sim "${free[@]}" "$@" --out "$name.one"
    for ((part = count; part >= 1; --part)); do
        expect 0 sim "${free[@]}" "$@" --out "$name" --partition "$part/$count"
    done
    expect 0 sim "${free[@]}" "$@" --out "$name" --join "$count"
    same_caches "$name.one" "$name"
}

joined plain 3
for solver in pbd xpbd ftl spring; do
    joined "$solver" 2 --set "sim/solver=$solver" --set sim/last_frame=3
done
joined quantised 7 --set sim/quantise=true --set sim/last_frame=3
joined rigid 2 --set sim/enabled=false --set sim/last_frame=3
for frame in 1 2 3 4 5 6; do cp "$source_folder/scenes/assets/ball.obj" "ball.000$frame.obj"; done
joined sequence 3 --set "bodies/0/mesh=\"$folder/ball.####.obj\"" --set sim/warmup_time=0
joined keyed 2 --set 'grooms/0/length={"keys": [[1, 0.05], [3, 0.08]]}' --set sim/last_frame=3

# All partitions at once, one of them killed after its first frame and started again.
for part in 1 2 3 4; do
    "$coif" sim "${free[@]}" --out race --partition $part/4 >/dev/null 2>"race.$part" &
done
wait
expect 0 sim "${free[@]}" --out race --join 4
same_caches plain.one race
expect 0 sim "${free[@]}" --out race --partition 2/4
says 'up to date'
expect 0 sim "${free[@]}" --out race --join 4
says 'up to date'

# A partition resumes from its own checkpoint, and from that of the whole groom.
expect 0 sim "${free[@]}" --out resumed --partition 1/2 --frames 1-3
expect 0 sim "${free[@]}" --out resumed --partition 1/2
says 'restarting after frame 2'
expect 3 sim "${free[@]}" --out resumed --join 2
says 'hair.2-of-2.0001.strands: missing; expected from --partition 2/2'
expect 0 sim "${free[@]}" --out resumed --partition 2/2
expect 0 sim "${free[@]}" --out resumed --join 2
same_caches plain.one resumed
rm resumed/hair.0006.strands
expect 0 sim "${free[@]}" --out resumed --partition 1/2
says 'restarting after frame 4'

# Frames of other settings are refused.
expect 0 sim "${free[@]}" --out other --partition 1/2 --set sim/substeps=3
expect 0 sim "${free[@]}" --out other --partition 2/2
expect 4 sim "${free[@]}" --out other --join 2
says 'made with other settings'

# Strands that interact have no partitions.
expect 1 sim "${free[@]}" --set sim/interaction_friction=0.1 --out coupled --partition 1/2
says '/sim/interaction_friction is above 0 at frame 1'
expect 1 sim "${free[@]}" --set 'sim/cohesion={"keys": [[1, 0], [4, 0.5]]}' --out coupled --partition 1/2
says '/sim/cohesion is above 0 at frame 2'
expect 1 sim "${free[@]}" --out coupled --partition 3/2
says 'as 2/8'
expect 1 sim "${free[@]}" --out coupled --partition 1/9000
says 'fewer than 9000 partitions'
finish
