#!/usr/bin/env bash
# Hair rises where the body bends: a map of the change of curvature drives a modifier over time.
source "$(dirname -- "$0")/cli.sh"

# A plate that is flat in frame 1; in frame 2 its middle lies over a ridge of radius 10 cm.
python3 - <<'END_PYTHON'
from math import cos, sin
def write(name, bend):
    with open(name, "w") as file:
        for i in range(41):
            for j in range(11):
                x, z = 0.01 * (i - 20), 0.01 * (j - 5)
                inside = max(-0.05, min(0.05, x))
                angle = inside / 0.1 if bend else 0.0
                px = 0.1 * sin(angle) if bend else inside
                py = 0.1 * cos(angle) - 0.1 if bend else 0.0
                px, py = px + (x - inside) * cos(angle), py - (x - inside) * sin(angle)
                file.write("v %.6f %.6f %.6f\n" % (px, py, z))
        for i in range(40):
            for j in range(10):
                a = 11 * i + j + 1
                file.write("f %d %d %d %d\n" % (a, a + 1, a + 12, a + 11))
write("plate.0001.obj", False)
write("plate.0002.obj", True)
END_PYTHON
cat >cat.json <<'END_SCENE'
{"coif": 1, "bodies": [{"name": "back", "mesh": "plate.####.obj", "rest_frame": 1}],
 "grooms": [{"name": "fur", "body": "back", "count": 300, "length": 0.02, "length_variation": 0, "points": 6,
   "maps": [{"name": "bend", "plugin": "density.bend", "start": 0.5, "full": 3}],
   "modifiers": [{"plugin": "groom.comb", "direction": [1, 0, 0], "lift_angle": 10, "spread_angle": 0},
                 {"plugin": "groom.lift", "angle": 40, "amount": {"map": "bend"}}]}],
 "sim": {"last_frame": 2, "enabled": false}}
END_SCENE
expect 0 lint cat.json
expect 0 sim cat.json --out cache
for frame in 1 2; do
    expect 0 export cat.json "$frame.hair" --cache cache --frame "$frame"
done
python3 - <<'END_PYTHON' || failed "hair does not rise over the ridge"
import struct
from math import acos, asin, degrees, sqrt
def strands(path):
    data = open(path, "rb").read()
    count, points = struct.unpack("<2I", data[4:12])
    numbers = struct.unpack("<%df" % (3 * points), data[128 + 2 * count:128 + 2 * count + 12 * points])
    each = points // count
    return [[numbers[3 * (s * each + k):3 * (s * each + k) + 3] for k in range(each)] for s in range(count)]
def elevation(strand, normal):
    d = [a - b for a, b in zip(strand[-1], strand[0])]
    return degrees(asin(sum(a * b for a, b in zip(d, normal)) / sqrt(sum(a * a for a in d))))
flat, bent = strands("1.hair"), strands("2.hair")
risen, still = [], []
for before, after in zip(flat, bent):
    x = before[0][0]
    inside = max(-0.05, min(0.05, x))
    angle = inside / 0.1
    from math import sin, cos
    change = elevation(after, (sin(angle), cos(angle), 0)) - elevation(before, (0, 1, 0))
    if abs(x) < 0.03:
        risen.append(change)
    elif abs(x) > 0.08:
        still.append(change)
assert len(risen) > 20 and len(still) > 20
assert min(risen) > 15, min(risen)
assert max(abs(change) for change in still) < 1, max(still)
END_PYTHON

# A parameter of the simulation follows the map too: hair over the ridge alone is dragged by the wind.
windy=(--set sim/enabled=true --set 'forces=[{"plugin": "wind.uniform", "velocity": [0, 0, 9]}]' --set sim/quantise=false
    --set 'sim/drag={"map": "bend", "range": [0, 500]}')
expect 0 sim cat.json --out dragged "${windy[@]}"
expect 0 sim cat.json --out calm "${windy[@]}" --set 'sim/drag={"map": "bend", "range": [0, 0]}'
for cache in dragged calm; do
    expect 0 export cat.json $cache.hair --cache $cache --frame 2
done
python3 - <<'END_PYTHON' || failed "drag does not follow the curvature"
import struct
def tips(path):
    data = open(path, "rb").read()
    count, points = struct.unpack("<2I", data[4:12])
    numbers = struct.unpack("<%df" % (3 * points), data[128 + 2 * count:128 + 2 * count + 12 * points])
    each = points // count
    return [(numbers[3 * s * each], numbers[3 * (s * each + each - 1) + 2]) for s in range(count)]
moved = [(abs(root), abs(a - b)) for (root, a), (_, b) in zip(tips("dragged.hair"), tips("calm.hair"))]
assert min(d for x, d in moved if x < 0.02) > 1e-3, min(d for x, d in moved if x < 0.02)
assert max(d for x, d in moved if x > 0.08) == 0, max(d for x, d in moved if x > 0.08)
END_PYTHON
finish
