#!/usr/bin/env bash
# coif run goes from the scene to the film, says where things are, and a second run changes nothing.
source "$(dirname -- "$0")/cli.sh"
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || skip "no ffmpeg here"

expect 0 run "$tiny" --out all
prints "cache     all/*.strands"
prints "pictures  all/render0001.png to 0006"
prints "video     all/output.mp4"
prints "time      sim"
[ "$(ls all/*.png | wc -l)" = 6 ] || failed "not 6 pictures: $(ls all)"
[ -s all/output.mp4 ] || failed "no film"
[ -s all/run.stats.json ] || failed "no times"

touch -d '2001-01-01' all/*
cp -r --preserve=timestamps all before
expect 0 run "$tiny" --out all
same_files before all
again=$(find all -newermt '2002-01-01' \( -name '*.groom' -o -name '*.strands' -o -name '*.png' \))
[ -z "$again" ] || failed "a second run wrote again: $again"

# A lost picture and a lost frame come back as they were.
rm all/render0003.png all/*.0004.strands
expect 0 run "$tiny" --out all
same_files before all

# The single commands go on where run stopped.
expect 0 sim "$tiny" --out all
expect 0 render "$tiny" --out all
same_files before all

expect 0 run "$tiny" --out pictures --frames 2-3 --no-video
[ "$(ls pictures/*.png | wc -l)" = 2 ] || failed "not 2 pictures: $(ls pictures)"
[ -e pictures/output.mp4 ] && failed "a film in spite of --no-video"
expect 1 run "$tiny" --out pictures --frames 1-5x2
says "--no-video"

# Another colour is another picture but the same motion.
expect 0 run "$tiny" --out all --no-video --set grooms/hair/hair/eumelanin=0.1
says "frames 1-6 are up to date"
cmp -s before/render0001.png all/render0001.png && failed "another colour, the same picture"

# So is another colour of the body, though only its MTL file says so.
cp -r "$source_folder/scenes" scenes
expect 0 render scenes/tiny.json --out painted --cache all --frames 1
cp painted/render0001.png plain.png
sed -i 's/^Kd .*/Kd 0.1 0.9 0.1/' scenes/assets/ball.mtl
grep -q '^Kd 0.1 0.9 0.1' scenes/assets/ball.mtl || failed "ball.mtl has no Kd"
expect 0 render scenes/tiny.json --out painted --cache all --frames 1
cmp -s plain.png painted/render0001.png && failed "another MTL colour, the same picture"

# What is missing or old is said, with what would help.
expect 3 render "$tiny" --out nowhere --frames 1
says "hair.groom: no such file; run 'coif groom' or 'coif sim' first"
expect 3 render "$tiny" --out all --frames 9
says "hair.0009.strands: no such file; run 'coif sim' first"
expect 0 render "$tiny" --out all --frames 1 --set grooms/hair/count=210
says "warning: all/hair.groom: the scene has changed since this groom was generated"
expect 0 render "$tiny" --out all --frames 1 --set grooms/hair/hair/eumelanin=0.2
grep -q warning said && failed "a warning about a colour: $(cat said)"

# Pictures are in the format of the scene; the film has its own.
expect 0 run "$tiny" --out float --frames 1-2 --set image/format=exr
prints "pictures  float/render0001.exr to 0002"
[ -s float/render0002.exr ] && [ -s float/output.mp4 ] || failed "not all there: $(ls float)"
expect 0 run "$tiny" --out float_only --frames 1-2 --set image/format=exr --no-video
[ -s float_only/render0002.exr ] || failed "no pictures in the format of the scene"
[ -e float_only/render0002.png ] && failed "PNG pictures that nobody wanted"

# Frame 0 is a frame like others.
expect 0 run "$tiny" --out zero --frames 0 --no-video --set sim/first_frame=0
[ "$(cd zero && echo *.strands *.png)" = "hair.0000.strands render0000.png" ] ||
    failed "frame 0 alone was asked for, found: $(ls zero)"

# A missing ffmpeg shows before the work, not behind it.
PATH=/nonexistent expect 3 run "$tiny" --out early
says "ffmpeg is not installed"
[ -e early ] && failed "work was done before ffmpeg was missed"
finish
