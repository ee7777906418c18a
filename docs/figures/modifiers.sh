#!/usr/bin/env bash
# modifiers: one small image per groom modifier, docs/pictures/groom_NAME.jpg.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

case ${1-} in
-h | --help)
    cat <<'END'
usage: docs/figures/modifiers.sh [FOLDER [NAME...]]

Renders scenes/modifiers.json with some of its modifiers enabled, one image per row of the table in
docs/guide/grooming.md, to FOLDER/groom_NAME.jpg (default folder out/modifiers). Names select a subset.
Takes about ten CPU seconds per image. COIF=PROGRAM selects the coif executable (default
build/bin/coif).
END
    exit 0
    ;;
esac

out=${1:-out/modifiers}
shift || true
wanted=" $* "
coif=${COIF:-build/bin/coif}
mkdir -p "$out"
out=$(cd "$out" && pwd)

# Two groups of guide curves that bend apart, and a wavy surface for the cut modifier.
awk 'BEGIN {
    for (side = -1; side <= 1; side += 2) {
        print "g side" side
        for (i = 0; i < 4; ++i) for (k = -2; k <= 2; ++k) {
            x = side * (0.1 + 0.25 * i); y = 1; z = 0.35 * k
            n = sqrt(x * x + y * y + z * z)
            for (p = 0; p <= 12; ++p) {
                a = 2.6 * p / 12; r = 0.1 + 0.028 * sin(a)
                print "v", r * x / n + side * 0.028 * (1 - cos(a)), r * y / n, r * z / n
            }
            line = "l"; for (p = -13; p < 0; ++p) line = line " " p
            print line
        }
    }
}' >"$out/guides.obj"
awk 'BEGIN {
    for (i = 0; i <= 24; ++i) for (k = 0; k <= 24; ++k)
        print "v", (i - 12) / 40, 0.015 + 0.03 * sin(i * 0.9), (k - 12) / 40
    for (i = 0; i < 24; ++i) for (k = 1; k <= 24; ++k) {
        a = 25 * i + k; print "f", a, a + 1, a + 26, a + 25
    }
}' >"$out/surface.obj"

draw() { # NAME MODIFIERS [PATH=VALUE...]
    local name=$1 sets=() modifier
    [[ $wanted = "  " || $wanted = *" $name "* ]] || return 0
    for modifier in $2; do
        sets+=(--set "grooms/hair/modifiers/$modifier/enabled=true")
    done
    shift 2
    for set in "$@"; do
        sets+=(--set "$set")
    done
    "$coif" run scenes/modifiers.json --out "$out/$name" --rest --quiet "${sets[@]}" >/dev/null
    ffmpeg -loglevel error -y -i "$out/$name/render0001.denoised.png" -q:v 3 "$out/groom_$name.jpg"
    echo "$out/groom_$name.jpg"
}

hair=grooms/hair
draw grown "" $hair/length=0.06
draw comb comb
draw part comb $hair/modifiers/comb/part_strength=1.5
draw whorl "back clump" $hair/modifiers/back/direction='[0, -0.9, -0.4]' $hair/modifiers/back/whorl_angle=80 \
    $hair/modifiers/back/whorl_radius=0.11 $hair/modifiers/clump/strength=0.7 $hair/length=0.05 \
    'camera/position=[0.05, 0.6, 0.3]'
draw zigzag "back zigzag" $hair/density='{"map": "parting"}' "$hair/maps=[{\"name\": \"parting\", \"plugin\": \"density.parting\",
    \"width\": 0.003, \"edge_noise\": 0,
    \"line\": \"0.01 0 0.1, -0.014 0 0.06, 0.014 0 0.03, -0.014 0 0, 0.014 0 -0.03, -0.01 0 -0.06\"}]" 'camera/position=[0.05, 0.6, 0.3]'
draw guides "" $hair/guides="$out/guides.obj"
draw length "comb length"
draw tuck "comb length tuck" 'grooms/hair/modifiers/length/normal=[0, -1, 0]' \
    'grooms/hair/modifiers/length/point=[0, -0.06, 0]'
draw cut "comb cut" $hair/modifiers/cut/mesh="$out/surface.obj"
draw clump "comb clump"
draw levels "comb clump" $hair/modifiers/clump/count=40 $hair/modifiers/clump/levels=2 \
    $hair/modifiers/clump/subclumps=8
draw curl "comb clump curl"
draw wave "comb clump wave" $hair/modifiers/clump/strength=0.5
draw noise "comb noise"
draw frizz "comb frizz"
draw smooth "comb noise frizz smooth"
draw flyaway "comb clump flyaway"
draw lift "back lift"
draw taper "clump taper" $hair/count=1500 $hair/radius=0.0007 $hair/length=0.07
