#!/usr/bin/env bash
# coif info describes every file type.
source "$(dirname -- "$0")/cli.sh"

expect 0 run "$tiny" --out all --no-video
for file in all/hair.groom all/hair.0003.strands all/*.state all/render0003.png; do
    expect 0 info "$file" && prints "$file"
done
expect 0 info all/hair.groom all/hair.0001.strands && prints "hair.groom" && prints "0001.strands"
expect 0 info "$tiny" && prints "scene" && prints "/grooms/0 hair"
expect 0 info "$source_folder/scenes/assets/ball.obj"
prints "triangles             528"
prints "closed                true"
prints "scalp   168"
prints "likely_unit           m (scale 1)"
# Units of strand files, parts and channels of EXR.
expect 0 info all/hair.groom && prints "length_unit           m"
expect 0 export "$tiny" all/hair.hair --cache all
expect 0 info all/hair.hair && prints "likely_unit           m (file_scale 1)"
sed 's/^v \([^ ]*\) \([^ ]*\) \([^ ]*\)/v \1e2 \2e2 \3e2/' "$source_folder/scenes/assets/ball.obj" >centimetres.obj
expect 0 info centimetres.obj && prints "likely_unit           cm (scale 0.01)"
expect 0 render "$tiny" --cache all --out parts --rest --frames 1 --format exr --aov N,Z --exr-layout spec
expect 0 info parts/render0001.exr && prints "parts" && grep -qE '^ +Z +0 +0 +48 +48 +Z$' printed || failed "the part of the depth is not listed: $(cat printed)"
expect 1 info && says "FILES is missing"
printf 'hello' >note.txt
expect 4 info note.txt
printf 'BLENDER-v404' >head.copy && expect 4 info head.copy && says "use the add-on for Blender"
printf 'x' >head.mb && expect 4 lint "$tiny" --set "bodies/0/mesh=$PWD/head.mb" && says "export Alembic or USD"
expect 0 info all/hair.sim.stats.json && prints "statistics" && prints "seconds_per_frame"
head -c 20 all/hair.sim.stats.json >torn.stats.json
expect 4 info torn.stats.json
# Deterministic statistics are in the frame file, timings in a separate file.
expect 0 info all/hair.0003.strands && prints "max_stretch  " && prints "contacts   "
expect 0 info all/hair.sim.stats.jsonl && prints "frame seconds"
# Energies do not depend on threads, and the lines of existing frames stay.
for threads in 1 3; do
    expect 0 sim "$tiny" --out energy$threads --frames 1-2 --threads $threads
    expect 0 sim "$tiny" --out energy$threads --frames 1-3 --threads $threads
    sed 's/"seconds": [0-9.]*, //' energy$threads/hair.sim.stats.jsonl >energy$threads.jsonl
done
[ "$(grep -c '"kinetic": [0-9.e-]*, "potential": [0-9.e-]*, "elastic": [0-9.e-]*}' energy1.jsonl)" = 3 ] || failed "energies of three frames are missing"
cmp energy1.jsonl energy3.jsonl || failed "energies depend on threads"
# --json is valid for every file type, damaged files included.
expect 4 info --json all/hair.groom all/hair.0003.strands all/*.state all/render0003.png \
    all/hair.sim.stats.json all/hair.sim.stats.jsonl "$tiny" \
    "$source_folder/scenes/assets/ball.obj" torn.stats.json
python3 - printed <<'END' || failed "info --json is wrong"
import json, sys
files = json.load(open(sys.argv[1]))
kinds = [f.get("kind", "none") for f in files]
assert kinds.count("groom") == 1 and kinds.count("frame") == 1 and "state" in kinds, kinds
assert {"image", "statistics", "scene", "mesh", "none"} <= set(kinds), kinds
frame = files[kinds.index("frame")]
assert frame["frame"] == 3 and 0 <= frame["max_stretch"] < 0.1 and frame["contacts"] >= 0, frame
assert frame["strands_reset"] == 0 and frame["strands_not_finite"] == 0, frame
assert files[kinds.index("mesh")]["triangles"] == 528 and files[-1]["error"], files[-1]
END
# A damaged file does not stop the listing.
printf 'x' >>all/hair.0001.strands
expect 4 info all/hair.0001.strands all/hair.0002.strands && prints "0002.strands"

# The statistics of frame 0 stay when a run restarts after it.
expect 0 sim "$tiny" --set sim/first_frame=0 --set sim/last_frame=1 --out zero
expect 0 sim "$tiny" --set sim/first_frame=0 --set sim/last_frame=2 --out zero
[ "$(grep -c '"frame": [012],' zero/hair.sim.stats.jsonl)" = 3 ] || failed "frame 0 is not in the statistics after a restart"
finish
