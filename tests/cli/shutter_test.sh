#!/usr/bin/env bash
# Bodies move during the shutter as they are simulated: along a smooth curve through the frames of a
# mesh sequence, or linearly.
source "$(dirname -- "$0")/cli.sh"

mkdir sequence
for frame in 1 2 3 4; do # height 0, 0, 0.02, 0.08 m
    awk -v f=$frame '/^v / { $3 += f < 3 ? 0 : f == 3 ? 0.02 : 0.08 } { print }' \
        "$source_folder/scenes/assets/ball.obj" >sequence/ball.000$frame.obj
done
for motion in smooth linear; do
    expect 0 render "$tiny" --out $motion --frames 2 --format bmp --set 'grooms=[]' --set image/width=48 \
        --set image/height=48 --set image/samples=4 --set camera/shutter_open=0.2 \
        --set camera/shutter_close=0.8 --set camera/motion_steps=4 \
        --set "bodies/0/mesh=$PWD/sequence/ball.####.obj" --set sim/last_frame=4 \
        --set sim/body_interpolation=$motion
done
cmp -s smooth/render0002.bmp linear/render0002.bmp && failed "both interpolations give one image"
finish
