#!/usr/bin/env bash
# coif diff: equal and different strands, caches and images, with the exit code for scripts.
source "$(dirname -- "$0")/cli.sh"

lashes=$source_folder/scenes/assets/lashes.hair
expect 0 convert "$lashes" a.ply
expect 0 convert "$lashes" b.txt
expect 0 diff a.ply b.txt && prints "equal"
expect 0 convert "$lashes" c.ply --scale 1.5
expect 1 diff a.ply c.ply && says "a.ply and c.ply differ" && prints "rms_distance"
expect 0 diff a.ply c.ply --tolerance 1
expect 0 convert "$lashes" d.ply --max-strands 20
expect 1 diff a.ply d.ply --json && prints '"first_different_strand"'
expect 2 diff a.ply "$tiny" && says "unknown strand file"
expect 3 diff a.ply none.ply

# Caches: the same simulation is equal, another gravity is not and has a plot over time.
expect 0 sim "$tiny" --out one --frames 1-3
expect 0 sim "$tiny" --out two --frames 1-3
expect 0 diff one two --groom hair && prints "frame"
expect 0 sim "$tiny" --out three --frames 1-3 --set 'sim/gravity=[0,-5,0]'
expect 1 diff one three --groom hair --plot plot.svg
grep -q "<polyline" plot.svg || failed "no plot"
expect 1 diff one two && says "--groom NAME"
expect 0 diff one/hair.0002.strands two/hair.0002.strands
expect 0 convert one/hair.0002.strands frame.obj && says "frame.obj: "

# Images.
small=(--set image/width=24 --set image/height=24 --set image/samples=1)
expect 0 render "$tiny" --rest --frames 1 --out one "${small[@]}"
cp one/render0001.png same.png
expect 0 diff one/render0001.png same.png
expect 0 render "$tiny" --rest --frames 1 --out two "${small[@]}" --set image/exposure=1
expect 1 diff one/render0001.png two/render0001.png --picture false.png && prints "relative_mse"
expect 0 info false.png
finish
