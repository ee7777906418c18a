#!/usr/bin/env bash
# Every parameter of position-based dynamics changes the motion, and errors name their JSON path.
source "$(dirname -- "$0")/cli.sh"
base=(--set sim/solver=pbd --set sim/last_frame=3)

expect 0 sim "$tiny" "${base[@]}" --out plain
for change in bend_constraint=angle bend_constraint=dihedral bend_constraint=both iteration_scaling=raw \
    long_range_attachment=0.5 \
    damping_factor=0.98 stiffness=0.5 stiffness_variation=0.5 'bend_spans="2 4:0.9 last"'; do
    expect 0 sim "$tiny" "${base[@]}" --set "sim/$change" --out changed --force --kernel wide4
    cmp -s plain/hair.0003.strands changed/hair.0003.strands && failed "$change changes nothing"
    expect 0 sim "$tiny" "${base[@]}" --set "sim/$change" --out again --force --threads 3
    same_files changed again
done

expect 2 lint "$tiny" --set 'sim/bend_spans="2 four"'
says '/sim/bend_spans'
says 'found "four", wanted a number of segments from 2 on'
expect 0 lint "$tiny" --set sim/bend_spans=2
expect 2 lint "$tiny" --set 'sim={"bend_spans": 2}'
says 'a string'
expect 2 lint "$tiny" --set sim/bend_constraint=fold
says dihedral
expect 2 lint "$tiny" --set sim/damping_factor=1.5
finish
