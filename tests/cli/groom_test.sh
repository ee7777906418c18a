#!/usr/bin/env bash
# Keyframed modifiers change the rest shape from frame to frame.
source "$(dirname -- "$0")/cli.sh"

cp "$source_folder/scenes/assets/ball.obj" .
cat > grow.json <<'END'
{
  "coif": 1,
  "bodies": [{"name": "mannequin", "mesh": "ball.obj"}],
  "grooms": [{
    "name": "hair", "body": "mannequin", "count": 200, "points": 12,
    "length": 0.1, "length_variation": 0,
    "modifiers": [
      {"plugin": "groom.comb", "direction": [0, -1, 0], "spread_angle": 0},
      {"plugin": "groom.lift", "angle": {"keys": [[1, 0], [25, 0], [49, 180]]}, "falloff_length": 10},
      {"plugin": "groom.length", "scale": {"keys": [[1, 0.02], [25, 1]]}, "variation": 0}
    ]
  }]
}
END

for frame in 1 13 25 49; do
    expect 0 groom grow.json --out "f$frame" --frame "$frame"
    expect 0 export grow.json "f$frame.hair" --cache "f$frame"
done
expect 0 groom grow.json --out first
cmp -s first/hair.groom f1/hair.groom || failed "without a frame it is not the first one"
cmp -s f1/hair.groom f13/hair.groom && failed "keys do not move hair"

# Combed down at frame 25, on end at frame 49.
python3 - <<'END'
import struct
def tips(frame):
    data = open("f%d.hair" % frame, "rb").read()
    count = struct.unpack_from("<I", data, 4)[0]
    points = struct.unpack_from("<%df" % (count * 36), data, 128 + 2 * count)
    return [[points[36 * s + a] for a in range(3)] + [points[36 * s + 33 + a] for a in range(3)]
            for s in range(count)]
def length(strand):
    return sum((strand[3 + a] - strand[a]) ** 2 for a in range(3)) ** 0.5

def mean(numbers):
    return sum(numbers) / len(numbers)

stubble, down, up = tips(1), tips(25), tips(49)
assert mean([length(s) for s in stubble]) < 0.0025
assert 0.02 < mean([length(s) for s in tips(13)]) < 0.055
# A raised strand is straight and keeps its length.
assert mean([length(s) for s in up]) > 0.095
assert mean([s[4] - s[1] for s in down]) < -0.01
assert mean([s[4] - s[1] for s in up]) > mean([s[4] - s[1] for s in down]) + 0.02
END
[ $? = 0 ] || failed "hair does not grow and rise as its keys say"
finish
