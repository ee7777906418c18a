#!/usr/bin/env bash
# Meshes that quadratic work would make slow: each is loaded, or refused with a message, within CPU seconds that are some
# hundred times those of linear work.
source "$(dirname -- "$0")/cli.sh"

python3 - <<'PYTHON'
import math


def polygons(name, rings):
    """An OBJ file with one polygon per list of points in a plane."""
    with open(name, "w") as file:
        first = 1
        for ring in rings:
            file.writelines(f"v {x:.9g} 0 {y:.9g}\n" for x, y in ring)
            file.write("f " + " ".join(str(first + i) for i in range(len(ring))) + "\n")
            first += len(ring)


def star(count, inner):
    return [((1 if i % 2 else inner) * math.cos(2 * math.pi * i / count),
             (1 if i % 2 else inner) * math.sin(2 * math.pi * i / count)) for i in range(count)]


def comb(teeth, row):
    return [(0.01 * i, row + i % 2) for i in range(teeth)] + [(0.01 * teeth, row - 1), (0, row - 1)]


def spiral(count):
    half = count // 2
    return [tuple((0.05 + (i if i < half else count - i - 0.4) / count) * f(160 * math.pi * min(i, count - i) / count)
                  for f in (math.cos, math.sin)) for i in range(count)]


polygons("polygon.obj", [star(20000, 1)])
polygons("star.obj", [star(20000, 0.5)])
polygons("combs.obj", [comb(200, 3 * row) for row in range(200)])
polygons("spiral.obj", [spiral(20000)])
with open("degenerate.obj", "w") as file:
    file.writelines(f"v {i} 0 0\n" for i in range(1000))
    file.write("v 0 0 1\n")
    file.writelines(f"f {i % 998 + 1} {i % 998 + 2} {i % 998 + 3}\n" for i in range(500000))
    file.write("f 1 1001 2\n")
with open("groups.obj", "w") as file:
    file.write("v 0 0 0\nv 1 0 0\nv 0 0 1\n")
    file.writelines(f"g group{i}\nusemtl m{i}\nf 1 3 2\n" for i in range(50000))
with open("fan.obj", "w") as file:
    file.write("v 0 1 0\n")
    file.writelines(f"v {math.cos(i)} 0 {math.sin(i)}\n" for i in range(100000))
    file.writelines(f"f 1 {i + 3} {i + 2}\n" for i in range(99998))
PYTHON

for mesh in polygon star combs spiral degenerate groups fan; do
    printf '{"coif": 1, "bodies": [{"name": "b", "mesh": "%s.obj"}], "grooms": [{"name": "hair", "body": "b", "count": 9}]}' \
        $mesh >scene.json
    (ulimit -t 60 && expect 0 groom scene.json --out out --threads 1) || failed "$mesh.obj: see above"
done
finish
