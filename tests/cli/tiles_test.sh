#!/usr/bin/env bash
# Images that are joined from tiles are those of one process, pixel for pixel.
source "$(dirname -- "$0")/cli.sh"

expect 0 sim "$tiny" --out cache --frames 1-2
scene=("$tiny" --cache cache)

# joined NAME CxR ARGUMENTS...: tiles in another order than that of the image.
joined() {
    local name=$1 tiles=$2 tile
    shift 2
    expect 0 render "${scene[@]}" "$@" --out "$name.one"
    for ((tile = ${tiles%x*} * ${tiles#*x}; tile >= 1; --tile)); do
        expect 0 render "${scene[@]}" "$@" --out "$name" --tile "$tile/$tiles"
    done
    expect 0 render "${scene[@]}" "$@" --out "$name" --join-tiles "$tiles"
    same_files "$name.one" "$name"
}

joined plain 2x2 --frames 1-2
joined uneven 3x1 --frames 1 --set image/width=59 --set image/height=37
joined adaptive 2x3 --frames 1 --set image/adaptive_threshold=0.2 --set image/samples=32 --set image/adaptive_min_samples=4
joined box 2x2 --frames 1 --set image/filter=box
joined aovs 2x2 --frames 1 --format exr --aov N,Z,crypto,hair_lobes
joined denoised 2x2 --frames 1 --format exr,png --set image/samples=16 --set image/denoise=true
[ -e denoised/render0001.denoised.png ] || failed 'no denoised image'
joined film 2x1 --frames 1-2 --set image/samples=16 --set image/denoise=true --set image/denoise_frames=1
[ -e film/render0002.denoised.png ] && [ -e film/render0002.denoise ] || failed 'the film is not denoised'

# Processes divide the tiles of a frame; complete images need no tiles.
for tile in 1 2 3 4; do
    "$coif" render "${scene[@]}" --out race --frames 1-2 --tile $tile/2x2 >/dev/null 2>"race.$tile" &
done
wait
expect 0 render "${scene[@]}" --out race --frames 1-2 --join-tiles 2x2
same_files plain.one race
expect 0 render "${scene[@]}" --out race --frames 1 --tile 1/2x2
says 'up to date'

# Missing, damaged and other tiles.
expect 0 render "${scene[@]}" --out other --frames 1 --tile 1/2x1
expect 3 render "${scene[@]}" --out other --frames 1 --join-tiles 2x1
says 'render0001.2-of-2x1.film: missing; expected from --tile 2/2x1'
expect 0 render "${scene[@]}" --out other --frames 1 --tile 2/2x1 --set image/samples=5
expect 4 render "${scene[@]}" --out other --frames 1 --join-tiles 2x1
says 'different settings'
expect 0 render "${scene[@]}" --out other --frames 1 --tile 2/2x1
head -c 500 other/render0001.1-of-2x1.film >short && mv short other/render0001.1-of-2x1.film
expect 4 render "${scene[@]}" --out other --frames 1 --join-tiles 2x1
expect 0 render "${scene[@]}" --out other --frames 1 --tile 1/2x1
expect 0 render "${scene[@]}" --out other --frames 1 --join-tiles 2x1
cmp other/render0001.png plain.one/render0001.png || failed 'tiles that were rendered again differ'

expect 1 render "${scene[@]}" --out other --tile 5/2x2
says 'as 3/2x2'
expect 1 render "${scene[@]}" --out other --join-tiles 0x2
says 'as 2x2'
expect 1 render "${scene[@]}" --out other --tile 1/2x2 --crop 0,0,8,8
says '--tile and --crop'
expect 1 render "${scene[@]}" --out other --tile 1/20x1
says 'at least 8 x 8 pixels'
finish
