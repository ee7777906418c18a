#!/usr/bin/env bash
# solvers: one image of the same curls simulated with each solver, docs/pictures/solvers.jpg.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

case ${1-} in
-h | --help)
    cat <<'END'
usage: docs/figures/solvers.sh [FOLDER [FRAME]]

Simulates scenes/solvers.json, one solver per groom, up to FRAME (default 36) and renders that frame
to FOLDER (default out/solvers). Takes about one CPU minute, most of it for the spring solver.
COIF=PROGRAM selects the coif executable (default build/bin/coif).
END
    exit 0
    ;;
esac

out=${1:-out/solvers}
frame=${2:-36}
coif=${COIF:-build/bin/coif}
"$coif" sim scenes/solvers.json --out "$out" --set sim/last_frame="$frame"
"$coif" render scenes/solvers.json --out "$out" --frames "$frame" --format jpg --set sim/last_frame="$frame"
echo "solvers from left to right: der pbd xpbd ftl spring; $out/render$(printf %04d "$frame").jpg"
