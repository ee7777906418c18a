#!/usr/bin/env bash
# Truncated, altered and foreign files are detected with exit code 4, and a simulation replaces
# them.
source "$(dirname -- "$0")/cli.sh"

expect 0 sim "$tiny" --out cache
groom=$(basename cache/*.groom)
strands=$(basename cache/*.0003.strands)
state=$(basename "$(ls cache/*.state | tail -n 1)")

cp -r cache frames_only
rm frames_only/*.state

# damage KIND FILE: damages the file in place.
damage() {
    local size
    size=$(stat -c %s "$2")
    case $1 in
    empty) : >"$2" ;;
    short) truncate -s $((size / 2)) "$2" ;;
    clipped) truncate -s $((size - 1)) "$2" ;;
    longer) printf 'x' >>"$2" ;;
    flipped)
        local byte
        byte=$(od -An -tu1 -j $((size * 2 / 3)) -N 1 "$2")
        printf "\\$(printf '%03o' $((byte ^ 16)))" |
            dd of="$2" bs=1 seek=$((size * 2 / 3)) conv=notrunc status=none
        ;;
    foreign) cp "$source_folder/scenes/assets/ball.obj" "$2" ;;
    huge)
        # Huge sizes in the header and the table.
        printf '\377\377\377\377\377\377\377\177' | dd of="$2" bs=1 seek=100 conv=notrunc status=none
        ;;
    esac
}

for kind in empty short clipped longer flipped foreign huge; do
    for file in $groom $strands $state; do
        rm -rf broken
        cp -r cache broken
        damage $kind "broken/$file"
        expect 4 info "broken/$file" && says "$file"
    done
    rm -rf broken
    cp -r cache broken
    damage $kind "broken/$strands"
    expect 4 render "$tiny" --cache broken --out frames --frames 3 && says "$strands"
    [ -e frames/render0003.png ] && failed "a $kind frame was rendered"
    damage $kind "broken/$groom"
    expect 4 render "$tiny" --cache broken --out frames --frames 1 && says "$groom"

    # The simulation replaces damaged files by identical ones, also without a checkpoint.
    for file in broken/*.state; do
        damage $kind "$file"
    done
    expect 0 sim "$tiny" --out broken
    rm -f broken/*.state
    same_files frames_only broken
done

# A frame of another groom is rejected.
expect 0 sim "$tiny" --out other --set grooms/0/count=50
rm -rf broken
cp -r cache broken
cp "other/$strands" "broken/$strands"
expect 4 render "$tiny" --cache broken --out frames --frames 3 && says "$strands"

expect 3 render "$tiny" --cache nowhere --out frames --frames 1 && says "nowhere"
rm "broken/$strands"
expect 3 render "$tiny" --cache broken --out frames --frames 3 && says "$strands"
expect 3 info nowhere.groom && says "nowhere.groom"
finish
