#!/usr/bin/env bash
# Hair at rest, of a frame, and with its children, as .hair files with the right counts.
source "$(dirname -- "$0")/cli.sh"

# Strand count and bit array of the 128-byte header.
header() {
    od -An -tu4 -j 4 -N 12 "$1" | xargs
}

expect 0 sim "$tiny" --out cache
expect 0 export "$tiny" rest.hair --cache cache
read -r strands points _ <<<"$(header rest.hair)"
[ "$(head -c 4 rest.hair)" = HAIR ] || failed "no .hair file"
[ "$points" = $((strands * 8)) ] || failed "$strands strands of 8 points have $points points"

expect 0 export "$tiny" guides.hair --cache cache --frame 4
read -r guides _ <<<"$(header guides.hair)"
[ "$guides" -lt "$strands" ] || failed "all $guides strands are simulated, the scene says half"
expect 0 export "$tiny" all.hair --cache cache --frame 4 --expand
[ "$(header all.hair)" = "$(header rest.hair)" ] || failed "not every strand was expanded"
cmp -s all.hair rest.hair && failed "frame 4 looks like hair at rest"
expect 0 export "$tiny" again.hair --cache cache --frame 4 --expand --threads 3
cmp -s all.hair again.hair || failed "another number of threads gives other strands"
expect 0 info rest.hair && prints "$strands"

expect 3 export "$tiny" none.hair --cache cache --frame 99 && says "0099"
expect 1 export "$tiny" none.hair --cache cache --groom beard && says "no groom 'beard'"
[ -e none.hair ] && failed "a failed export left a file"
finish
