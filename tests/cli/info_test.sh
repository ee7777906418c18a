#!/usr/bin/env bash
# Every file of ours explains itself.
source "$(dirname -- "$0")/cli.sh"

expect 0 run "$tiny" --out all --no-video
for file in all/hair.groom all/hair.0003.strands all/*.state all/render0003.png; do
    expect 0 info "$file" && prints "$file"
done
expect 0 info all/hair.groom all/hair.0001.strands && prints "hair.groom" && prints "0001.strands"
expect 0 info "$tiny" && prints "scene" && prints "/grooms/0 hair"
expect 0 info "$source_folder/scenes/assets/ball.obj"
prints "triangles  528"
prints "closed"
prints "group      scalp"
expect 1 info && says "FILES is missing"
printf 'hello' >note.txt
expect 4 info note.txt
expect 0 info all/hair.sim.stats.json && prints "figures of how long it took"
head -c 20 all/hair.sim.stats.json >torn.stats.json
expect 4 info torn.stats.json
# A damaged file does not hide the whole one behind it.
printf 'x' >>all/hair.0001.strands
expect 4 info all/hair.0001.strands all/hair.0002.strands && prints "0002.strands"
finish
