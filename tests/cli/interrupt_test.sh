#!/usr/bin/env bash
# SIGINT and SIGTERM end the program with exit code 6 and leave no partial files.
source "$(dirname -- "$0")/cli.sh"

long=(--set grooms/0/count=20000 --set sim/last_frame=500)

# interrupt SIGNAL FILE ARGUMENTS...: sends the signal once FILE exists and expects exit code 6.
interrupt() {
    local signal=$1 file=$2 code=0 child begin
    shift 2
    "$coif" "$@" >printed 2>said </dev/null &
    child=$!
    for ((i = 0; i < 1200; ++i)); do
        [ -e "$file" ] && break
        kill -0 $child 2>/dev/null || break
        sleep 0.05
    done
    sleep 0.3
    begin=$SECONDS
    kill -"$signal" $child 2>/dev/null
    wait $child || code=$?
    [ $code = 6 ] || {
        failed "coif $1 ended with $code after SIG$signal, wanted 6; it said:"
        tail -n 3 said >&2
    }
    [ $((SECONDS - begin)) -lt 10 ] || failed "coif $1 took its time to stop"
}

# A background job of a script ignores SIGINT unless a new handler is installed, which coif does.
interrupt INT cache/hair.0002.strands sim "$tiny" "${long[@]}" --out cache
says "cancelled"
no_scraps cache
for file in cache/*; do
    expect 0 info "$file"
done

interrupt INT mended/hair.0002.strands cache loop "$tiny" cache "${long[@]}" --out mended --overlap 0 --repeat 9999
says "cancelled after frame"
no_scraps mended
for file in mended/*; do
    expect 0 info "$file"
done

interrupt HUP hangs/hair.0002.strands sim "$tiny" "${long[@]}" --out hangs
no_scraps hangs

interrupt TERM frames render "$tiny" "${long[@]}" --cache cache --out frames \
    --frames 1-2 --set image/width=64 --set image/height=64 --set image/samples=20000 --rest
no_scraps frames

# Samples are kept in a checkpoint that is named.
interrupt INT kept/preview0001.png render "$tiny" "${long[@]}" --cache cache --out kept --progressive \
    --frames 1 --set image/width=64 --set image/height=64 --set image/samples=20000 --rest
says "Progress saved to kept/render0001.checkpoint"
[ -s kept/render0001.checkpoint ] || failed "nothing is kept: $(ls kept)"
finish
