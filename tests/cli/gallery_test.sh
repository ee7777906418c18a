#!/usr/bin/env bash
# Every scene of the gallery grooms without a warning, with few strands and all its modifiers, and
# run --rest renders a still.
source "$(dirname -- "$0")/cli.sh"

scenes=$(sed -n 's/^coif run scenes\/\([a-z]*\)\.json.*/\1/p' "$source_folder/docs/gallery.md" | sort -u)
[ "$(wc -w <<<"$scenes")" -ge 8 ] || failed "docs/gallery.md shows fewer than eight scenes: $scenes"
for name in $scenes; do
    scene=$source_folder/scenes/$name.json
    few_strands "$scene" || continue
    [ ${#few[@]} -gt 0 ] || failed "$name has no groom"
    expect 0 groom "$scene" --out "$name" "${few[@]}" || continue
    grep -qiE 'warning|error' said && failed "$name: $(grep -iE 'warning|error' said | head -n 3)"
    for groom in "$name"/*.groom; do
        [ -s "$groom" ] || failed "$name: empty groom"
    done
    # styles.json shows one image per style, style_NAME.jpg.
    grep -qE "pictures/(gallery_$name|${name%s}_[a-z]+)\.jpg" "$source_folder/docs/gallery.md" || failed "$name has no image"
done

expect 0 run "$tiny" --out still --rest
prints "still/*.groom"
[ -s still/render0001.png ] && [ -s still/hair.groom ] || failed "--rest renders no still"
[ -e still/hair.0001.strands ] || [ -e still/output.mp4 ] && failed "--rest wrote frames or a video"

# At rest the groom follows its body: frame 2 of a turning body is that of a turned body.
small=(--cache still --rest --format bmp --set image/samples=2)
expect 0 render "$tiny" --out turning --frames 1-2 "${small[@]}"
cmp -s turning/render0001.bmp turning/render0002.bmp && failed "--rest repeats one picture of a turning body"
expect 0 render "$tiny" --out turned --frames 2 "${small[@]}" --set 'bodies/0/rotate=[0, 10, 0]'
cmp turning/render0002.bmp turned/render0002.bmp || failed "--rest does not pose the groom"
# With motion blur, too.
expect 0 render "$tiny" --out blurred --frames 2 "${small[@]}" --set camera/shutter_close=0.5
cmp -s turning/render0002.bmp blurred/render0002.bmp && failed "--rest has no motion blur"
# Strands as lines with dots.
expect 0 render "$tiny" --out wire --frames 2 "${small[@]}" --wire
cmp -s turning/render0002.bmp wire/render0002.bmp && failed "--wire draws hair"
expect 0 render "$tiny" --out wire --frames 2 "${small[@]}" --wire && says "is up to date"
expect 0 render "$tiny" --out wire --frames 2 "${small[@]}" --wire --wire-strands 5
says "wire/render0002.bmp: 48 x 48"
expect 0 run "$tiny" --out turntable --rest --frames 1-2 --set image/samples=1
[ -s turntable/output.mp4 ] || failed "--rest with frames makes no video"
finish
