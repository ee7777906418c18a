#!/usr/bin/env bash
# Every look of the gallery grooms without a warning, with few strands and all of its modifiers, and
# one command makes a still of it.
source "$(dirname -- "$0")/cli.sh"

looks=$(sed -n 's/^coif run scenes\/\([a-z]*\)\.json.*/\1/p' "$source_folder/docs/gallery.md" | sort -u)
[ "$(wc -w <<<"$looks")" -ge 8 ] || failed "docs/gallery.md shows fewer than eight looks: $looks"
for look in $looks; do
    scene=$source_folder/scenes/$look.json
    few_strands "$scene" || continue
    [ ${#few[@]} -gt 0 ] || failed "$look has no groom"
    expect 0 groom "$scene" --out "$look" "${few[@]}" || continue
    grep -qiE 'warning|error' said && failed "$look: $(grep -iE 'warning|error' said | head -n 3)"
    for groom in "$look"/*.groom; do
        [ -s "$groom" ] || failed "$look grew nothing"
    done
    grep -qE "pictures/(look_)?$look\.jpg" "$source_folder/docs/gallery.md" || failed "$look has no picture"
done

expect 0 run "$tiny" --out still --rest
prints "still/*.groom"
[ -s still/render0001.png ] && [ -s still/hair.groom ] || failed "--rest makes no still"
[ -e still/hair.0001.strands ] || [ -e still/output.mp4 ] && failed "--rest simulated or filmed"
finish
