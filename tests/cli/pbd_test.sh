#!/usr/bin/env bash
# Every parameter of position-based dynamics changes the motion, and errors name their JSON path.
source "$(dirname -- "$0")/cli.sh"
base=(--set sim/solver=pbd --set sim/last_frame=3)

expect 0 sim "$tiny" "${base[@]}" --out plain
for change in bend_constraint=angle bend_constraint=dihedral bend_constraint=both iteration_scaling=raw \
    long_range_attachment=0.5 \
    damping_factor=0.98 rigid_damping=0.1 rigid_damping_rate=20 stiffness=0.5 stiffness_variation=0.5 'bend_spans="2 4:0.9 last"' \
    'bend_spans="2*0.5"' 'bend_spans="2 1--2:0.9*0.5"'; do
    expect 0 sim "$tiny" "${base[@]}" --set "sim/$change" --out changed --force --kernel wide4
    cmp -s plain/hair.0003.strands changed/hair.0003.strands && failed "$change changes nothing"
    expect 0 sim "$tiny" "${base[@]}" --set "sim/$change" --out again --force --threads 3
    same_files changed again
done

expect 2 lint "$tiny" --set 'sim/bend_spans="2 four"'
says '/sim/bend_spans'
says 'found "four" at character 3, expected a number of segments from 2 on'
expect 0 sim "$tiny" "${base[@]}" --set 'sim/bend_spans="2 3-500*0.5"' --out short --force
says '"3-500*0.5" has no effect on'
expect 0 lint "$tiny" --set sim/bend_spans=2
expect 2 lint "$tiny" --set 'sim={"bend_spans": 2}'
says 'a string'
expect 2 lint "$tiny" --set sim/preset=mueller2006
says '"mueller2006" is not a choice here, did you mean "mueller2007"? (known: "none", "mueller2007")'
expect 2 lint "$tiny" --set 'sim/preset={"keys":[[1,"none"],[5,"mueller2007"]]}'
expect 0 info "$tiny" --set sim/preset=mueller2007 --set sim/drag=2
prints 'root_boundary           pinned      mueller2007'
prints 'drag                    2           scene'
expect 0 lint "$tiny" --set sim/preset=mueller2007 --set sim/gravity_compensation=1
says '/sim/gravity_compensation: no effect with root_boundary pinned; applies to root_boundary clamped'
says '/forces/0: wind.uniform has no effect while sim/drag and sim/drag_coefficient are 0'
expect 0 lint "$tiny" --set sim/preset=mueller2007 --set sim/bend_spans=3 --set sim/bend_constraint=dihedral
says '/sim/bend_spans: no effect with bend_constraint dihedral'
expect 0 sim "$tiny" --set sim/preset=mueller2007 --set sim/iterations=1 --set sim/drag=1 --out long
says 'segments are stretched by up to'
says 'raise sim/substeps (4) or sim/iterations (1), or set sim/length_constraint to direct'
expect 2 lint "$tiny" --set sim/bend_constraint=fold
says dihedral
expect 2 lint "$tiny" --set sim/damping_factor=1.5
finish
