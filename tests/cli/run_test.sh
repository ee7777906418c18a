#!/usr/bin/env bash
# coif run goes from the scene to the film, says where things are, and a second run changes nothing.
source "$(dirname -- "$0")/cli.sh"
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || skip "no ffmpeg here"

expect 0 run "$tiny" --out all
prints "cache     all/cache"
prints "pictures  all/frames"
prints "video     all/output.mp4"
prints "time      sim"
[ "$(ls all/frames/*.png | wc -l)" = 6 ] || failed "not 6 pictures: $(ls all/frames)"
[ -s all/output.mp4 ] || failed "no film"
[ -s all/run.stats.json ] || failed "no times"

touch -d '2001-01-01' all/cache/* all/frames/*
cp -r --preserve=timestamps all before
expect 0 run "$tiny" --out all
same_files before all
find all/cache all/frames -newermt '2002-01-01' -name '*.[gsp]*' ! -name '*.json' | grep -q . &&
    failed "a second run wrote again: $(find all/cache all/frames -newermt '2002-01-01')"

# A lost picture and a lost frame come back as they were.
rm all/frames/render0003.png all/cache/*.0004.strands
expect 0 run "$tiny" --out all
same_files before all

expect 0 run "$tiny" --out pictures --frames 2-3 --no-video
[ "$(ls pictures/frames/*.png | wc -l)" = 2 ] || failed "not 2 pictures: $(ls pictures/frames)"
[ -e pictures/output.mp4 ] && failed "a film in spite of --no-video"
expect 1 run "$tiny" --out pictures --frames 1-5x2
says "--no-video"
finish
