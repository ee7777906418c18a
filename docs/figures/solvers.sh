#!/usr/bin/env bash
# solvers: one image of the same curls simulated with each solver, docs/pictures/solvers.jpg.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/../.."

case ${1-} in
-h | --help)
    cat <<'END'
usage: docs/figures/solvers.sh [FOLDER [FRAME]]

Simulates scenes/solvers.json with each solver up to FRAME (default 36) and renders that frame to
FOLDER (default out/solvers). Takes about one CPU minute, most of it for the spring solver.
COIF=PROGRAM selects the coif executable (default build/bin/coif).
END
    exit 0
    ;;
esac

out=${1:-out/solvers}
frame=${2:-36}
coif=${COIF:-build/bin/coif}
solvers="der pbd xpbd ftl spring"
mkdir -p "$out"
for solver in $solvers; do
    sets=(--set sim/solver="$solver" --set sim/last_frame="$frame")
    case $solver in
    pbd | ftl) sets+=(--set sim/goal_frequency_root=0 --set sim/goal_frequency_tip=0) ;;
    esac
    for other in $solvers; do # reduce the other grooms to one segment
        [ "$other" = "$solver" ] || sets+=(--set "grooms/$other/count=1"
            --set "grooms/$other/points=2" --set "grooms/$other/modifiers=[]")
    done
    "$coif" sim scenes/solvers.json --out "$out/$solver" "${sets[@]}"
    cp "$out/$solver/$solver.groom" "$out/$solver/$solver.$(printf %04d "$frame").strands" "$out"
done
# --quiet: the caches come from five scene variants, so render would warn that they are stale.
"$coif" render scenes/solvers.json --out "$out" --frames "$frame" --format jpg --quiet
echo "solvers from left to right: $solvers; $out/render$(printf %04d "$frame").jpg"
