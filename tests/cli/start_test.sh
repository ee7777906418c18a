#!/usr/bin/env bash
# A simulation can start from the last frame of another.
source "$(dirname -- "$0")/cli.sh"

expect 0 sim "$tiny" --out first --set sim/checkpoint_interval=3
expect 0 sim "$tiny" --out second --from first/#.0003.state && says "hair: starts from first/hair.0003.state"
[ -s second/hair.0001.strands ] || failed "no first frame"
cmp -s first/hair.0001.strands second/hair.0001.strands && failed "it began at rest"
expect 0 sim "$tiny" --out second --from first/hair.0003.state && says "are up to date"
expect 2 sim "$tiny" --out third --from first/hair.0003.state --set grooms/0/points=5
says "but this groom simulates"
expect 3 sim "$tiny" --out third --from nothing.state && says "no such file: nothing.state"
printf 'x' >>first/hair.0003.state
expect 4 sim "$tiny" --out third --from first/hair.0003.state
finish
