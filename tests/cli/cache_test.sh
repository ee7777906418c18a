#!/usr/bin/env bash
# Corrected caches: every operation, what render, sim, info and export make of them, and errors.
source "$(dirname -- "$0")/cli.sh"

# content FILE: digest of a frame without its metadata.
content() {
    "$coif" info "$1" | sed -n 's/^  digest *//p'
}
# same A B: two frames have the same content.
same() {
    [ "$(content "$1")" = "$(content "$2")" ] || failed "$1 and $2 differ"
}
differ() {
    [ "$(content "$1")" != "$(content "$2")" ] || failed "$1 and $2 are equal"
}

expect 0 sim "$tiny" --out a
expect 0 sim "$tiny" --out b --set 'forces/0/velocity=[-4, 0, 0]'

# blend: the ends are the inputs, and a keyed weight leads from one to the other.
expect 0 cache blend "$tiny" a b --out mix --weight 2:0,5:1
for f in 1 2; do same mix/hair.000$f.strands a/hair.000$f.strands; done
for f in 5 6; do same mix/hair.000$f.strands b/hair.000$f.strands; done
differ mix/hair.0003.strands a/hair.0003.strands
differ mix/hair.0003.strands b/hair.0003.strands
expect 0 info mix/hair.0003.strands && prints "corrected=blend weight=2:0,5:1"
grep -q "settings=" <<<"$(grep -v groom_settings printed)" && failed "the digest of the simulation was kept"

# smooth, retime and damp: the identity is exact, the ends of smooth are kept.
expect 0 cache smooth "$tiny" a --out smooth --radius 2
same smooth/hair.0001.strands a/hair.0001.strands
differ smooth/hair.0003.strands a/hair.0003.strands
expect 0 cache smooth "$tiny" a --out again --threads 3 # the default radius
same_files smooth again
expect 0 cache retime "$tiny" a --out same --speed 1
for f in 1 4 6; do same same/hair.000$f.strands a/hair.000$f.strands; done
expect 0 cache damp "$tiny" a --out still --amount 0
same still/hair.0004.strands a/hair.0004.strands
expect 0 cache retime "$tiny" a --out slow --speed 0.5
[ -e slow/hair.0011.strands ] && [ ! -e slow/hair.0012.strands ] || failed "half speed: $(ls slow)"
# Retimed with its body, hair is at the same positions and has half the speed.
speed() {
    "$coif" info "$1" | sed -n 's/^  max_speed *//p'
}
expect 0 cache retime "$tiny" a --out half --speed 0.5 --with-body
python3 -c "assert abs($(speed half/hair.0005.strands) / $(speed a/hair.0003.strands) - 0.5) < 0.05" ||
    failed "speeds $(speed half/hair.0005.strands) and $(speed a/hair.0003.strands)"
expect 0 cache loop "$tiny" a --out cycle --frames 1-6 --overlap 2 --repeat 3
[ -e cycle/hair.0012.strands ] && [ ! -e cycle/hair.0013.strands ] || failed "cycle: $(ls cycle)"

# offset in time: on the turning ball the hair of frame 1 is found at frame 3, turned with it.
expect 0 cache offset "$tiny" a --out later --shift 2
[ -e later/hair.0008.strands ] && [ ! -e later/hair.0002.strands ] || failed "offset: $(ls later)"
expect 0 cache damp "$tiny" a --out rigid --amount 1
for c in a smooth rigid later slow; do
    expect 0 export "$tiny" $c.obj --cache $c --frame 3
done
python3 - <<'END' || failed "roots or lengths are wrong"
def strands(name):
    points = [tuple(map(float, l.split()[1:])) for l in open(name) if l.startswith("v ")]
    return [points[i:i + 8] for i in range(0, len(points), 8)]
def length(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5
base = strands("a.obj")
assert len(base) == 100
for name in ("smooth", "rigid", "later", "slow"):
    other = strands(name + ".obj")
    root = max(length(p[0], q[0]) for p, q in zip(base, other))
    assert root < 1e-5, (name, "root", root)
    stretch = max(abs(length(q[k], q[k + 1]) - length(p[k], p[k + 1]))
                  for p, q in zip(base, other) for k in range(7))
    assert stretch < 2e-5, (name, "length", stretch)  # 16 bits
    moved = max(length(p[7], q[7]) for p, q in zip(base, other))
    assert moved > 1e-4, (name, "unchanged")
END

# push-out: hair simulated without contact is moved out of the ball, and then lies outside.
limp=(--set sim/gravity_compensation=0 --set sim/stiffness=0.01 --set sim/warmup_time=0.5)
expect 0 sim "$tiny" --out inside "${limp[@]}" --set bodies/0/collide=false
expect 0 cache push-out "$tiny" inside --out outside "${limp[@]}" --distance 0.001
says "points moved"
grep -q "^coif: hair: 0 of" said && failed "nothing was inside"
expect 0 cache push-out "$tiny" outside --out twice "${limp[@]}" --distance 0.0009
says "hair: 0 of 4800 points moved"
expect 0 info twice/hair.0002.strands && prints "corrected=push-out distance=0.001; push-out distance=0.0009"

# A scalp map scales the correction: black keeps the bits.
mapped=(--set 'grooms/hair/maps=[{"name": "none", "plugin": "density.constant", "value": 0}]')
expect 0 cache damp "$tiny" a --out masked --amount 1 --map none "${mapped[@]}"
same masked/hair.0004.strands a/hair.0004.strands
expect 2 cache damp "$tiny" a --out masked --map beard && says 'no map "beard"'

# One of two grooms is corrected, the other copied.
python3 - "$tiny" <<'END'
import json, os, sys
scene = json.load(open(sys.argv[1]))
scene["bodies"][0]["mesh"] = os.path.join(os.path.dirname(sys.argv[1]), scene["bodies"][0]["mesh"])
scene["grooms"].append(dict(scene["grooms"][0], name="beard", count=20))
scene["sim"]["last_frame"] = 3
json.dump(scene, open("two.json", "w"))
END
expect 0 sim two.json --out two
expect 0 cache damp two.json two --out parted --groom beard
for f in hair.groom hair.0002.strands beard.groom; do
    cmp -s two/$f parted/$f || failed "$f was not copied"
done
differ two/beard.0002.strands parted/beard.0002.strands

# render says what it renders; sim does not take corrected frames for its own.
small=(--frames 3 --set image/width=16 --set image/height=16 --set image/samples=1)
expect 0 render "$tiny" --cache smooth --out p1 "${small[@]}" && says "corrected by 'coif cache smooth radius=2'"
grep -q "changed since" said && failed "a corrected cache is not stale"
expect 0 render "$tiny" --cache smooth --out p2 "${small[@]}" --set sim/drag=9 && says "run 'coif sim' and 'coif cache' to update it"
expect 0 sim "$tiny" --out again && says "corrected frames of 'coif cache' are replaced by the simulation"
for f in 1 3 6; do same again/hair.000$f.strands a/hair.000$f.strands; done

# Errors.
expect 1 cache && says "SCENE is missing"
expect 1 cache soften "$tiny" a --out x && says "is none of blend|smooth"
expect 1 cache blend "$tiny" a --out x && says "blend needs two caches"
expect 1 cache smooth "$tiny" a b --out x && says "SECOND applies to blend, not to smooth"
expect 1 cache smooth "$tiny" a --out x --amount 1 && says "--amount applies to damp, not to smooth"
expect 1 cache blend "$tiny" a b --out x --weight 2 && says "--weight: 2 is outside 0 to 1"
expect 1 cache blend "$tiny" a b --out x --weight 2:0,1:1 && says "in ascending order"
expect 1 cache retime "$tiny" a --out x && says "either --speed or --time-map"
expect 1 cache retime "$tiny" a --out x --time-map 1:1,8:9 && says "frame 6 samples frame 6.71429; the cache has frames 1-6"
expect 1 cache loop "$tiny" a --out x --overlap 4 && says "6 frames cannot overlap by 4"
expect 1 cache offset "$tiny" a --out x --shift -2 && says "frames are not negative"
expect 1 cache smooth "$tiny" a --out x --frames 5-7 && says "makes frames 1-6"
expect 1 cache smooth "$tiny" a --out a && says "the output folder is the input"
expect 1 cache smooth "$tiny" a --out x --groom beard && says "no groom 'beard'"
expect 3 cache smooth "$tiny" none --out x && says "none/hair.groom"
rm b/hair.0003.strands
expect 3 cache smooth "$tiny" b --out x && says "5 of the frames hair.0001.strands to 0006"
expect 0 sim "$tiny" --out other --set grooms/hair/count=100
expect 4 cache blend "$tiny" a other --out x && says "is a frame of groom"
for d in smooth mix outside x; do no_scraps $d; done
finish
