#!/usr/bin/env bash
# Elastic rods are the default solver; their bytes do not depend on threads, SIMD width or
# interruption.
source "$(dirname -- "$0")/cli.sh"
rod=(--set sim/solver=der)

expect 0 sim "$tiny" --out cache --threads 1 --kernel wide4
expect 0 sim "$tiny" "${rod[@]}" --out threads --threads 3
same_files cache threads

cp -r cache broken
rm broken/hair.0005.strands broken/hair.0006.strands broken/hair.0006.state
expect 0 sim "$tiny" "${rod[@]}" --out broken
same_files cache broken

# Another solver gives another motion and ignores checkpoints of this one.
expect 0 sim "$tiny" --set sim/solver=pbd --out broken
cmp -s cache/hair.0006.strands broken/hair.0006.strands && failed "rod moves exactly as pbd does"
expect 0 sim "$tiny" --set sim/solver=pbd --out pbd
same_files pbd broken

expect 2 sim "$tiny" --set sim/solver=steel --out none
says der
expect 2 sim "$tiny" --set sim/youngs_modulus=-1 --out none
finish
