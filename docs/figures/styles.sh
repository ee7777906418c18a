#!/usr/bin/env bash
# styles: one image per hairstyle modifier, docs/pictures/style_NAME.jpg, or the style on a turning head.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

case ${1-} in
-h | --help)
    cat <<'END'
usage: docs/figures/styles.sh [--turn] [FOLDER [NAME...]]

Renders scenes/styles.json with the modifiers of one of its styles enabled, NAME and NAME_*, to
FOLDER/style_NAME.jpg (default folder out/styles). Names select a subset. Takes about two CPU minutes per image. COIF=PROGRAM selects the
coif executable (default build/bin/coif).

--turn simulates 48 frames of the turning head, with the ties of the style enabled, and renders five of them side by side
to FOLDER/turn_NAME.jpg, denoised with the frames around them. Takes about twelve CPU minutes per style.
END
    exit 0
    ;;
esac

turn=
[[ ${1-} != --turn ]] || {
    turn=1
    shift
}
coif=${COIF:-build/bin/coif}
frames=(1 12 18 27 33)
out=${1:-out/styles}
shift || true
[[ $# -gt 0 ]] || set -- ponytail braid fishtail bun twists locs slicked
for name in "$@"; do
    options=(--quiet --set image/denoise=true)
    for modifier in $(grep -oE "\"name\": \"${name}(_[a-z]+)?\", \"enabled\": false, \"plugin\"" scenes/styles.json | cut -d'"' -f4); do
        options+=(--set "grooms/hair/modifiers/$modifier/enabled=true")
    done
    # Twists and locs from the front, the others from behind.
    [[ $name != twists && $name != locs ]] ||
        options+=(--set 'camera/position=[0.52, 0.1, 1.08]' --set 'camera/look_at=[0, -0.04, 0]')
    if [[ -z $turn ]]; then
        "$coif" run scenes/styles.json --out "$out/$name" --rest "${options[@]}" >/dev/null
        ffmpeg -loglevel error -y -i "$out/$name/render0001.denoised.png" -q:v 3 "$out/style_$name.jpg"
        echo "$out/style_$name.jpg"
        continue
    fi
    # A fishtail has the ties of a braid.
    ties=$(grep -oE "\"name\": \"${name/fishtail/braid}(_[a-z]+)?\", \"enabled\": false, \"type\"" scenes/styles.json | cut -d'"' -f4) || true
    for tie in $ties; do
        options+=(--set "grooms/hair/constraints/$tie/enabled=true")
    done
    # Gathered hair is held by its ties alone; its sideburns would lead through the ears.
    [[ -z $ties ]] || options+=(--set sim/cohesion=0 --set grooms/hair/maps/ear/base=sideburns)
    # Gel holds slicked hair in the shape of the groom.
    [[ $name != slicked ]] || options+=(--set sim/goal_strength=0.8)
    # Strands are a tenth of a pixel wide and glossy: a still of so few samples keeps specks, which the denoiser of films removes
    # with the help of the frames before and after.
    options+=(--set sim/last_frame=48 --set image/samples=32 --set image/width=288 --set image/height=360 --set image/denoise_frames=1)
    "$coif" sim scenes/styles.json --out "$out/turn_$name" "${options[@]}"
    "$coif" render scenes/styles.json --out "$out/turn_$name" "${options[@]}" \
        --frames "$(for frame in "${frames[@]}"; do printf '%s%d-%d' "${comma-}" $((frame > 1 ? frame - 1 : 1)) $((frame + 1)) && comma=,; done)" >/dev/null
    images=()
    for frame in "${frames[@]}"; do
        images+=(-i "$(printf '%s/render%04d.denoised.png' "$out/turn_$name" "$frame")")
    done
    ffmpeg -loglevel error -y "${images[@]}" -filter_complex "hstack=inputs=${#frames[@]}" -q:v 3 "$out/turn_$name.jpg"
    echo "$out/turn_$name.jpg"
done
