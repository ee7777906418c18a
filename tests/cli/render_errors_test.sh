#!/usr/bin/env bash
# Render errors: each is named, has its exit code, and leaves existing files unchanged.
source "$(dirname -- "$0")/cli.sh"

small=(--set image/width=16 --set image/height=16 --set image/samples=2 --frames 1)
expect 0 sim "$tiny" --out cache --frames 1
expect 0 sim "$tiny" --out other --frames 1 --set grooms/0/count=50

# Strands of another groom.
cp -r cache mixed
cp other/hair.0001.strands mixed/
expect 4 render "$tiny" --cache mixed --out frames "${small[@]}" && says "hair.0001.strands"
[ -e frames/render0001.png ] && failed "strands of another groom were rendered"

# A groom without strands is rendered.
expect 0 sim "$tiny" --out bald --frames 1 --set grooms/0/count=0
expect 0 render "$tiny" --cache bald --out bald_frames "${small[@]}" --set grooms/0/count=0
[ -s bald_frames/render0001.png ] || failed "no image without strands"

# A folder has the name of the image.
mkdir -p taken/render0001.png/inside
expect 3 render "$tiny" --cache cache --out taken "${small[@]}" && says "render0001.png"
[ -d taken/render0001.png/inside ] || failed "the folder was removed"

[ -z "$(find taken -name '*.checkpoint')" ] || failed "samples were traced for an image that cannot be written"

# Numbers that no ray can be computed with are refused.
expect 2 render "$tiny" --cache cache --out far "${small[@]}" --set 'camera/position=[1e30,0,0]' &&
    says '/camera/position/0: 1e+30 is above 1000000'
expect 2 render "$tiny" --cache cache --out far "${small[@]}" --set camera/f_stop=1e-30 &&
    says 'f_stop: 1e-30 at frame 1, expected 0 for a pinhole, or 0.01 or more'
expect 0 render "$tiny" --cache cache --out far "${small[@]}" --set 'camera/position=[1e6,-1e6,1e6]' \
    --set camera/f_stop=0.01 --set camera/fov=1
[ -s far/render0001.png ] || failed "no image from a distant camera"

# Without the image module nothing is simulated or rendered, and no file is left.
export COIF_IMAGE_MODULE=$PWD/gone.so
expect 3 render "$tiny" --cache cache --out unwritten "${small[@]}" && says "gone.so"
[ -z "$(find unwritten -type f)" ] || failed "left behind: $(find unwritten -type f)"
expect 3 run "$tiny" --out unrun --frames 1 --no-video && says "gone.so"
[ -z "$(find unrun -type f)" ] || failed "left behind: $(find unrun -type f)"
unset COIF_IMAGE_MODULE

# A damaged checkpoint is ignored.
expect 0 render "$tiny" --cache cache --out whole "${small[@]}" --keep-checkpoint
cp -r whole again
rm again/render0001.png
printf 'not a checkpoint' >"$(ls again/*.checkpoint)"
expect 0 render "$tiny" --cache cache --out again "${small[@]}" --keep-checkpoint
cmp whole/render0001.png again/render0001.png || failed "a damaged checkpoint changed the image"

# Scene errors: values out of range, an invalid environment map, an invalid light group.
expect 2 render "$tiny" --cache cache --out frames "${small[@]}" --set image/samples=-1 &&
    says "/image/samples"
expect 2 render "$tiny" --cache cache --out frames "${small[@]}" \
    --set 'camera/position=[0, 1, 0]' --set 'camera/look_at=[0, 1, 0]' && says "/camera/position"
expect 2 render "$tiny" --cache cache --out frames "${small[@]}" --set 'camera/up=[0, 0, 0]' &&
    says "/camera/up"
printf 'not an image' >sky.hdr
expect 4 render "$tiny" --cache cache --out frames "${small[@]}" \
    --set "lights=[{\"type\": \"environment\", \"image\": \"$PWD/sky.hdr\"}]" &&
    says "tiny.json: /lights/0/image: $PWD/sky.hdr"
expect 2 render "$tiny" --cache cache --out frames "${small[@]}" \
    --set 'lights=[{"type": "sphere"}, {"type": "spot", "position": [0, 0, 0]}]' &&
    says "/lights/1/look_at"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >bare.obj
expect 2 render "$tiny" --cache cache --out frames "${small[@]}" \
    --set "bodies=[{\"name\": \"ball\", \"mesh\": \"$source_folder/scenes/assets/ball.obj\"},
           {\"name\": \"bare\", \"mesh\": \"$PWD/bare.obj\", \"material\":
            {\"roughness_map\": \"$PWD/whole/render0001.png\"}}]" &&
    says "/bodies/1/material/roughness_map: the body's mesh has no texture coordinates"
printf 'not an image' >skin.txt
expect 2 render "$tiny" --cache cache --out frames "${small[@]}" \
    --set "bodies/0/material/texture=$PWD/skin.txt" &&
    says "tiny.json: /bodies/0/material/texture: $PWD/skin.txt: unknown image extension"
expect 2 render "$tiny" --cache cache --out frames "${small[@]}" \
    --set 'bodies/0/material/light_group=a b' && says "/bodies/0/material/light_group"
finish
