#!/usr/bin/env bash
# A video is verified before it is renamed, and images are removed only after that.
source "$(dirname -- "$0")/cli.sh"
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || skip "no ffmpeg here"

expect 0 sim "$tiny" --out cache
expect 0 render "$tiny" --cache cache --out "fra mes %d" --set image/width=47
mv "fra mes %d" frames
expect 0 video frames film.mp4 --fps 12
says "6 frames"
probe() {
    ffprobe -v error -select_streams v:0 -count_frames -show_entries "stream=$2" \
        -of default=noprint_wrappers=1:nokey=1 "$1"
}
[ "$(probe film.mp4 nb_read_frames)" = 6 ] || failed "the video does not have 6 frames"
[ "$(probe film.mp4 codec_name)" = h264 ] || failed "the video is not H.264"
[ "$(probe film.mp4 pix_fmt)" = yuv420p ] || failed "the video is not yuv420p"
[ "$(probe film.mp4 r_frame_rate)" = 12/1 ] || failed "the video does not have 12 frames per second"
[ "$(probe film.mp4 width)" = 48 ] || failed "an odd width is not padded"
# The index precedes the frames, so that players can start at once.
head -c 4096 film.mp4 | grep -qa moov || failed "the video has no fast start"

# AV1 and ProRes; a text with the frame number; a contact sheet of frames at equal distances.
expect 0 render "$tiny" --cache cache --out large --frames 1-2 --set image/width=64 --set image/height=64
expect 0 video large av1.mp4 --codec av1
[ "$(probe av1.mp4 codec_name)" = av1 ] || failed "the video is not AV1"
[ "$(probe av1.mp4 nb_read_frames)" = 2 ] || failed "the AV1 video does not have 2 frames"
expect 0 video frames film.mov --codec prores
[ "$(probe film.mov codec_name)" = prores ] || failed "the video is not ProRes"
expect 0 video frames text.mp4 --fps 12 --burn-in 'shot 12  ####'
cmp -s text.mp4 film.mp4 && failed "no text was drawn"
expect 0 video frames same.mp4 --fps 12 --burn-in 'shot 12  ####'
cmp text.mp4 same.mp4 || failed "the same frames give another video"
expect 1 video frames text.mp4 --burn-in "it's"
says 'at most one run of #'
expect 0 video frames --contact-sheet 2x2 --cell-width 100
[ "$(probe frames/sheet.png width)x$(probe frames/sheet.png height)" = 224x228 ] ||
    failed "the sheet has $(probe frames/sheet.png width) x $(probe frames/sheet.png height) pixels"
rm frames/sheet.png
expect 0 video frames sheet.jpg --contact-sheet 4x4
expect 1 video frames sheet.gif --contact-sheet 4x4
says '.png or .jpg'
expect 1 video frames sheet.png --contact-sheet 40
says 'as 6x4'

# A folder name with spaces and a %.
cp -r frames "fra mes %d"
expect 0 video "fra mes %d"
cmp -s "fra mes %d/output.mp4" film.mp4 && failed "24 and 12 frames per second give the same video"

# A video that fails verification is removed, and the images stay.
mkdir fake
printf '#!/bin/sh\necho nb_read_frames=5\n' >fake/ffprobe
chmod +x fake/ffprobe
PATH=$PWD/fake:$PATH expect 3 video frames other.mp4 --delete-frames
says "5 frames can be decoded, expected 6"
[ -e other.mp4 ] && failed "an unverified video was kept"
[ "$(ls frames/*.png | wc -l)" = 6 ] || failed "images were removed without a verified video"
printf 'not an image' >frames/render0004.png
cp film.mp4 kept.mp4
expect 4 video frames kept.mp4 && says "render0004.png"
cmp -s film.mp4 kept.mp4 || failed "a failed video replaced the previous one"
cp frames/render0003.png frames/render0004.png
PATH=/nonexistent expect 3 video frames other.mp4
says "ffmpeg is not installed"

rm frames/render0004.png
expect 3 video frames other.mp4 && says "render0004.png: missing"
expect 0 video frames part.mp4 --frames 1-3 --delete-frames
[ "$(cd frames && echo *.png)" = "render0005.png render0006.png" ] || failed "left: $(ls frames)"
mkdir empty
expect 3 video empty other.mp4 && says "no render0001.png"
expect 3 video nowhere other.mp4 && says "nowhere"
find . -name '*.tmp' | grep -q . && failed "a temporary video is left"
finish
