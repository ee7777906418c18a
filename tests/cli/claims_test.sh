#!/usr/bin/env bash
# Several processes on one folder divide frames and grooms, and the files are those of one process.
source "$(dirname -- "$0")/cli.sh"

cat >scene.json <<END
{
  "bodies": [{"name": "ball", "mesh": "$source_folder/scenes/assets/ball.obj"}],
  "grooms": [
    {"name": "left", "body": "ball", "group": "scalp", "count": 300},
    {"name": "right", "body": "ball", "group": "scalp", "count": 300, "seed": 2}
  ],
  "sim": {"last_frame": 4, "substeps": 2},
  "camera": {"position": [0.22, 0.14, 0.4], "look_at": [0, 0.02, 0], "fov": 36},
  "image": {"width": 48, "height": 48, "samples": 4}
}
END
expect 0 sim scene.json --out one
expect 0 render scene.json --out one

# three_processes NAME ARGUMENTS...: runs coif three times at once; stderr is in NAME.1 to NAME.3.
three_processes() {
    local name=$1 children=() number child
    shift
    for number in 1 2 3; do
        "$coif" "$@" >/dev/null 2>"$name.$number" </dev/null &
        children+=($!)
    done
    for child in "${children[@]}"; do
        wait "$child" || failed "coif $* exited with $?"
    done
}

three_processes sim sim scene.json --out shared
three_processes render render scene.json --out shared
same_files one shared
no_scraps shared
[ "$(cat render.? | grep -c 'before the first ray')" = 4 ] || failed "not every frame was rendered once: $(cat render.?)"

# The claim file of a killed process does not stop the next one.
mkdir killed
touch killed/left.groom.claim
expect 0 sim scene.json --out killed --groom left
[ -e killed/left.0004.strands ] && [ ! -e killed/right.groom ] || failed "--groom left wrote $(ls killed)"
no_scraps killed
expect 1 sim scene.json --out killed --groom middle
says 'no groom is named "middle"'
finish
