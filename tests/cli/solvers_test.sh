#!/usr/bin/env bash
# The bytes of every solver do not depend on threads, SIMD width or interruption, and no two solvers
# agree.
source "$(dirname -- "$0")/cli.sh"

for method in xpbd spring; do
  set=(--set "sim/solver=$method")
  expect 0 sim "$tiny" "${set[@]}" --out "$method" --threads 1 --kernel wide4
  expect 0 sim "$tiny" "${set[@]}" --out threads --threads 3
  same_files "$method" threads

  cp -r "$method" broken
  rm broken/hair.0005.strands broken/hair.0006.strands broken/hair.0006.state
  expect 0 sim "$tiny" "${set[@]}" --out broken
  same_files "$method" broken
  rm -r threads broken
done

expect 0 sim "$tiny" --set sim/solver=pbd --out pbd
for other in xpbd spring; do
  cmp -s "$other/hair.0006.strands" pbd/hair.0006.strands && failed "$other moves exactly as pbd does"
done

# Springs that would need too many substeps are softened, with a warning.
expect 0 sim "$tiny" --set sim/solver=spring --set sim/max_inner_steps=2 --out soft
says "the limit is 2"
expect 2 sim "$tiny" --set sim/solver=spring --set sim/max_inner_steps=0 --out none
finish
