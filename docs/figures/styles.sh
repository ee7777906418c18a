#!/usr/bin/env bash
# styles: one image per hairstyle modifier, docs/pictures/style_NAME.jpg.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

case ${1-} in
-h | --help)
    cat <<'END'
usage: docs/figures/styles.sh [FOLDER [NAME...]]

Renders scenes/styles.json with one of its styles enabled to FOLDER/style_NAME.jpg (default folder
out/styles). Names select a subset. Takes about two CPU minutes per image. COIF=PROGRAM selects the
coif executable (default build/bin/coif).
END
    exit 0
    ;;
esac

out=${1:-out/styles}
shift || true
[[ $# -gt 0 ]] || set -- ponytail
for name in "$@"; do
    "${COIF:-build/bin/coif}" run scenes/styles.json --out "$out/$name" --rest --quiet \
        --set "grooms/hair/modifiers/$name/enabled=true" --set image/denoise=true >/dev/null
    ffmpeg -loglevel error -y -i "$out/$name/render0001.denoised.png" -q:v 3 "$out/style_$name.jpg"
    echo "$out/style_$name.jpg"
done
