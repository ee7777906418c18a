#!/usr/bin/env bash
# A film is verified before it gets its name, and pictures are removed only after that.
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
[ "$(probe film.mp4 nb_read_frames)" = 6 ] || failed "the film has not 6 frames"
[ "$(probe film.mp4 codec_name)" = h264 ] || failed "the film is not H.264"
[ "$(probe film.mp4 pix_fmt)" = yuv420p ] || failed "the film is not yuv420p"
[ "$(probe film.mp4 r_frame_rate)" = 12/1 ] || failed "the film has not 12 frames per second"
[ "$(probe film.mp4 width)" = 48 ] || failed "an odd width is not padded"
# The index stands before the pictures, so that players can begin at once.
head -c 4096 film.mp4 | grep -qa moov || failed "the film has no fast start"

# A folder with blanks and a % in its name is only a folder.
cp -r frames "fra mes %d"
expect 0 video "fra mes %d"
cmp -s "fra mes %d/output.mp4" film.mp4 && failed "24 and 12 frames per second give the same film"

# What cannot be verified gets no name, and the pictures stay.
mkdir fake
printf '#!/bin/sh\necho nb_read_frames=5\n' >fake/ffprobe
chmod +x fake/ffprobe
PATH=$PWD/fake:$PATH expect 3 video frames other.mp4 --delete-frames
says "5 frames can be decoded, wanted 6"
[ -e other.mp4 ] && failed "a film that was not verified has its name"
[ "$(ls frames/*.png | wc -l)" = 6 ] || failed "pictures were removed without a verified film"
printf 'not a picture' >frames/render0004.png
cp film.mp4 kept.mp4
expect 4 video frames kept.mp4 && says "render0004.png"
cmp -s film.mp4 kept.mp4 || failed "a failed film replaced the one before"
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
find . -name '*.tmp' | grep -q . && failed "a temporary film is left"
finish
