#!/usr/bin/env bash
# Constraints of a groom: messages, and a run that is restarted gives the bytes of an uninterrupted one.
source "$(dirname -- "$0")/cli.sh"

few=(--set grooms/0/count=200 --set grooms/0/simulated_fraction=1)
tie='{"name": "tie", "type": "tie", "target": "free", "from": 0.6, "to": 0.6, "radius": 0.01}'
catch='{"name": "catch", "type": "pin", "from": 1, "catch": "current", "slack": 0.002, "enabled": {"keys": [[1, false], [3, true]]}}'

constrained=("$tiny" "${few[@]}" --set "grooms/hair/constraints=[$tie, $catch]" --set sim/checkpoint_interval=1)
expect 0 sim "${constrained[@]}" --out cache --threads 1
expect 0 sim "${constrained[@]}" --out resumed --frames 1-4
rm resumed/hair.0004.strands
expect 0 sim "${constrained[@]}" --out resumed --threads 3 && says 'restarting after frame 3'
expect 0 sim "${constrained[@]}" --out resumed
same_files cache resumed
expect 0 info cache/hair.0006.state

# Constraints change the simulation and not the groom.
expect 0 sim "$tiny" "${few[@]}" --out plain
cmp plain/hair.groom cache/hair.groom || failed 'constraints change the groom'
cmp -s plain/hair.0006.strands cache/hair.0006.strands && failed 'constraints have no effect'
expect 0 sim "$tiny" "${few[@]}" --out cache && says 'frames stepped'

expect 0 sim "$tiny" "${few[@]}" --out empty --set 'grooms/hair/constraints=[{"name": "pin", "groom_region": 7}]'
says '/grooms/0/constraints/0: no point is chosen: the constraint has no effect'
expect 0 export "$tiny" "${few[@]}" plain.obj --cache plain --frame 6
expect 0 export "$tiny" "${few[@]}" empty.obj --cache empty --frame 6
cmp plain.obj empty.obj || failed 'a constraint without points moves hair'
expect 0 sim "$tiny" "${few[@]}" --out rigid --set grooms/hair/sim/enabled=false \
    --set 'grooms/hair/constraints=[{"name": "pin"}]'
says '/grooms/0/constraints: no effect: the groom is not simulated'
expect 0 lint "$tiny" --set 'grooms/hair/constraints=[{"type": "pin", "radius": 0.1}]'
says '/grooms/0/constraints/0/radius: no effect with type pin; applies to type tie'
free='"type": "tie", "target": "free", "radius": 0.01'
expect 0 lint "$tiny" --set "grooms/hair/constraints=[{$free}]"
says '/grooms/0/constraints/0/points: a free tie of all points of a strand unravels braids; use "points": "plane"'
expect 0 lint "$tiny" --set "grooms/hair/constraints=[{$free, \"points\": \"plane\", \"position\": [0, 0.2, 0]}, {$free, \"from\": 1}]"
grep -q unravels said && failed 'a free tie of one plane is warned about'
expect 2 sim "$tiny" --out wrong --set 'grooms/hair/constraints=[{"type": "attach", "body": "hat"}]'
says '/grooms/0/constraints/0/body: "hat" is not'
expect 2 sim "$tiny" --out wrong --set 'grooms/hair/constraints=[{"target": "free"}]'
says '/grooms/0/constraints/0/target: only a tie can be free'
expect 2 sim "$tiny" --out wrong --set 'grooms/hair/constraints=[{"points_file": "absent.txt"}]'
says 'absent.txt'
finish
