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
cmp -s all.hair rest.hair && failed "frame 4 equals the rest pose"
expect 0 export "$tiny" again.hair --cache cache --frame 4 --expand --threads 3
cmp -s all.hair again.hair || failed "another number of threads gives other strands"
expect 0 info rest.hair && prints "$strands"

# OBJ and USD files hold the same points, widths and root UVs.
expect 0 export "$tiny" rest.obj --cache cache
expect 0 export "$tiny" rest.usda --cache cache
python3 - "$strands" "$points" <<'END' || failed "text and .hair differ"
import re, struct, sys
strands, points = int(sys.argv[1]), int(sys.argv[2])
data = open("rest.hair", "rb").read()[128:]
data = data[2 * strands:]  # segments
positions = struct.unpack("<%df" % (3 * points), data[:12 * points])
thickness = struct.unpack("<%df" % points, data[12 * points:16 * points])
single = lambda text: struct.unpack("<f", struct.pack("<f", float(text)))[0]
lines = open("rest.obj").read().split("\n")
found = [single(n) for line in lines if line[:2] == "v " for n in line.split()[1:]]
assert found == list(positions), "points of the OBJ file"
curves = [line.split()[1:] for line in lines if line[:2] == "l "]
assert len(curves) == strands and [int(n) for c in curves for n in c] == list(range(1, points + 1))
usd = open("rest.usda").read()
array = lambda name: re.search(r"\[\] %s = \[(.*?)\]" % name, usd).group(1)
numbers = lambda name: [single(n) for n in re.findall(r"[-+.e0-9]+", array(name))]
assert usd.startswith("#usda 1.0\n") and usd.count("{") == usd.count("}")
assert 'basis = "catmullRom"' in usd and 'wrap = "pinned"' in usd
assert numbers("points") == list(positions), "points of the USD file"
assert numbers("widths") == list(thickness), "widths of the USD file"
assert numbers("curveVertexCounts") == [8] * strands
assert len(numbers("primvars:st")) == 2 * strands
END
# Exported curves can be imported as a groom.
expect 0 groom "$tiny" --out back --set grooms/hair/file="$PWD/rest.obj" --set grooms/hair/clearance=0
expect 0 export "$tiny" back.hair --cache back --set grooms/hair/file="$PWD/rest.obj"
[ "$(header back.hair)" = "$(header rest.hair)" ] || failed "not all curves came back"
expect 1 export "$tiny" rest.ma --cache cache && says "expected one of .hair"

expect 3 export "$tiny" none.hair --cache cache --frame 99 && says "0099"
expect 1 export "$tiny" none.hair --cache cache --groom beard && says "no groom 'beard'"
[ -e none.hair ] && failed "a failed export left a file"
finish
