#!/usr/bin/env bash
# coif run makes cache, images and video and prints their paths; a second run changes nothing.
source "$(dirname -- "$0")/cli.sh"
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || skip "no ffmpeg here"

expect 0 run "$tiny" --out all
prints "cache     all/*.strands"
prints "images    all/render0001.png to 0006"
prints "video     all/output.mp4"
prints "time      sim"
[ "$(ls all/*.png | wc -l)" = 6 ] || failed "not 6 images: $(ls all)"
[ -s all/output.mp4 ] || failed "no video"
[ -s all/run.stats.json ] || failed "no times"

touch -d '2001-01-01' all/*
cp -r --preserve=timestamps all before
expect 0 run "$tiny" --out all
same_files before all
again=$(find all -newermt '2002-01-01' \( -name '*.groom' -o -name '*.strands' -o -name '*.png' \))
[ -z "$again" ] || failed "a second run wrote again: $again"

# A deleted image and a deleted frame are made again.
rm all/render0003.png all/*.0004.strands
expect 0 run "$tiny" --out all
same_files before all

# The separate commands continue from the results of run.
expect 0 sim "$tiny" --out all
expect 0 render "$tiny" --out all
same_files before all

expect 0 run "$tiny" --out images --frames 2-3 --no-video
[ "$(ls images/*.png | wc -l)" = 2 ] || failed "not 2 images: $(ls images)"
[ -e images/output.mp4 ] && failed "a video in spite of --no-video"
expect 1 run "$tiny" --out images --frames 1-5x2
says "--no-video"

# A hair colour changes the image but not the simulation.
expect 0 run "$tiny" --out all --no-video --set grooms/hair/hair/eumelanin=0.1
says "frames 1-6 are up to date"
cmp -s before/render0001.png all/render0001.png && failed "the colour did not change the image"

# A colour in the MTL file of the body changes the image.
cp -r "$source_folder/scenes" scenes
expect 0 render scenes/tiny.json --out painted --cache all --frames 1
cp painted/render0001.png plain.png
sed -i 's/^Kd .*/Kd 0.1 0.9 0.1/' scenes/assets/ball.mtl
grep -q '^Kd 0.1 0.9 0.1' scenes/assets/ball.mtl || failed "ball.mtl has no Kd"
expect 0 render scenes/tiny.json --out painted --cache all --frames 1
cmp -s plain.png painted/render0001.png && failed "the MTL colour did not change the image"

# Missing and outdated files are reported with the command that makes them.
expect 3 render "$tiny" --out nowhere --frames 1
says "hair.groom: no such file; run 'coif groom' or 'coif sim' first"
expect 3 render "$tiny" --out all --frames 9
says "hair.0009.strands: no such file; run 'coif sim' first"
expect 0 render "$tiny" --out all --frames 1 --set grooms/hair/count=210
says "warning: all/hair.groom: the scene has changed since this groom was generated"
expect 0 render "$tiny" --out all --frames 1 --set grooms/hair/hair/eumelanin=0.2
grep -q warning said && failed "a warning for a colour change: $(cat said)"

# Images have the format of the scene; the video has its own.
expect 0 run "$tiny" --out float --frames 1-2 --set image/format=exr
prints "images    float/render0001.exr to 0002"
[ -s float/render0002.exr ] && [ -s float/output.mp4 ] || failed "missing files: $(ls float)"
expect 0 run "$tiny" --out float_only --frames 1-2 --set image/format=exr --no-video
[ -s float_only/render0002.exr ] || failed "no images in the format of the scene"
[ -e float_only/render0002.png ] && failed "PNG images were written too"

# Frame 0 can be rendered.
expect 0 run "$tiny" --out zero --frames 0 --no-video --set sim/first_frame=0
[ "$(cd zero && echo *.strands *.png)" = "hair.0000.strands render0000.png" ] ||
    failed "frame 0 alone was requested, found: $(ls zero)"

# A missing ffmpeg is reported before simulating.
PATH=/nonexistent expect 3 run "$tiny" --out early
says "ffmpeg is not installed"
[ -e early ] && failed "files were written before ffmpeg was checked"
# Every step reads the mesh; its warning is printed once.
mkdir -p degenerate/assets
cp "$tiny" degenerate
(cat "$source_folder/scenes/assets/ball.obj" && echo 'f 1 1 1') >degenerate/assets/ball.obj
expect 0 run degenerate/tiny.json --out degenerate/out --frames 1-2 --no-video --set image/samples=1
[ "$(grep -c 'ball.obj: 1 degenerate face skipped' said)" = 1 ] || failed "a warning is repeated: $(cat said)"
# The instruction set of Embree is that of the images.
expect 0 run "$tiny" --out isa --frames 1 --no-video --embree-isa sse4.2 --set image/width=32 --set image/height=32
expect 0 render "$tiny" --cache isa --out isa_render --frames 1 --embree-isa sse4.2 --set image/width=32 --set image/height=32
cmp isa/render0001.png isa_render/render0001.png || failed "run and render differ with one instruction set"
expect 1 run "$tiny" --out isa --embree-isa mmx
finish
