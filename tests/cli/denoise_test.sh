#!/usr/bin/env bash
# A film is denoised over its frames after rendering: in any order of frames, by any number of processes and
# threads, with the same bits; a single image is denoised by itself as before.
source "$(dirname -- "$0")/cli.sh"

small=(--set image/format=png --set image/width=48 --set image/height=48 --set image/samples=12
    --set image/denoise=true)
film=("${small[@]}" --set image/denoise_frames=2)
expect 0 sim "$tiny" --out cache

# One process, all frames.
expect 0 render "$tiny" --cache cache --out one "${film[@]}"
says 'frame 3: denoised over 5 frames'
[ "$(ls one/*.denoised.png | wc -l)" = 6 ] || failed "not 6 denoised images: $(ls one)"
cmp -s one/render0003.png one/render0003.denoised.png && failed "the denoised image is the rendered one"

# Frames in another order, with other numbers of threads, and a pass after rendering.
expect 0 render "$tiny" --cache cache --out parts "${film[@]}" --frames 4-6 --defer-denoise --threads 3
expect 0 render "$tiny" --cache cache --out parts "${film[@]}" --frames 1-3 --defer-denoise --threads 1
[ ! -e parts/render0001.denoised.png ] || failed "--defer-denoise denoised"
expect 0 denoise parts --threads 1
for frame in 1 2 3 4 5 6; do
    cmp "one/render000$frame.denoised.png" "parts/render000$frame.denoised.png" || failed "frame $frame differs"
    cmp "one/render000$frame.denoise" "parts/render000$frame.denoise" || failed "inputs of frame $frame differ"
done

# Without --defer-denoise every process denoises what it finds; later neighbours make images stale.
expect 0 render "$tiny" --cache cache --out grows "${film[@]}" --frames 1-3
expect 0 render "$tiny" --cache cache --out grows "${film[@]}" --frames 4-6
says 'grows: 5 of 6 frames denoised'
for frame in 1 2 3 4 5 6; do
    cmp "one/render000$frame.denoised.png" "grows/render000$frame.denoised.png" || failed "frame $frame differs"
done

# Images that are up to date are kept, damaged ones are made again.
expect 0 denoise one
says '0 of 6 frames denoised'
printf broken >one/render0002.denoised.png
expect 0 denoise one
says '1 of 6 frames denoised'
cmp one/render0002.denoised.png parts/render0002.denoised.png || failed "frame 2 was not made again"

# Another radius; none at all gives the pixels of a film of one frame.
expect 0 denoise parts --radius 1
says '6 of 6 frames denoised'
cmp -s one/render0003.denoised.png parts/render0003.denoised.png && failed "the radius has no effect"

# Inputs may be deleted: the frames stay up to date.
expect 0 denoise one --delete-inputs
[ -z "$(ls one/*.denoise 2>/dev/null)" ] || failed "inputs are left"
expect 0 render "$tiny" --cache cache --out one "${film[@]}"
says 'render0003.png is up to date'
no_scraps one

# A still.
expect 0 render "$tiny" --cache cache --out still "${small[@]}" --frames 3
[ -s still/render0003.denoised.png ] || failed "no denoised still"
[ ! -e still/render0003.denoise ] || failed "a still has denoiser inputs"

expect 0 render "$tiny" --cache cache --out still "${film[@]}" --set image/denoise=false --frames 1
says 'image/denoise_frames: no effect without image/denoise'

# EXR: linear, with alpha and the metadata of the render.
expect 0 render "$tiny" --cache cache --out exr "${film[@]}" --format exr --frames 2-3
expect 0 diff exr/render0002.denoised.exr exr/render0002.denoised.exr
for name in chromaticities framesPerSecond timeCode; do
    for image in exr/render0002.exr exr/render0002.denoised.exr; do
        grep -aq "$name" "$image" || failed "$image has no $name"
    done
done
expect 0 info exr/render0002.denoise
prints 'denoise'

# Wrong input.
expect 3 denoise nowhere
mkdir empty
expect 3 denoise empty
says 'no render0001.denoise'
head -c 1000 parts/render0002.denoise >empty/render0002.denoise
expect 4 denoise empty
says 'empty/render0002.denoise'

# The video of a film is that of its denoised images.
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    expect 0 video parts parts.mp4
    says 'of the denoised images'
fi
finish
