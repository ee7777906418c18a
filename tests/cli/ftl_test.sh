#!/usr/bin/env bash
# Follow-the-leader keeps segment lengths, and its bytes do not depend on threads, SIMD width or
# interruption.
source "$(dirname -- "$0")/cli.sh"
ftl=(--set sim/solver=ftl)

expect 0 sim "$tiny" "${ftl[@]}" --out cache --threads 1 --kernel wide4
expect 0 sim "$tiny" "${ftl[@]}" --out threads --threads 3
same_files cache threads
expect 0 info --json cache/hair.0006.strands
stretch=$(sed -n 's/.*"max_stretch": *\([-+0-9.e]*\).*/\1/p' printed | head -n 1)
awk -v s="$stretch" 'BEGIN {exit !(s != "" && s + 0 < 1e-4)}' || failed "stretch is '$stretch'"

cp -r cache broken
rm broken/hair.0005.strands broken/hair.0006.strands broken/hair.0006.state
expect 0 sim "$tiny" "${ftl[@]}" --out broken
same_files cache broken

expect 0 sim "$tiny" "${ftl[@]}" --set sim/ftl_velocity_correction=0 --out static
cmp -s cache/hair.0006.strands static/hair.0006.strands && failed "the correction changes nothing"
expect 2 lint "$tiny" --set sim/ftl_velocity_correction=2
# A few diverged strands are one warning with counts, cause and cure.
expect 0 sim "$tiny" "${ftl[@]}" --set sim/last_frame=6 --set sim/warmup_time=0 --out wild \
    --set 'grooms/0/maps=[{"name":"m","plugin":"density.noise","scale":0.03,"softness":0,"coverage":0.2}]' \
    --set 'sim/tip_force={"map":"m","range":[[0,0,0],[10,0,0]]}'
says 'strands diverged and were reset in 5 frames, first in frame 2; forces accelerate hair by up to'
[ "$(grep -c diverged said)" = 1 ] || failed "more than one message"
finish
