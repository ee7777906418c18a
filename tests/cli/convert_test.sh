#!/usr/bin/env bash
# coif convert: round trips through every format keep the bits; options and errors.
source "$(dirname -- "$0")/cli.sh"

lashes=$source_folder/scenes/assets/lashes.hair
expect 0 convert "$lashes" a.ply && says "a.ply: "
for format in txt pbrt ply hair; do
    expect 0 convert a.ply "b.$format"
    expect 0 convert "b.$format" c.ply
    cmp -s a.ply c.ply || failed "$format does not keep points and radii"
done
# Formats without a radius keep positions.
expect 0 convert a.ply p.data
expect 0 convert p.data p.obj
expect 0 convert p.obj q.data
cmp -s p.data q.data || failed "OBJ polylines do not keep positions"
expect 1 convert a.ply a.gltf && says "expected one of .hair .tfx"
expect 2 convert none.xyz b.ply && says "unknown strand file"
expect 3 convert none.ply b.ply && says "none.ply"

expect 0 convert a.ply t.tfx --resample 9 --max-strands 50
expect 0 info t.tfx && prints "450"
expect 0 convert t.tfx u.tfx --tfx-version 3
expect 0 convert u.tfx v.tfx
expect 0 convert t.tfx cm.hair --scale 100 --up-axis z
expect 0 convert a.ply g.hair --guides 7 --guides-file guides.obj && says "guides.obj: 7 strands"

# Any pair of formats: positions keep their bits, radii where both formats have them, and a file that
# is written again has the same bytes.
formats=(hair tfx obj ply data txt pbrt usda usdc abc)
thick=" hair ply txt pbrt usda usdc abc " # formats with radii
expect 0 convert a.ply m.ply --resample 6 --max-strands 20
expect 0 convert m.ply m.data
for first in "${formats[@]}"; do
    expect 0 convert m.ply "first.$first"
    for second in "${formats[@]}"; do
        "$coif" --quiet convert "first.$first" "y.$second" && "$coif" --quiet convert "y.$second" "z.$second" &&
            "$coif" --quiet convert "y.$second" y2.data || failed ".$first to .$second failed"
        cmp -s m.data y2.data || failed ".$first to .$second does not keep positions"
        cmp -s "y.$second" "z.$second" || failed ".$first to .$second is not idempotent"
        if [[ $thick == *" $first "* && $thick == *" $second "* ]]; then
            expect 0 diff m.ply "y.$second"
        fi
    done
done

# Sequences.
cp a.ply s.0001.ply && cp a.ply s.0002.ply
expect 0 convert s.####.ply s.####.hair --frames 1-2
expect 1 convert s.####.ply s.abc && says "a sequence of files needs --frames"
expect 1 diff s.####.ply s.####.hair && says "a sequence of files needs --frames"
expect 0 diff s.####.ply s.####.hair --frames 1-2
cmp -s s.0001.hair s.0002.hair || failed "frames of a sequence differ"
expect 1 convert s.####.ply s.hair --frames 1-2 && says "needs a run of #"

# Files without strands.
printf 'ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n' >empty.ply
for format in "${formats[@]}"; do
    expect 0 convert empty.ply "empty.$format"
done
for format in hair tfx ply data; do
    expect 0 convert "empty.$format" again.ply && says "again.ply: 0 strands"
done

# Sequences, caches and archives become archives with all frames, and these keep everything.
expect 0 convert a.ply s.0002.ply --scale 1.25
for type in abc usda usdc; do
    expect 0 convert s.####.ply s.$type --frames 1-2 --fps 25
    expect 0 info s.$type && prints "fps                   25" && grep -qE '/hair +curves +false +2 +0.04 +0.08 ' printed ||
        failed "samples of s.$type: $(cat printed)"
    expect 0 convert s.$type t.####.ply --frames 1-2
    cmp -s s.0002.ply t.0002.ply || failed "frame 2 of s.$type differs"
done
expect 1 diff s.abc s.0001.ply && prints "frames"
expect 0 diff s.abc s.0001.ply --frames 1-1
expect 0 diff s.abc s.usda
expect 0 sim "$tiny" --out cache --frames 1-3
expect 0 export "$tiny" all.abc --cache cache --frames 1-3 --expand --with-guides
expect 0 convert all.abc all.usdc
expect 0 convert all.usdc all.usda
expect 0 convert all.usda again.abc --basis linear
expect 0 convert again.abc again.usda
cmp -s all.usda again.usda || failed "an archive is not idempotent"
for object in hair hair_guides; do
    expect 0 diff all.abc again.usda --object $object
done
expect 0 info all.usda && prints "catmull-rom widths velocities root_uv ids closest_guides" &&
    prints "widths velocities root_uv ids"
grep -q 'int\[\] primvars:groom_closest_guides' all.usda && grep -q velocities.timeSamples all.usda &&
    grep -q 'purpose = "guide"' all.usda || failed "attributes of all.abc are missing in all.usda"
expect 2 diff all.abc all.usda --object hat && says "has no curves hat"
expect 3 diff none.abc all.usda && says "none.abc: cannot open"
expect 0 convert cache cache.abc --groom hair
expect 0 diff cache.abc cache --groom hair
expect 0 convert all.abc guides.abc --guides-only
expect 0 diff cache guides.abc --groom hair
expect 1 convert cache frame.ply --groom hair && says "--frame or --frames is needed"
expect 0 convert cache frame.ply --groom hair --frame 2
expect 0 diff cache/hair.0002.strands frame.ply
expect 1 convert cache frame.ply && says "--groom NAME"
expect 0 convert a.ply unreal.abc --meters-per-unit 0.01 --output-up-axis z --basis bspline
expect 0 diff a.ply unreal.abc --tolerance 1e-7
expect 0 info unreal.abc && prints "0.01"
expect 0 convert a.ply b.txt --basis linear && says "options of USD and Alembic have no effect"
cp a.ply v.0001.ply
expect 0 convert a.ply v.0002.ply --resample 9 --max-strands 50
# Frames with other numbers of strands and points.
for type in abc usda usdc; do
    expect 0 convert v.####.ply v.$type --frames 1-2
    expect 0 convert v.$type w.####.ply --frames 1-2
    cmp -s v.0001.ply w.0001.ply && cmp -s v.0002.ply w.0002.ply || failed "v.$type keeps no counts per sample"
done
expect 1 convert s.####.ply s.abc --frames 1,2,4 && says "even steps"

# Groups keep their names, strands of a group in any order.
printf 'v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 2 0 0\nv 2 1 0\ng fringe\nl 1 2\ng "back"\nl 3 4\ng fringe\nl 5 6\n' >groups.obj
for type in abc usda usdc; do
    expect 0 convert groups.obj groups.$type
    expect 0 convert groups.$type back.obj
    cmp -s <(grep '^[gl]' groups.obj) <(grep '^[gl]' back.obj) || failed "groups after .$type: $(grep '^[gl]' back.obj)"
done

# Repair is explicit, reports each step, and a second one changes nothing.
body=$source_folder/scenes/assets/mannequin.obj
expect 1 convert a.ply r.ply --repair && says "used together"
expect 1 convert a.ply r.ply --repair-steps bind && says "needs --repair"
expect 1 convert a.ply r.ply --repair --body "$body" --repair-steps bind,resampel && says "did you mean 'resample'?"
python3 - >faulty.obj <<'EOF_PY'
import random
random.seed(1)
print("\n".join("v %g %g %g" % (p % 40 * 1e-3 - 0.02, 0.122 + s * 1e-4 + (0 if p < 2 else 0.01 * p) + 1e-3 * random.random(),
                                p * 1e-3) for s in range(60) for p in range(9)))
print("\n".join("l " + " ".join(str(9 * s + p + 1) for p in range(9)) for s in list(range(60)) + [3, 4]))
EOF_PY
for type in ply data abc usda usdc; do
    expect 0 convert faulty.obj "r.$type" --repair --body "$body" --json --max-root-distance 0.2 --resample-tolerance 0.1
    says "2 duplicates removed" && says "roots moved to the body, by" && says "strands resampled to equal segments" &&
        says "points of" && says "pushed out of the body"
    cp printed first.json
    expect 0 convert "r.$type" "r2.$type" --repair --body "$body" --json --max-root-distance 0.2 --resample-tolerance 0.1
    cmp -s "r.$type" "r2.$type" || failed "a second repair of .$type changes it"
    python3 - first.json printed <<'EOF_PY' || failed "report of .$type: $(cat first.json printed)"
import json, sys
first, again = (json.load(open(path))["frames"][0] for path in sys.argv[1:])
assert first["duplicates"] == 2 and first["bound"]["strands"] == 60 and first["bound"]["largest"] > 1e-3
assert first["resampled"]["strands"] > 30 and first["resampled"]["largest"] > 1e-3 and first["guides"] == 16
assert all(again[step]["strands"] == again[step]["largest"] == 0 for step in ("bound", "resampled", "pushed"))
assert again["duplicates"] == again["merged_points"] == again["strays"] == again["reversed"] == 0
EOF_PY
done
# Guides: in the file where it holds them, else beside it.
cmp -s r_guides.ply r2_guides.ply || failed "other guides after a second repair"
expect 0 info r.abc && prints "/hair_guides" && grep -qE '/hair_guides +curves +true .* 16 ' printed || failed "no 16 guides in r.abc"
[ -e r_guides.abc ] && failed "guides of an archive beside it"
expect 0 convert r.abc g.data --guides-only
cmp -s g.data r_guides.data || failed "guides in and beside a file differ"
cp faulty.obj f.0001.obj && cp faulty.obj f.0002.obj
expect 0 convert f.####.obj g.####.ply --frames 1-2 --repair --body "$body" --max-root-distance 0.2 && says "g_guides.0002.ply: 16"
expect 0 convert faulty.obj g.usda --repair --body "$body" --max-root-distance 0.2 --guides 5 --guides-file five.hair &&
    says "five.hair: 5 strands"
# Steps: one of them, and all but some.
expect 0 convert faulty.obj s.ply --repair --body "$body" --repair-steps duplicates && says "60 strands"
[ -e s_guides.ply ] && failed "guides that were left out"
expect 0 convert faulty.obj s2.ply
expect 1 diff s.ply s2.ply && prints "60" && prints "62"
expect 0 convert faulty.obj s.ply --repair --body "$body" --max-root-distance 0.2 --repair-steps no-resample,no-guides --json
python3 -c 'import json; f = json.load(open("printed"))["frames"][0]
assert f["resampled"]["strands"] == f["guides"] == 0 and f["bound"]["strands"] == 60' || failed "no-resample: $(cat printed)"
expect 0 convert faulty.obj s.tfx --repair --body "$body" --max-root-distance 0.2 --resample 12 && says "720 points"
expect 0 convert a.ply r.ply --json && grep -q '"strands": 368' printed || failed "no report: $(cat printed)"

expect 1 convert a.ply far.ply --scale 100 --repair --body "$body" &&
    says "no end of the" && says "--body-scale"
[ -e far.ply ] && failed "a failed conversion left far.ply"
expect 1 convert a.ply r.ply --repair --body "$body" --group none &&
    says "no group 'none'"
printf 'ply\nformat ascii 1.0\n' >bad.ply
expect 4 convert bad.ply x.ply && says "no end_header"
[ -e x.ply ] && failed "a failed conversion left a file"
finish
