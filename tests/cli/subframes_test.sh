#!/usr/bin/env bash
# Frames between those of the cache: lists, file names, hair on the body, errors.
source "$(dirname -- "$0")/cli.sh"

small=(--set image/width=24 --set image/height=24 --set image/samples=2 --set image/animate_seed=false)
expect 0 sim "$tiny" --out c

# BMP has no metadata: equal files are equal pixels. Frame 3.5 is frame 3 with the shutter open half
# a frame later.
expect 0 render "$tiny" --cache c --out r --format bmp --frames 2,3-4x0.5 "${small[@]}"
[ "$(cd r && echo *.bmp)" = "render0002.bmp render0003.500.bmp render0003.bmp render0004.bmp" ] ||
    failed "images: $(ls r)"
expect 0 render "$tiny" --cache c --out late --format bmp --frames 3 "${small[@]}" \
    --set camera/shutter_open=0.5 --set camera/shutter_close=0.5
cmp -s r/render0003.500.bmp late/render0003.bmp || failed "frame 3.5 is not the shutter at 3.5"
cmp -s r/render0003.500.bmp r/render0003.bmp && failed "frame 3.5 is frame 3"
cmp -s r/render0003.500.bmp r/render0004.bmp && failed "frame 3.5 is frame 4"
expect 0 render "$tiny" --cache c --out r --format bmp --frames 3.5 "${small[@]}" && says "render0003.500.bmp is up to date"
expect 0 render "$tiny" --cache c --out r --frames 2.5 "${small[@]}" && expect 0 info r/render0002.500.png && prints "2.5"
# Motion blur across the ends of the cache, and without hair.
expect 0 render "$tiny" --cache c --out ends --frames 1.5,5.5 "${small[@]}" \
    --set camera/shutter_open=-0.9 --set camera/shutter_close=0.9
expect 0 render "$tiny" --cache none --out clay --bodies-only --frames 9.25 "${small[@]}"

# Roots stay on the ball, which turns by 10 degrees a frame; a chord would be 0.2 mm inside.
expect 0 export "$tiny" e.####.obj --cache c --frames 2-3x0.5
expect 0 export "$tiny" one.obj --cache c --frame 2.5 && cmp e.0002.500.obj one.obj
expect 0 export "$tiny" all.####.obj --cache c --frame 2.5 --expand
python3 - <<'END' || failed "hair between frames is not on the ball"
def roots(name):
    points = [tuple(map(float, l.split()[1:])) for l in open(name) if l.startswith("v ")]
    return points[::8]
radius = lambda p: (p[0] ** 2 + p[2] ** 2) ** 0.5
for first, name in ((2, "e.0002.500.obj"), (3, "e.0002.500.obj")):
    for a, b in zip(roots("e.000%d.obj" % first), roots(name)):
        assert abs(radius(a) - radius(b)) < 1e-5, (radius(a), radius(b))
assert max(abs(a[0] - b[0]) for a, b in zip(roots("e.0002.obj"), roots("e.0002.500.obj"))) > 1e-3
assert len(roots("all.0002.500.obj")) == 200
END

expect 3 render "$tiny" --cache c --out r --frames 6.5 "${small[@]}"
says "hair.0007.strands: no such file; frame 6.5 is interpolated between two frames of the cache"
expect 3 export "$tiny" x.obj --cache c --frame 0.5 && says "hair.0000.strands: no such file"
expect 1 export "$tiny" x.obj --cache c --frames 2,3 && says "need a run of #"
expect 1 export "$tiny" x.obj --cache c --frames 2 --frame 3 && says "either --frame or --frames"
expect 1 render "$tiny" --cache c --out r --frames 2.0005 && says "at most three decimals"
expect 1 render "$tiny" --cache c --out r --frames 2,,3 && says "is not a list of frames"
expect 1 sim "$tiny" --out c --frames 2.5 && says "the cache stores whole frames; 'render' and 'export' interpolate"
expect 1 run "$tiny" --out c --frames 1-2.5 && says "whole frames are expected"
[ -e x.obj ] && failed "a failed export left a file"
finish
