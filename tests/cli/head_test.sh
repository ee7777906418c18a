#!/usr/bin/env bash
# The generator of the mannequin keeps its promises: of the mesh, and of eyes, lashes and skin. What
# lies in scenes/assets is read without a complaint, and lashes stay on the lids.
source "$(dirname -- "$0")/cli.sh"

generator=$(dirname "$coif")/coif_head
[ -x "$generator" ] || exit 77
"$generator" --check >printed 2>said || failed "coif_head --check: $(cat said)"
prints "lashes off the lids"

cat >face.json <<END
{
  "coif": 1,
  "bodies": [
    {"name": "head", "mesh": "$source_folder/scenes/assets/mannequin.obj",
     "material": {"type": "skin", "texture": "$source_folder/scenes/assets/mannequin_freckles.png",
                  "roughness_map": "$source_folder/scenes/assets/mannequin_gloss.png",
                  "bump_map": "$source_folder/scenes/assets/mannequin_relief.png"}},
    {"name": "eyes", "mesh": "$source_folder/scenes/assets/eyes.obj", "collide": false}
  ],
  "grooms": [{"name": "lashes", "body": "head", "file": "$source_folder/scenes/assets/lashes.hair"}],
  "camera": {"position": [0, 0, 0.6], "look_at": [0, 0, 0.08], "fov": 20},
  "lights": [{"type": "environment", "intensity": 1}],
  "image": {"width": 48, "height": 48, "samples": 1}
}
END
expect 0 run face.json --out out --rest
grep -qiE 'warning|error' said && failed "$(grep -iE 'warning|error' said | head -n 3)"
expect 0 export face.json out.hair --cache out
python3 - <<'END' || failed "lashes left the lids"
import struct
data = open("out.hair", "rb").read()
count, points = struct.unpack_from("<2I", data, 4)
assert count == 368 and points == 9 * count, (count, points)
at = struct.unpack_from("<%df" % (3 * points), data, 128 + (2 * count if data[12] & 1 else 0))
for s in range(count):
    x, y, z = at[27 * s:27 * s + 3]
    assert 0.015 < abs(x) < 0.05 and -0.002 < y < 0.018 and 0.06 < z < 0.1, (s, x, y, z)
    # Tips of lashes are farther out than the lids.
    assert at[27 * s + 26] > z + 0.001, s
END
finish
