#!/usr/bin/env bash
# A turntable shows one frame from all sides: its first image is that of the frame, its others those
# of the turned camera, and an open shutter blurs the orbit but not the hair.
source "$(dirname -- "$0")/cli.sh"

small=(--set image/format=bmp --set image/width=48 --set image/height=48 --set image/samples=4 --set image/animate_seed=false)
expect 0 sim "$tiny" --out cache --frames 1-3
expect 0 render "$tiny" --cache cache --out still --frames 3 "${small[@]}"
expect 0 render "$tiny" --cache cache --out turn --turntable 4 --frames 3 "${small[@]}"
[ "$(cd turn && echo *.bmp)" = "render0001.bmp render0002.bmp render0003.bmp render0004.bmp" ] ||
    failed "images: $(ls turn)"
cmp -s turn/render0001.bmp still/render0003.bmp || failed "the first image is not that of frame 3"
expect 0 render "$tiny" --cache cache --out side --frames 3 "${small[@]}" --set camera/orbit=90
cmp -s turn/render0002.bmp side/render0003.bmp || failed "the second image is not turned by 90 degrees"
cmp -s turn/render0001.bmp turn/render0003.bmp && failed "front and back are the same image"

# Images that are up to date are kept; another number of images turns the camera elsewhere.
cp -r --preserve=timestamps turn before
touch -d '2001-01-01' turn/*.bmp
expect 0 render "$tiny" --cache cache --out turn --turntable 4 --frames 3 "${small[@]}"
[ -z "$(find turn -newermt '2002-01-01' -name '*.bmp')" ] || failed "a second render wrote again"
expect 0 render "$tiny" --cache cache --out turn --turntable 3 --frames 3 "${small[@]}"
cmp -s turn/render0002.bmp before/render0002.bmp && failed "thirds and quarters of a revolution are the same"

# Motion blur: of the orbit.
expect 0 render "$tiny" --cache cache --out blurred --turntable 4 --frames 3 "${small[@]}" \
    --set camera/shutter_close=0.5
cmp -s blurred/render0001.bmp before/render0001.bmp && failed "an open shutter does not blur the orbit"

# At rest, without a cache of frames, and as a film.
expect 0 run "$tiny" --out rest --rest --turntable 3 --no-video "${small[@]}"
prints "images    rest/render0001"
[ "$(ls rest/*.bmp | wc -l)" = 3 ] || failed "not 3 images: $(ls rest)"
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    expect 0 run "$tiny" --out film --rest --turntable 3 --set image/width=48 --set image/height=48
    [ -s film/output.mp4 ] || failed "no film of the turntable"
fi
expect 1 render "$tiny" --cache cache --out turn --turntable 4 --frames 1-3
says "--turntable shows one frame"
expect 1 render "$tiny" --cache cache --out turn --turntable=-4
finish
