#!/usr/bin/env bash
# Presets: saved from a scene, listed, and applied to other heads.
source "$(dirname -- "$0")/cli.sh"
head=$source_folder/scenes/assets/mannequin.obj

# Applied to its own head, a preset gives the same strands.
cat >own.json <<END_SCENE
{"coif": 1, "comment": "Parted and cut.", "bodies": [{"name": "head", "mesh": "$head"}],
 "grooms": [{"name": "hair", "body": "head", "group": "scalp", "count": 60, "length": {"keys": [[1, 0.2]]},
   "maps": [{"name": "edge", "plugin": "density.hairline", "point": [0, 0.02, 0], "normal": [0, 1, 0], "edge_noise": 0}],
   "density": {"map": "edge"},
   "modifiers": [{"plugin": "groom.comb", "part_x": 0.02, "part_strength": 0.7},
     {"plugin": "groom.part", "edge_noise": 0},
     {"plugin": "groom.length", "variation": 0, "surface": "plane", "point": [0, -0.05, 0], "normal": [0, -1, 0]}],
   "constraints": [{"name": "tie", "type": "tie", "position": [0, 0.05, -0.1], "axis": [0, 0, -1], "radius": 0.01,
     "region": "box", "region_center": [0, 0, 0], "region_size": [0.5, 0.5, 0.5]}]}],
 "sim": {"last_frame": 2}}
END_SCENE
expect 0 preset save own.json --out own.preset
expect 0 preset apply own.preset "$head" --out same.json
expect 0 lint same.json
expect 0 groom own.json --out own && expect 0 groom same.json --out same
expect 0 export own.json own.obj --cache own && expect 0 export same.json same.obj --cache same
cmp -s own.obj same.obj || failed "the strands of a preset on its own head differ"
grep -q '"last_frame": 2' same.json || failed "parameters of sim are missing"

# On a head of twice the size elsewhere, given in centimetres, the strands are the same ones there.
awk '/^v / { printf "v %.9g %.9g %.9g\n", 200 * $2 + 30, 200 * $3 + 150, 200 * $4 - 7; next } { print }' "$head" >large.obj
cp "$source_folder/scenes/assets/mannequin.mtl" .
expect 0 preset apply own.preset large.obj --scale 0.01
grep -q '"position": \[0.3, 1.6, -0.27\], .*"radius": 0.02, .*"region_size": \[1, 1, 1\]' large.json ||
    failed "a tie is not at its position on the larger head: $(grep position large.json)"
expect 0 groom large.json --out large && expect 0 export large.json large.hair --cache large
expect 0 export own.json own.hair --cache own
cat >hair_points.py <<'END_PYTHON'
import struct
def points(path):
    data = open(path, "rb").read()
    strands, count = struct.unpack("<2I", data[4:12])
    return struct.unpack("<%df" % (3 * count), data[128 + 2 * strands:128 + 2 * strands + 12 * count])
END_PYTHON
export PYTHONPATH=$PWD PYTHONDONTWRITEBYTECODE=1
python3 - <<'END_PYTHON' || failed "strands on the larger head differ"
from hair_points import points
small, large = points("own.hair"), points("large.hair")
assert len(small) == len(large) and len(small) > 1000
shift = (0.3, 1.5, -0.07)
error = max(abs(2 * p + shift[i % 3] - q) for i, (p, q) in enumerate(zip(small, large)))
assert error < 2e-4, error
END_PYTHON

# Every shipped preset applies.
here=$PWD
cd "$source_folder" || exit 1
"$coif" preset list >"$here/printed" || failed "presets are not listed"
"$coif" preset apply mullet "$here/large.obj" --out "$here/x.json" 2>"$here/said" && failed "mullet is not shipped"
cd "$here" || exit 1
says 'no preset "mullet"' && says '"curls"'
names=$(awk '{ print $1 }' printed)
[ "$(wc -w <<<"$names")" -ge 12 ] || failed "shipped presets: $names"
for name in $names; do
    # On a large head and on a ball the hair is complete, without a warning.
    for head_options in "large.obj --scale 0.01" "$source_folder/scenes/assets/ball.obj"; do
        # shellcheck disable=SC2086
        expect 0 preset apply "$source_folder/scenes/presets/$name.preset" $head_options --out "$name.json" --force
        expect 0 lint "$name.json" && [ ! -s said ] || failed "$name: $(cat said)"
        grep -q simulated_fraction "$name.json" || failed "$name: a run would simulate every strand"
        few_strands "$name.json" || continue
        expect 0 groom "$name.json" --out "$name" "${few[@]}" || continue
        grep -qiE 'warning|error' said && failed "$name: $(grep -iE 'warning|error' said | head -n 3)"
        for groom in "$name"/*.groom; do
            expect 0 info "$groom" --json
            [ "$(sed -n 's/.*"strands": \([0-9]*\).*/\1/p' printed | head -n 1)" -gt 20 ] ||
                failed "$name: $groom has few strands"
        done
    done
done

# The plait of a braid is whole on neck and back: no strand of it lies farther from its middle than
# half its width.
expect 0 preset apply "$source_folder/scenes/presets/braid.preset" "$head" --out plait.json
expect 0 groom plait.json --out plait --set grooms/0/count=2000
expect 0 export plait.json plait.hair --cache plait --set grooms/0/count=2000
python3 - <<'END_PYTHON' || failed "strands leave the plait"
from hair_points import points
flat = points("plait.hair")
found = [p for p in zip(flat[0::3], flat[1::3], flat[2::3]) if -0.25 < p[1] < -0.1]
assert len(found) > 50000, len(found)
middle = sum(p[2] for p in found) / len(found)
error = max(((p[0] ** 2 + (p[2] - middle) ** 2) ** 0.5, p) for p in found)
assert error[0] < 0.023, error
END_PYTHON

# A shipped preset is found by its file name too. A mesh as a character generator writes it, in decimetres, with helpers and
# without a group for the scalp, becomes a head with hair above a hairline.
awk '/^v / { printf "v %.9g %.9g %.9g\n", 10 * $2, 10 * $3, 10 * $4; next }
    /^[go] / { print "g body"; next } /^mtllib|^usemtl/ { next } { print }
    END { print "g joint-ground\nf 1 2 3" }' "$head" >generated.obj
expect 0 preset apply curls.preset generated.obj
says "taken as decimetres, so that the head is" && says "1 group of helpers" && says "above a hairline"
expect 0 lint generated.json && [ ! -s said ] || failed "hair on a generated mesh: $(cat said)"
grep -q '"mesh": "generated_body.obj", "scale": 0.1' generated.json || failed "no copy with a scalp: $(grep mesh generated.json)"
grep -q joint generated_body.obj && failed "helpers are left"
expect 0 info generated.obj && prints "likely_unit           m (scale 1)"
expect 0 groom generated.json --out generated --set grooms/0/max_strands=300 --set grooms/1/max_strands=20
expect 0 export generated.json generated.hair --cache generated --groom hair
python3 - <<'END_PYTHON' || failed "roots are not on the head"
from hair_points import points
import struct
data = open("generated.hair", "rb").read()
count = struct.unpack("<I", data[4:8])[0]
segments = struct.unpack("<%dH" % count, data[128:128 + 2 * count])
flat, first, roots = points("generated.hair"), 0, []
for each in segments:
    roots.append(flat[3 * first:3 * first + 3])
    first += each + 1
assert len(roots) > 200, len(roots)
# Above the brows in front, down to the nape behind, not on the ears.
assert min(y for x, y, z in roots if z > 0.05) > 0.04
assert -0.1 < min(y for x, y, z in roots) < 0
assert max(abs(x) for x, y, z in roots) < 0.085
END_PYTHON
expect 3 preset apply curls.preset generated.obj && says "--force"
rm generated.json
expect 3 preset apply curls.preset generated.obj && says "generated_body.obj: exists" && says "--force"
expect 0 preset apply curls.preset generated.obj --force
expect 3 preset apply missing/curls.preset generated.obj --force && says "missing/curls.preset"

expect 2 preset apply own.preset large.obj --out x.json --group hat && says 'no group "hat"' && says '"scalp"'
expect 3 preset apply own.preset large.obj && says "--force"
echo '{"coif_preset": 1, "reference": {"min": [0, 0, 0], "max": [1, 1, 0]}, "grooms": [{}]}' >flat.preset
expect 4 preset apply flat.preset large.obj --out x.json && says "reference"
echo '{"coif_preset": 2}' >new.preset
expect 4 preset apply new.preset large.obj --out x.json && says "version 2"
expect 2 preset save "$source_folder/scenes/tiger.json" --group coat --out x.preset && says "texture coordinates"
sed 's|"count": 200|"count": 200, "density": {"texture": "cub_maps.png"}|' "$tiny" >painted.json
mkdir -p assets && cp "$source_folder/scenes/assets/ball.obj" assets && cp "$source_folder/scenes/assets/cub_maps.png" .
expect 2 preset save painted.json --group scalp --out x.preset && says '"cub_maps.png" is an image over the texture coordinates'
expect 1 preset comb && says "list, apply or save"
expect 1 preset apply curls && says "needs a preset and a mesh"
[ -e x.json ] && failed "a failed command left a file"

# Transfer of strands to another head.
expect 0 export own.json moved.hair --cache own --onto large.obj --onto-scale 0.01
cat >there.json <<'END_SCENE'
{"coif": 1, "bodies": [{"name": "head", "mesh": "large.obj", "scale": 0.01}],
 "grooms": [{"name": "hair", "body": "head", "group": "scalp", "file": "moved.hair", "clearance": 0}]}
END_SCENE
expect 0 groom there.json --out there
expect 0 export there.json back.hair --cache there --onto "$head"
python3 - <<'END_PYTHON' || failed "strands come back from the larger head elsewhere"
from hair_points import points
before, after = points("own.hair"), points("back.hair")
assert len(before) == len(after)
error = max(abs(p - q) for p, q in zip(before, after))
assert error < 1e-3, error
END_PYTHON
expect 1 export own.json none.hair --cache own --onto large.obj --frame 1 && says "rest pose"
expect 2 export own.json none.hair --cache own --onto large.obj --onto-group hat && says "hat"
finish
