#!/usr/bin/env bash
# Goals: rest shape, caches and strand files that strands track, by strength, map, ramp and keys.
source "$(dirname -- "$0")/cli.sh"

# Without goals the bits of a scene that does not know them.
expect 0 sim "$tiny" --out plain
expect 0 sim "$tiny" --out zero --set sim/goal_strength=0
expect 0 sim "$tiny" --out keyed_zero --set 'sim/goal_strength={"keys": [[1, 0], [6, 0]]}'
content() {
    expect 0 info --json "$1"/*.strands
    grep '"digest"' printed
}
[ "$(content plain)" = "$(content zero)" ] || failed 'strength 0 changes frames'
[ "$(content plain)" = "$(content keyed_zero)" ] || failed 'a keyed strength of 0 changes frames'

for solver in pbd xpbd ftl spring; do
    expect 0 sim "$tiny" --out without --force --set sim/solver=$solver
    expect 0 sim "$tiny" --out with --force --set sim/solver=$solver --set "sim/goal_cache=$PWD/plain" \
        --set 'grooms/0/maps=[{"name": "none", "plugin": "density.constant", "value": 0}]' --set 'sim/goal_strength={"map": "none"}'
    [ "$(content without)" = "$(content with)" ] || failed "a goal of strength 0 changes frames under $solver"
done

# distance A B FRAME: largest distance in micrometres of points behind the root.
distance() {
    expect 0 export "$tiny" a.hair --cache "$1" --frame "$3"
    expect 0 export "$tiny" b.hair --cache "$2" --frame "$3"
    python3 - <<'END'
import struct
def load(path):
    data = open(path, "rb").read()
    strands, points, bits = struct.unpack("<III", data[4:16])
    assert bits & 1
    start = 128 + 2 * strands
    return (struct.unpack(f"<{strands}H", data[128:start]),
            struct.unpack(f"<{3 * points}f", data[start:start + 12 * points]))
(segments, a), (_, b) = load("a.hair"), load("b.hair")
first, most = 0, 0
for count in segments:
    for i in range(3 * (first + 1), 3 * (first + count + 1)):
        most = max(most, abs(a[i] - b[i]))
    first += count + 1
print(round(1e6 * most))
END
}

# Strength 1 is the goal, whatever the forces, under every solver; a weaker goal is near it.
others=(--set 'sim/gravity=[0, 4, 0]' --set sim/quantise=false)
for solver in der xpbd spring pbd ftl; do
    expect 0 sim "$tiny" --out "$solver" --set sim/solver=$solver "${others[@]}" \
        --set "sim/goal_cache=$PWD/plain" --set sim/goal_strength=1
    [ "$(distance plain $solver 5)" = 0 ] || failed "$solver is not at its goal"
done
expect 0 sim "$tiny" --out free "${others[@]}"
expect 0 sim "$tiny" --out weak "${others[@]}" --set "sim/goal_cache=$PWD/plain" --set sim/goal_strength=0.7
[ "$(distance plain weak 5)" -lt $(($(distance plain free 5) / 3)) ] || failed 'a goal of strength 0.7 has little effect'

# Strand files, of all frames or one; an offset in frames.
expect 0 export "$tiny" 'h.####.hair' --cache plain --frames 1-6
expect 0 sim "$tiny" --out files "${others[@]}" --set "sim/goal_cache=$PWD/h.####.hair" --set sim/goal_strength=1
[ "$(distance plain files 4)" = 0 ] || failed 'strand files are not followed'
expect 0 sim "$tiny" --out later "${others[@]}" --set "sim/goal_cache=$PWD/plain" --set sim/goal_strength=1 \
    --set sim/goal_cache_offset=1
expect 0 export "$tiny" later.hair --cache later --frame 3
expect 0 export "$tiny" plain.hair --cache plain --frame 4
# Roots are those of frame 3.
[ "$(cmp -l later.hair plain.hair | wc -l)" -lt 2000 ] || failed 'goal_cache_offset is not followed'

# An archive of all frames.
for format in abc usda; do
    expect 0 export "$tiny" "all.$format" --cache plain --frames 1-6
    expect 0 sim "$tiny" --out "$format" "${others[@]}" --set "sim/goal_cache=$PWD/all.$format" --set sim/goal_strength=1
    for frame in 1 4 6; do
        [ "$(distance plain $format $frame)" -lt 2 ] || failed "frame $frame of all.$format is not followed"
    done
done

# By map, ramp and keys.
blend=(--set "sim/goal_cache=$PWD/plain" --set 'grooms/0/maps=[{"name": "half", "plugin": "density.noise", "scale": {"keys": [[1, 0.02], [6, 0.03]]}}]'
    --set 'sim/goal_strength={"map": "half", "range": [0, 1], "ramp": [[0, 1], [1, 0.2]]}'
    --set 'sim/goal_amount={"keys": [[1, 0], [3, 1]]}' "${others[@]}")
expect 0 sim "$tiny" --out blend "${blend[@]}" --threads 1 --kernel wide4
expect 0 sim "$tiny" --out again "${blend[@]}" --threads 3
same_files blend again

# A run that is interrupted goes on with the same bits.
rm again/hair.000[3456].strands again/hair.000[456].state
expect 0 sim "$tiny" --out again "${blend[@]}"
says 'restarting after frame 2'
same_files blend again

# A changed goal makes frames stale.
expect 0 sim "$tiny" --out again "${blend[@]}"
says 'are up to date'
expect 0 render "$tiny" "${blend[@]}" --cache again --out image --frames 2 --set image/samples=1
grep -q 'changed since' said && failed 'a warning without a change'
cp -r plain other
cp other/hair.0005.strands other/hair.0004.strands
mv plain kept && mv other plain
expect 0 render "$tiny" "${blend[@]}" --cache again --out image2 --frames 2 --set image/samples=1
says "changed since this frame was simulated; run 'coif sim' to update it"
rm -r plain && mv kept plain

# Errors name file, number and what is expected.
goal=(--out bad --set "sim/goal_cache=$PWD/plain" --set sim/goal_strength=1)
expect 2 sim "$tiny" "${goal[@]}" --set grooms/0/points=9 && says 'strand 0 has 8 points; expected 9'
expect 2 sim "$tiny" "${goal[@]}" --set grooms/0/simulated_fraction=1 &&
    says 'plain/hair.groom: strand 100 is not simulated; goal_cache needs all 200 strands'
expect 2 sim "$tiny" "${goal[@]}" --set grooms/0/count=150 && says '200 strands; goal_cache needs the 150'
expect 2 sim "$tiny" --out bad --set "sim/goal_cache=$PWD/h.####.hair" --set sim/goal_strength=1 \
    --set grooms/0/count=300 && says 'h.0001.hair: 100 strands; goal_cache needs the 150 simulated strands or all 300'
rm h.0003.hair
expect 3 sim "$tiny" --out bad --set "sim/goal_cache=$PWD/h.####.hair" --set sim/goal_strength=1 &&
    says 'h.0003.hair: missing file between frames 1 and 6'
expect 2 sim "$tiny" --out bad --set sim/goal_strength=1.5
expect 0 lint "$tiny" --set "sim/goal_cache=$PWD/plain" && says 'goal_cache: no effect with goal_strength 0'
expect 0 lint "$tiny" --set sim/goal_strength=0.5 --set sim/goal_cache_offset=2 && says 'no effect with goal_cache unset'
finish
