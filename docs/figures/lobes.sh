#!/usr/bin/env bash
# lobes: lobe weights, tint and opacity of hair side by side, docs/pictures/lobes.jpg.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

case ${1-} in
-h | --help)
    cat <<'END'
usage: docs/figures/lobes.sh [FOLDER]

Renders scenes/waves.json at rest, once per setting, to FOLDER/lobes.jpg (default folder out/lobes).
COIF=PROGRAM selects the coif executable (default build/bin/coif), SAMPLES the samples per pixel.
END
    exit 0
    ;;
esac

out=${1:-out/lobes}
tiles=()

# tile NAME OPTION...: one image.
tile() {
    local name=$1
    shift
    "${COIF:-build/bin/coif}" run scenes/waves.json --out "$out/$name" --rest --quiet \
        --set image/width=300 --set image/height=360 --set "image/samples=${SAMPLES:-96}" \
        --set image/denoise=true --set camera/fov=19 "$@" >/dev/null
    tiles+=(-i "$out/$name/render0001.denoised.png")
}

tile plain
tile reflection --set grooms/0/hair/r_weight=0
tile secondary --set 'grooms/0/hair/trt_tint=[1, 0.25, 0.1]' --set grooms/0/hair/tt_weight=0.2
tile opacity --set 'grooms/0/hair/opacity={"value": 1, "ramp": [[0, 1], [0.3, 0.5], [1, 0.05]]}'
ffmpeg -loglevel error -y "${tiles[@]}" -filter_complex hstack=inputs=4 -q:v 3 "$out/lobes.jpg"
echo "$out/lobes.jpg"
