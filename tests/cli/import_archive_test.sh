#!/usr/bin/env bash
# Bodies, cameras, strands and guides from Alembic and USD archives.
source "$(dirname -- "$0")/cli.sh"

expect 0 sim "$tiny" --out cache
all=(--cache cache --frames 1-6 --expand --with-guides --with-body --with-camera)
follow=(--set sim/enabled=false)
expect 0 sim "$tiny" --out keyed "${follow[@]}"
expect 0 export "$tiny" keyed.hair --cache keyed --frame 5 --expand
expect 0 export "$tiny" rest.hair --cache cache

# Largest distance of points of two .hair files of 200 strands of 8 points, in metres.
farthest() {
    python3 - "$1" "$2" <<'END'
import struct, sys
read = lambda name: struct.unpack("<4800f", open(name, "rb").read()[128 + 400:][:19200])
print(max(abs(a - b) for a, b in zip(read(sys.argv[1]), read(sys.argv[2]))))
END
}
within() {
    python3 -c "import sys; sys.exit(not float('$1') <= $2)" || failed "$3: $1 m, expected at most $2"
}

for type in abc usda usdc; do
    expect 0 export "$tiny" all.$type "${all[@]}"
    expect 0 export "$tiny" rest.$type --cache cache
    expect 0 export "$tiny" cm.$type "${all[@]}" --meters-per-unit 0.01 --up-axis z

    # The animated mesh in place of the keyed one; its bind pose is that of frame 1.
    for file in all.$type cm.$type; do
        cat >moved.json <<END
{"coif": 1, "bodies": [{"name": "ball", "mesh": "$file", "object": "ball", "rest_frame": 1}],
 "grooms": [{"name": "hair", "body": "ball", "file": "rest.$type"}],
 "sim": {"last_frame": 6}, "camera": {"file": "$file"}, "image": {"width": 16, "height": 16}}
END
        expect 0 lint moved.json
        rm -rf moved
        expect 0 sim moved.json --out moved "${follow[@]}"
        expect 0 export moved.json back.hair --cache moved
        within "$(farthest rest.hair back.hair)" 0 "$type: strands of the rest pose"
        expect 0 export moved.json moved.hair --cache moved --frame 5 --expand
        within "$(farthest keyed.hair moved.hair)" 1e-5 "$file: strands on the moving body"
        expect 0 render moved.json --out "images_$type" --cache moved --frames 5
    done

    # A changed sample makes the cache of later frames stale, an equal file does not.
    cp all.$type moved.$type
    expect 0 --verbose sim moved.json --out moved "${follow[@]}"
    says "up to date"

    expect 0 groom "$tiny" --out guided --set "grooms/hair/guides=$PWD/all.$type" \
        --set grooms/hair/file_object=hair_guides
    expect 2 lint "$tiny" --set "bodies/0/mesh=$PWD/all.$type" --set bodies/0/object=hat
    says 'has no mesh hat'
    expect 2 lint "$tiny" --set "camera/file=$PWD/all.$type" --set camera/object=hat
    says '/camera/object'
done

# Frames of an archive: one, between two, all of them, and those of a groom; guides alone.
expect 0 export "$tiny" wanted.hair --cache cache --frame 4 --expand
for type in abc usda usdc; do
    expect 0 convert all.$type four.hair --frame 4 --object hair
    within "$(farthest wanted.hair four.hair)" 0 "frame 4 of .$type"
    expect 0 convert all.$type frames.####.hair --frames 3-4
    cmp -s four.hair frames.0004.hair || failed "frame 4 of several frames of .$type differs"
    expect 0 convert all.$type half.hair --frame 3.5
    within "$(farthest half.hair frames.0003.hair)" "$(farthest four.hair frames.0003.hair)" "frame 3.5 of .$type"
    cmp -s half.hair frames.0003.hair && failed "frame 3.5 of .$type is frame 3"
    expect 0 convert all.$type doubled.hair --frame 8 --fps 48
    cmp -s four.hair doubled.hair || failed "frame 8 at 48 fps of .$type is not frame 4 at 24"
    expect 0 convert all.$type guides.hair --guides-only && says "100 strands"
    file=(--set "grooms/hair/file=$PWD/all.$type" --set grooms/hair/root_tolerance=1)
    expect 0 groom "$tiny" --out at_four "${file[@]}" --set grooms/hair/file_frame=4
    expect 0 convert at_four/hair.groom groom.hair
    within "$(farthest wanted.hair groom.hair)" 0 "file_frame of .$type"
done
expect 1 convert rest.hair no.ply --frame 3 && says "is not an archive"
expect 0 lint "$tiny" --set "grooms/hair/file=$PWD/rest.hair" --set grooms/hair/file_frame=4
says "file_frame: no effect, $PWD/rest.hair is not an archive"
expect 0 lint "$tiny" --set grooms/hair/file_frame=4
says "file_frame: no effect with file or guides unset; applies to file or guides"

# Splines through the points of the strands come back as these points.
for basis in bspline catmull-rom; do
    for type in abc usda usdc; do
        expect 0 export "$tiny" spline.$type --cache cache --basis $basis
        expect 0 convert spline.$type spline.hair
        within "$(farthest rest.hair spline.hair)" 2e-7 "$basis of .$type"
    done
done

# Every format keeps single poses.
for type in abc usda usdc; do
    expect 0 convert rest.hair pose.$type
    expect 0 convert pose.$type pose.hair
    cmp -s <(tail -c +129 rest.hair) <(tail -c +129 pose.hair) || failed "strands differ after .$type"
    expect 0 convert all.$type first.hair && says "100 guides are left out"
done

# Fractional frames of an archive are between its samples.
expect 0 export "$tiny" fine.abc --cache cache --frames 1-6x0.5 --with-body
expect 0 lint "$tiny" --set "bodies/0/mesh=$PWD/fine.abc"

printf '\x89HDF\r\n\x1a\n' >old.abc
expect 4 lint "$tiny" --set "bodies/0/mesh=$PWD/old.abc" && says "abcconvert -toOgawa"
head -c 3000 all.abc >short.abc
expect 4 lint "$tiny" --set "bodies/0/mesh=$PWD/short.abc" && says "short.abc: offset"
expect 0 lint "$tiny" --set bodies/0/object=skin && says "is not an archive"

# The official tools, where they are installed.
if command -v abctree >/dev/null && command -v abcconvert >/dev/null; then
    for tool in "abctree -a" "abcls -r" abcecho; do
        $tool all.abc >listed 2>&1 || failed "$tool: $(tail -n 2 listed)"
        grep -q hair_guides listed || failed "$tool does not list the guides"
    done
    for basis in linear bspline catmull-rom; do
        expect 0 export "$tiny" tools.abc "${all[@]}" --basis $basis
        rm -f hdf.abc copy.abc
        abcconvert -toHDF tools.abc hdf.abc >log 2>&1 && abcconvert -toOgawa hdf.abc copy.abc >log 2>&1 ||
            failed "abcconvert: $(tail -n 2 log)"
        expect 4 convert hdf.abc copy.hair && says "abcconvert -toOgawa"
        for object in hair hair_guides; do
            expect 0 diff tools.abc copy.abc --object $object
        done
        # Every attribute, body and camera: both files give the same USD.
        for file in tools copy; do
            expect 0 convert $file.abc $file.usda
            cat >rewritten.json <<END
{"coif": 1, "bodies": [{"name": "ball", "mesh": "$file.abc", "object": "ball", "rest_frame": 1}],
 "grooms": [{"name": "hair", "body": "ball", "group": "scalp", "count": 20}],
 "sim": {"last_frame": 6}, "camera": {"file": "$file.abc"}}
END
            expect 0 sim rewritten.json --out rewritten_$file "${follow[@]}"
            expect 0 export rewritten.json scene_$file.usda --cache rewritten_$file --frames 1-6 --with-body --with-camera
        done
        cmp -s tools.usda copy.usda || failed "curves of --basis $basis differ after abcconvert"
        cmp -s scene_tools.usda scene_copy.usda || failed "body or camera differ after abcconvert"
    done
else
    echo "skipped: the Alembic tools are not installed and did not read the files"
fi
finish
