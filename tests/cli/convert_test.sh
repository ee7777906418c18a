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

# Sequences.
cp a.ply s.0001.ply && cp a.ply s.0002.ply
expect 0 convert s.####.ply s.####.hair --frames 1-2
cmp -s s.0001.hair s.0002.hair || failed "frames of a sequence differ"
expect 1 convert s.####.ply s.hair --frames 1-2 && says "needs a run of #"

# Repair is explicit and reports what it did.
expect 1 convert a.ply r.ply --repair && says "used together"
expect 0 convert a.ply r.ply --repair --body "$source_folder/scenes/assets/mannequin.obj" &&
    says "roots moved to the body by at most"
expect 1 convert a.ply r.ply --repair --body "$source_folder/scenes/assets/mannequin.obj" --group none &&
    says "no group 'none'"
printf 'ply\nformat ascii 1.0\n' >bad.ply
expect 4 convert bad.ply x.ply && says "no end_header"
[ -e x.ply ] && failed "a failed conversion left a file"
finish
