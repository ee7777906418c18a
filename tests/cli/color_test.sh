#!/usr/bin/env bash
# Hair colour from maps and from the body is evaluated at render time, without grooming or simulating again.
source "$(dirname -- "$0")/cli.sh"

cp -r "$source_folder/scenes/assets" assets
python3 - "$tiny" <<'END'
import json, sys
scene = json.load(open(sys.argv[1]))
groom = scene["grooms"][0]
groom["maps"] = [{"name": "up", "plugin": "density.slope"}]
groom["hair"] = {"variation": 0, "eumelanin": 1}
scene["bodies"][0]["material"] = {"color": [0.7, 0.1, 0.1]}
scene["image"]["width"] = scene["image"]["height"] = 24
json.dump(scene, open("scene.json", "w"))
END
expect 0 groom scene.json --out cache
hair=grooms/hair/hair

# render_rest NAME --set...: renders the rest pose.
render_rest() {
    local name=$1
    shift
    expect 0 render scene.json --cache cache --out "$name" --rest --frames 1 "$@"
    # The scene gives eumelanin, which other colour models do not read.
    grep warning said | grep -v 'eumelanin: no effect' >warnings && failed "$name: $(cat warnings)"
}
# Pixels without metadata.
pixels() {
    python3 - "$1/render0001.png" <<'END'
import hashlib, struct, sys
data, at, pixels = open(sys.argv[1], "rb").read(), 8, hashlib.sha256()
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    pixels.update(data[at + 8:at + 8 + size] if kind == b"IDAT" else b"")
    at += size + 12
print(pixels.hexdigest())
END
}
differ() {
    [ "$(pixels "$1")" != "$(pixels "$2")" ] || failed "$1 and $2 have the same pixels"
}
equal() {
    [ "$(pixels "$1")" = "$(pixels "$2")" ] || failed "$1 and $2 have different pixels"
}

render_rest plain
render_rest mapped --set $hair/eumelanin='{"map": "up", "range": [0, 8]}'
differ plain mapped
render_rest ranged --set $hair/eumelanin='{"map": "up", "range": [0, 2]}'
differ mapped ranged
render_rest level --set $hair/eumelanin='{"map": "up", "range": [1, 1]}'
equal plain level
# A changed map makes the image outdated.
render_rest mapped --set $hair/eumelanin='{"map": "up", "range": [0, 8]}'
says "is up to date"
sed 's/"density.slope"/"density.noise", "scale": 0.05/' scene.json >other.json
expect 0 render other.json --cache cache --out mapped --rest --frames 1 \
    --set $hair/eumelanin='{"map": "up", "range": [0, 8]}'
grep -q "is up to date" said && failed "a changed map did not change the image"

# Keyed maps are evaluated at the frame that is rendered, also when several are rendered at once.
sed 's/"density.slope"/"density.slope", "angle": {"keys": [[1, 80], [2, 20]]}/' scene.json >keyed.json
expect 0 render keyed.json --cache cache --out keyed --rest --frames 1-2 --format bmp \
    --set $hair/eumelanin='{"map": "up", "range": [0, 8]}'
cmp -s keyed/render0001.bmp keyed/render0002.bmp && failed "a keyed map does not change the image"
expect 0 render keyed.json --cache cache --out single --rest --frames 2 --format bmp \
    --set $hair/eumelanin='{"map": "up", "range": [0, 8]}'
cmp keyed/render0002.bmp single/render0002.bmp || failed "frame 2 depends on the frames before"

render_rest surface --set $hair/color_model=surface
render_rest wanted --set $hair/color_model=reflectance --set $hair/reflectance=[0.7,0.1,0.1]
equal surface wanted

# Hair may have its own colour texture.
paint() {
    python3 - "$@" <<'END'
import struct, sys, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
row = b"\0" + bytes(int(v) for v in sys.argv[1:4]) * 4
open("paint.png", "wb").write(b"\x89PNG\r\n\x1a\n" +
    chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)) +
    chunk(b"IDAT", zlib.compress(row * 4)) + chunk(b"IEND", b""))
END
}
paint 255 0 255
render_rest painted --set $hair/color_model=surface --set $hair/texture=paint.png
render_rest wanted --set $hair/color_model=reflectance --set $hair/reflectance=[1,0,1]
equal painted wanted
render_rest painted --set $hair/color_model=surface --set $hair/texture=paint.png
says "is up to date"
paint 0 255 255
render_rest painted --set $hair/color_model=surface --set $hair/texture=paint.png
grep -q "is up to date" said && failed "a changed texture did not change the image"
differ painted wanted
expect 2 render scene.json --cache cache --out no --rest --frames 1 --set $hair/texture=paint.png
says "is only used with"
expect 2 lint scene.json --set $hair/texture=nowhere.png
says "file not found"

render_rest dyed --set $hair/dye_amount=1
render_rest tips --set $hair/tip_amount=1
render_rest streaks --set $hair/streak_fraction=0.5
for name in dyed tips streaks surface; do
    differ plain $name
done

expect 2 lint scene.json --set $hair/grey_fraction='{"map": "upp"}'
says "did you mean"
# A map whose values are below the range of ior is an error.
expect 2 lint scene.json --set $hair/ior='{"map": "up"}'
says 'a map without "range" is 0 to 1, which is outside 1.01 to 3'
expect 2 lint scene.json --set $hair/colour_model=melanin
says "did you mean \"color_model\"?"
# Colours in a strand file: those of the scene win where it gives any, and a switch decides.
expect 0 export scene.json plain.hair --cache cache
python3 - <<'END'
import json, struct
data = bytearray(open("plain.hair", "rb").read())
points, arrays = struct.unpack_from("<II", data, 8)
struct.pack_into("<I", data, 12, arrays | 16)
open("red.hair", "wb").write(data + struct.pack("<3f", 0.8, 0.02, 0.02) * points)
scene = json.load(open("scene.json"))
groom = scene["grooms"][0]
del groom["hair"]
groom["file"] = "red.hair"
json.dump(scene, open("file.json", "w"))
END
expect 0 groom file.json --out filed
# render_file NAME --set...: renders the strand file.
render_file() {
    local name=$1
    shift
    expect 0 render file.json --cache filed --out "$name" --rest --frames 1-2 "$@"
}
dark="--set $hair/eumelanin=8"
render_file red && says 'hair: strands have the colours of their file; /grooms/0/hair/color_source "scene" takes'
[ "$(grep -c 'colours of' said)" = 1 ] || failed "the source of colours is told twice"
render_file dark $dark && says 'hair: strands have the colours of the scene; /grooms/0/hair/color_source "file" takes'
differ red dark
render_file forced $dark --set $hair/color_source=file
says '/grooms/0/hair/eumelanin: no effect: with color_source "file"'
equal red forced
render_file scene --set $hair/color_source=scene && grep -q 'colours of' said && failed "a given source is told"
differ red scene
expect 0 render scene.json --cache cache --out none --rest --frames 1 --set $hair/color_source=file
says '/grooms/0/hair/color_source: no effect: the strands have no colours'
finish
