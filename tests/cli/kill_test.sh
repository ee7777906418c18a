#!/usr/bin/env bash
# A run that is killed and restarted gives the bytes of an uninterrupted one. COIF_KILLS is the number
# of rounds, COIF_SEED the seed of the frames and delays at which the program is killed.
source "$(dirname -- "$0")/cli.sh"

rounds=${COIF_KILLS:-2}
RANDOM=${COIF_SEED:-7}
slow_sim=("$tiny" --set grooms/0/count=6000 --set sim/last_frame=12)
slow_render=("$tiny" --cache cache --frames 2-3 --checkpoint 0.05
    --set grooms/0/count=6000 --set sim/last_frame=12 --set image/width=96 --set image/height=96
    --set image/samples=32)

# kill_after FILE ARGUMENTS...: starts coif and kills it up to 0.1 s after it has written FILE.
kill_after() {
    local file=$1 child
    shift
    "$coif" "$@" >/dev/null 2>&1 </dev/null &
    child=$!
    while [ ! -e "$file" ] && kill -0 $child 2>/dev/null; do
        sleep 0.01
    done
    sleep "0.0$((RANDOM % 10))"
    kill -9 $child 2>/dev/null && killed=$((killed + 1))
    wait $child 2>/dev/null
}

expect 0 sim "${slow_sim[@]}" --out cache
expect 0 render "${slow_render[@]}" --out frames
killed=0
for ((round = 0; round < rounds; ++round)); do
    rm -rf broken broken_frames
    for first in 1 7; do
        kill_after "$(printf 'broken/hair.%04d.strands' $((first + RANDOM % 5)))" sim "${slow_sim[@]}" --out broken
    done
    expect 0 sim "${slow_sim[@]}" --out broken
    same_files cache broken
    for frame in 2 3; do
        kill_after broken_frames/render000$frame.checkpoint render "${slow_render[@]}" --out broken_frames
    done
    expect 0 render "${slow_render[@]}" --out broken_frames
    same_files frames broken_frames
done
printf 'killed %d times in %d rounds\n' $killed $rounds
[ $killed -gt 0 ] || failed "no run was killed: they are too short for this test"
finish
