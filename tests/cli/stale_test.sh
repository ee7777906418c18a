#!/usr/bin/env bash
# Rendering warns when the scene has changed since grooming or simulating.
source "$(dirname -- "$0")/cli.sh"

cp -r "$source_folder/scenes" s
number=0
# render ARGUMENTS...: a small image in a new folder.
render() {
    number=$((number + 1))
    expect 0 render s/t.json --cache c --out "p$number" --frames 2 --set image/width=8 \
        --set image/height=8 --set image/samples=1 "$@"
}
# paint GREY: the stiffness map, a BMP of 2 x 2 pixels.
paint() {
    python3 - "$1" <<'END'
import struct, sys
row = bytes([int(sys.argv[1])] * 6 + [0] * 2)
head = struct.pack("<2sIHHI", b"BM", 70, 0, 0, 54)
info = struct.pack("<IiiHHIIiiII", 40, 2, 2, 1, 24, 0, 16, 0, 0, 0, 0)
open("s/grey.bmp", "wb").write(head + info + row + row)
END
}

python3 - <<'END' || failed "the scene could not be made"
import json
scene = json.load(open("s/tiny.json"))
scene["sim"].update({"stiffness": {"texture": "grey.bmp", "range": [0.5, 2]}, "last_frame": 2})
json.dump(scene, open("s/t.json", "w"))
END
paint 100
expect 0 sim s/t.json --out c
render && grep -q "changed since" said && failed "a warning without a change"
render --set sim/checkpoint_interval=5 && grep -q "changed since" said && failed "a warning for the checkpoint interval"
render --set sim/drag=9 && says "changed since this frame was simulated; run 'coif sim' to update it"
render --set grooms/hair/sim/drag=9 && says "changed since this frame was simulated; run 'coif sim' to update it"
drag=$(python3 -c 'import json; print(json.load(open("s/t.json"))["sim"].get("drag", 3))')
render --set "grooms/hair/sim/drag=$drag" && grep -q "changed since" said && failed "a warning for an override equal to the scene's value"
paint 200
render && says "the scene has changed since this groom was generated" && says "changed since this frame was simulated"
paint 100
render && grep -q "changed since" said && failed "a warning for an unchanged map"
# So does a tile of a UDIM set.
sed 's/grey.bmp/grey.<UDIM>.bmp/' s/t.json >s/tiles.json
mv s/grey.bmp s/grey.1001.bmp
expect 0 groom s/tiles.json --out tiles
cp s/grey.1001.bmp s/grey.1002.bmp
expect 0 render s/tiles.json --cache tiles --out tiles --rest --frames 1 --set image/samples=1
says "the scene has changed since this groom was generated"
rm s/grey.1002.bmp
mv s/grey.1001.bmp s/grey.bmp
# Another body with the same triangles.
awk '/^v / { $3 = $3 * 1.01 } { print }' "$source_folder/scenes/assets/ball.obj" >s/assets/ball.obj
render && says "the scene has changed since this groom was generated" && says "changed since this frame was simulated"
finish
