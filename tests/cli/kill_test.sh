#!/usr/bin/env bash
# A run that is killed and restarted gives the bytes of an uninterrupted one. Each round kills the
# program at other times; COIF_KILLS is the number of rounds, COIF_SEED their seed.
source "$(dirname -- "$0")/cli.sh"

rounds=${COIF_KILLS:-2}
RANDOM=${COIF_SEED:-7} # the same moments every time, as far as a clock can tell
slow_sim=("$tiny" --set grooms/0/count=6000 --set sim/last_frame=12)
slow_render=("$tiny" --cache cache --frames 2-3 --checkpoint 0.05
    --set grooms/0/count=6000 --set sim/last_frame=12 --set image/width=96 --set image/height=96
    --set image/samples=32)

# kill_after CENTISECONDS ARGUMENTS...: starts coif and kills it unless it has finished.
kill_after() {
    local delay=$1 child
    shift
    "$coif" "$@" >/dev/null 2>&1 </dev/null &
    child=$!
    sleep "$(printf '%d.%02d' $((delay / 100)) $((delay % 100)))"
    kill -9 $child 2>/dev/null && killed=$((killed + 1))
    wait $child 2>/dev/null
}

killed=0
for ((round = 0; round < rounds; ++round)); do
    if [ $round = 0 ]; then
        begin=${EPOCHREALTIME/./}
        expect 0 sim "${slow_sim[@]}" --out cache
        sim_time=$(((${EPOCHREALTIME/./} - begin) / 10000))
        begin=${EPOCHREALTIME/./}
        expect 0 render "${slow_render[@]}" --out frames
        render_time=$(((${EPOCHREALTIME/./} - begin) / 10000))
    fi
    rm -rf broken broken_frames
    for part in 1 2; do
        kill_after $((sim_time * (RANDOM % 30 + 30 * part) / 100)) sim "${slow_sim[@]}" \
            --out broken
    done
    expect 0 sim "${slow_sim[@]}" --out broken
    find broken -name '*.tmp' -delete
    same_files cache broken
    for part in 1 2; do
        kill_after $((render_time * (RANDOM % 30 + 30 * part) / 100)) render "${slow_render[@]}" \
            --out broken_frames
    done
    expect 0 render "${slow_render[@]}" --out broken_frames
    find broken_frames -name '*.tmp' -delete
    same_files frames broken_frames
done
printf 'killed %d times in %d rounds (sim %d cs, render %d cs)\n' $killed $rounds $sim_time $render_time
[ $killed -gt 0 ] || failed "nothing was killed: the runs are too short for this test"
finish
