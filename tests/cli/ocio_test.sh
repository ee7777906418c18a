#!/usr/bin/env bash
# Views of OpenColorIO and the ACEScg working space: pixels of images against closed forms, errors, metadata, films.
source "$(dirname -- "$0")/cli.sh"

mkdir grading
cat >grading/config.ocio <<'CONFIG'
ocio_profile_version: 2
search_path: tables
strictparsing: true
roles: {scene_linear: flat, default: flat}
file_rules:
  - !<Rule> {name: Default, colorspace: default}
displays:
  monitor:
    - !<View> {name: Log, colorspace: log}
    - !<View> {name: Table, colorspace: table}
active_displays: []
active_views: []
looks:
  - !<Look>
    name: dim
    process_space: flat
    transform: !<CDLTransform> {slope: [0.5, 0.5, 0.5]}
colorspaces:
  - !<ColorSpace>
    name: flat
    aliases: [lin_rec709]
  - !<ColorSpace>
    name: ACEScg
    to_scene_reference: !<MatrixTransform>
      matrix: [1.705050993, -0.621792121, -0.083258872, 0, -0.130256418, 1.140804737, -0.010548319, 0,
               -0.024003357, -0.128968976, 1.152972333, 0, 0, 0, 0, 1]
  - !<ColorSpace>
    name: log
    from_scene_reference: !<LogAffineTransform>
      {base: 2, lin_side_slope: [1, 1, 1], lin_side_offset: [1, 1, 1]}
  - !<ColorSpace>
    name: table
    from_scene_reference: !<FileTransform> {src: half.spi1d, interpolation: linear}
CONFIG
mkdir grading/tables
printf 'Version 1\nFrom 0.0 1.0\nLength 2\nComponents 1\n{\n0.0\n0.5\n}\n' >grading/tables/half.spi1d
cp -r "$source_folder/scenes/assets" assets
cp "$tiny" scene.json
tiny=scene.json
expect 0 groom "$tiny" --out cache

# The background alone: a colour that every pixel has.
background=(--rest --frames 1 --cache cache --format png --crop 0,0,8,8 --set image/samples=2 --set image/bit_depth=16
    --set 'image/background=[0.4, 0.2, 0.6]' --set 'camera/look_at=[0, 100, 0]' --set image/denoise=false)
ocio=(--set image/view_transform=ocio --set image/ocio_config=grading/config.ocio)

# shows FILE R G B: the pixels of a PNG of 16 bits are this colour, to 1/1000.
shows() {
    python3 - "$@" <<'PYTHON' || failed "$1 does not show $2 $3 $4"
import struct, sys, zlib
data, at, pixels = open(sys.argv[1], "rb").read(), 8, b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    pixels += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
    at += size + 12
# Scan lines begin with their filter; the first pixel of the image has no neighbours.
found = [value / 65535 for value in struct.unpack(">3H", zlib.decompress(pixels)[1:7])]
expected = [float(value) for value in sys.argv[2:5]]
if any(abs(a - b) > 1e-3 for a, b in zip(found, expected)):
    print("found", found, file=sys.stderr)
    sys.exit(1)
PYTHON
}

expect 0 render "$tiny" "${background[@]}" --out plain
shows plain/render0001.png 0.6652 0.4845 0.7978
expect 0 render "$tiny" "${background[@]}" "${ocio[@]}" --out log
shows log/render0001.png 0.4854 0.2630 0.6781
expect 0 render "$tiny" "${background[@]}" "${ocio[@]}" --set image/exposure=1 --out brighter
shows brighter/render0001.png 0.8480 0.4854 1
expect 0 render "$tiny" "${background[@]}" "${ocio[@]}" --set image/ocio_look=dim --out look
shows look/render0001.png 0.2630 0.1375 0.3785
expect 0 render "$tiny" "${background[@]}" "${ocio[@]}" --set image/ocio_view=Table --out table
shows table/render0001.png 0.2 0.1 0.3
# A changed table makes the image outdated.
expect 0 render "$tiny" "${background[@]}" "${ocio[@]}" --set image/ocio_view=Table --out table
says 'is up to date'
printf 'Version 1\nFrom 0.0 1.0\nLength 2\nComponents 1\n{\n0.0\n0.25\n}\n' >grading/tables/half.spi1d
expect 0 render "$tiny" "${background[@]}" "${ocio[@]}" --set image/ocio_view=Table --out table
shows table/render0001.png 0.1 0.05 0.15

# The environment variable names the configuration; the scene takes precedence.
OCIO=grading/config.ocio expect 0 render "$tiny" "${background[@]}" --set image/view_transform=ocio --out environment
shows environment/render0001.png 0.4854 0.2630 0.6781

# Light in ACEScg: the same display, other numbers in EXR.
acescg=(--set image/working_space=acescg)
expect 0 render "$tiny" "${background[@]}" "${acescg[@]}" --out wide
shows wide/render0001.png 0.6652 0.4845 0.7978
expect 0 render "$tiny" "${background[@]}" "${acescg[@]}" "${ocio[@]}" --out widelog
shows widelog/render0001.png 0.4854 0.2630 0.6781
expect 0 render "$tiny" "${background[@]}" "${acescg[@]}" --format exr --set image/exr_pixel_type=float --out wide
python3 - wide/render0001.exr <<'PYTHON' || failed "chromaticities of EXR are not AP1"
import struct, sys
data = open(sys.argv[1], "rb").read()
at = data.index(b"chromaticities\0chromaticities\0") + 30
found = struct.unpack("<8f", data[at + 4:at + 36])
sys.exit(any(abs(a - b) > 1e-6 for a, b in zip(found, (.713, .293, .165, .83, .128, .044, .32168, .33767))))
PYTHON

# A lit scene looks the same in both spaces: means within 2 %, though products of colours differ.
for space in rec709 acescg; do
    expect 0 render "$tiny" --rest --frames 1 --cache cache --format png --set image/width=32 --set image/height=32 \
        --set image/samples=32 --set image/working_space=$space --out "lit$space"
    ffmpeg -loglevel error -i "lit$space/render0001.png" -f rawvideo -pix_fmt rgb24 "lit$space.raw"
done
python3 - <<'PYTHON' || failed "the working space changes the look"
import sys
a, b = (open(f"lit{space}.raw", "rb").read() for space in ("rec709", "acescg"))
sys.exit(a == b or any(abs(sum(b[c::3]) / sum(a[c::3]) - 1) > 0.02 for c in range(3)))
PYTHON

# Errors name what exists.
expect 2 render "$tiny" "${background[@]}" "${ocio[@]}" --set image/ocio_display=cinema --out none
says '/image/view_transform: grading/config.ocio: no display "cinema"; expected "monitor"'
expect 2 render "$tiny" "${background[@]}" "${ocio[@]}" --set image/ocio_view=Film --out none
says 'no view "Film"; expected "Log", "Table"'
expect 2 render "$tiny" "${background[@]}" "${ocio[@]}" --set image/ocio_look=warm --out none
says 'no look "warm"; expected "dim"'
expect 2 render "$tiny" "${background[@]}" --set image/view_transform=ocio --out none
says 'no OpenColorIO configuration'
expect 2 render "$tiny" "${background[@]}" "${ocio[@]}" --set image/ocio_config=nowhere.ocio --out none
says 'nowhere.ocio'
printf 'ocio_profile_version: [' >grading/broken.ocio
expect 2 render "$tiny" "${background[@]}" "${ocio[@]}" --set image/ocio_config=grading/broken.ocio --out none
says 'grading/broken.ocio: '
[ ! -e none/render0001.png ] || failed "an image in spite of an error"
expect 0 lint "$tiny" --set image/ocio_view=Film
says 'image/ocio_view: no effect'

# A film that is denoised over its frames keeps the view, from any folder.
film=(--rest --cache cache --frames 1-2 --format png --set image/width=32 --set image/height=32 --set image/samples=8
    --set image/denoise=true --set image/denoise_frames=1 --set image/bit_depth=16
    --set 'image/background=[0.4, 0.2, 0.6]' --set 'camera/look_at=[0, 100, 0]')
expect 0 render "$tiny" "${film[@]}" "${ocio[@]}" --defer-denoise --out film
(cd film && "$coif" denoise . >log 2>&1) || failed "coif denoise: $(tail -n 1 film/log)"
shows film/render0001.denoised.png 0.4854 0.2630 0.6781
mv grading away
expect 3 denoise film --force
says 'config.ocio'
finish
