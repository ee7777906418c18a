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
finish
