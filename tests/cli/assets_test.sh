#!/usr/bin/env bash
# The asset generators: the mannequin has its documented properties, the committed files are what the
# generators write, and coif reads them without warnings.
source "$(dirname -- "$0")/cli.sh"

bin=$(dirname "$coif")
assets=$source_folder/scenes/assets
[ -x "$bin/coif_head" ] || exit 77
"$bin/coif_head" 2>said && failed "a missing folder is accepted"
says "usage: coif_head FOLDER"
"$bin/coif_ground" nowhere 2>said && failed "a folder that does not exist is accepted"
says "coif_ground: error: nowhere/backdrop.obj"

mkdir generated
for generator in coif_head coif_cub coif_ground; do
    "$bin/$generator" generated >>printed 2>said || failed "$generator: $(cat said)"
done
prints "lash root distance"
# Numbers may differ in the last digit: the C library's functions are not the same everywhere.
cat >compare.py <<'END'
import struct, sys
def words(path):
    data = open(path, "rb").read()
    if path.endswith(".hair"):
        return [data[:128]] + list(struct.unpack("<%df" % (len(data) // 4 - 32), data[128:]))
    return data.decode().replace("/", " / ").split()
def near(a, b):
    if a == b:
        return True
    try:
        return abs(float(a) - float(b)) <= 2e-5
    except ValueError:
        return False
a, b = words(sys.argv[1]), words(sys.argv[2])
assert len(a) == len(b), (len(a), len(b))
bad = [pair for pair in zip(a, b) if not near(*pair)]
assert not bad, bad[:3]
END
for file in generated/*; do
    name=$(basename "$file")
    if [[ $name = *.png ]]; then
        psnr=$(ffmpeg -nostdin -hide_banner -i "$file" -i "$assets/$name" -lavfi psnr -f null - 2>&1 |
            sed -n 's/.*average:\([0-9a-z.]*\).*/\1/p')
        [[ $psnr = inf || ${psnr%%.*} -ge 60 ]] || failed "$name: PSNR is '$psnr' dB"
    else
        python3 compare.py "$file" "$assets/$name" 2>why || failed "$name: $(tail -n 1 why)"
    fi
done
[ "$(ls generated | wc -l)" = 21 ] || failed "generated: $(ls generated)"

cat >face.json <<END
{
  "coif": 1,
  "bodies": [
    {"name": "head", "mesh": "$assets/mannequin.obj",
     "material": {"type": "skin", "texture": "$assets/mannequin_freckles.png",
                  "roughness_map": "$assets/mannequin_gloss.png",
                  "bump_map": "$assets/mannequin_relief.png"}},
    {"name": "eyes", "mesh": "$assets/eyes.obj", "collide": false}
  ],
  "grooms": [{"name": "lashes", "body": "head", "file": "$assets/lashes.hair"}],
  "camera": {"position": [0, 0, 0.6], "look_at": [0, 0, 0.08], "fov": 20},
  "lights": [{"type": "environment", "intensity": 1}],
  "image": {"width": 48, "height": 48, "samples": 1}
}
END
expect 0 run face.json --out out --rest
grep -qiE 'warning|error' said && failed "$(grep -iE 'warning|error' said | head -n 3)"
expect 0 export face.json out.hair --cache out
python3 - <<'END' || failed "lashes are not on the lids"
import struct
data = open("out.hair", "rb").read()
count, points = struct.unpack_from("<2I", data, 4)
assert count == 368 and points == 9 * count, (count, points)
at = struct.unpack_from("<%df" % (3 * points), data, 128 + (2 * count if data[12] & 1 else 0))
for s in range(count):
    x, y, z = at[27 * s:27 * s + 3]
    assert 0.015 < abs(x) < 0.05 and -0.002 < y < 0.018 and 0.06 < z < 0.1, (s, x, y, z)
    # The tips are in front of the lids.
    assert at[27 * s + 26] > z + 0.001, s
END
finish
