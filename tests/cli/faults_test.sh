#!/usr/bin/env bash
# One failing system call or allocation, or SIGKILL at one, at many places: a documented exit code, no file under its
# final name that is not whole, and the next run gives the files of a run without a fault, without a temporary one.
# COIF_FAULTS is the number of places per kind of call (tools/soak: all). COIF_FAULT_COMMANDS selects commands.
source "$(dirname -- "$0")/cli.sh"

shim=$(dirname "$(dirname "$coif")")/tests/fault_shim.so
[ -e "$shim" ] || skip "no $shim here"
commands=${COIF_FAULT_COMMANDS:-groom sim join render convert pack video farm studio}
small=(--set image/width=16 --set image/height=16 --set image/samples=1)
free=(--set sim/interaction_friction=0 --set sim/interaction_stiffness=0 --set sim/wind_attenuation=0
    --set sim/cohesion=0)
export TMPDIR=$folder

# places_of COMMAND: how many calls of a kind fail, fewer of slow commands.
places_of() {
    case $1 in
    video | farm | studio | render) printf '%d' "${COIF_FAULTS:-1}" ;;
    *) printf '%d' "${COIF_FAULTS:-2}" ;;
    esac
}

# prepare COMMAND: what it reads and continues, in the folder before.
prepare() {
    rm -rf before
    mkdir before
    case $1 in
    join)
        expect 0 sim "$tiny" "${free[@]}" --out before --frames 1-2 --partition 1/2
        expect 0 sim "$tiny" "${free[@]}" --out before --frames 1-2 --partition 2/2
        ;;
    farm)
        expect 0 farm submit "$tiny" "${small[@]}" --frames 1-2 --out before/film --quiet
        rm before/film/output.mp4
        ;;
    studio) cp -r "$source_folder"/scenes/{tiny.json,assets} before ;;
    esac
}

# run COMMAND: into work, a copy of before that may hold the files of a failed run.
run() {
    case $1 in
    groom) "$coif" groom "$tiny" --out work ;;
    sim) "$coif" sim "$tiny" --out work --frames 1-2 ;;
    join) "$coif" sim "$tiny" "${free[@]}" --out work --frames 1-2 --join 2 ;;
    render) "$coif" render "$tiny" --cache cache --out work --frames 1 "${small[@]}" ;;
    convert) "$coif" convert cache/hair.0002.strands work/hair.abc ;;
    pack) "$coif" pack "$tiny" --out work/tiny.coif ;;
    video) "$coif" video frames work/film.mp4 --fps 12 ;;
    farm) "$coif" farm work work/film assemble ;;
    studio) python3 "$source_folder/tests/cli/paint_and_save.py" "$coif" work/tiny.json ;;
    esac >printed 2>said </dev/null
}

# with_shim NAME=VALUE COMMAND
with_shim() {
    (
        export COIF_SHIM=$shim "${1?}"
        [ "$2" = studio ] || export LD_PRELOAD=$shim
        run "$2"
    )
}

# Reduces work to the files that equal runs share: no records of the farm, no previous versions.
keep_results() {
    find work \( -name '*.previous.*' -o -name '*.log' -o -name '*.claim' -o -path '*/farm/*' \) -type f -delete
    find work -type d -empty -delete
}

# fault COMMAND KIND NUMBER: KIND! is SIGKILL.
fault() {
    local code=0 at="$1 with failing $2 call $3"
    rm -rf work
    cp -r before work
    with_shim "COIF_FAULT=$2:$3" "$1" 2>/dev/null || code=$?
    case $2:$code in
    *:0 | *:3 | *:7 | *!:137) ;;
    # Libraries of images and ray tracing that go on without the memory that they did not get.
    memory:134 | memory:139) [ "$1" = render ] || [ "$1" = farm ] || failed "$at: exit code $code" ;;
    *) failed "$at: exit code $code: $(tail -n 1 said)" ;;
    esac
    case $2:$3 in
    # The file that could not be removed, or whose writer was killed.
    *!:* | remove:*) ;;
    *) [ -z "$(find work -name '*.tmp')" ] || failed "$at: left behind: $(find work -name '*.tmp')" ;;
    esac
    run "$1" || failed "$at: the next run exited with $?: $(tail -n 1 said)"
    [ -z "$(find work -name '*.tmp')" ] || failed "$at: left after the next run: $(find work -name '*.tmp')"
    keep_results
    # A new map that was not acknowledged leaves a file that no scene refers to, and the next one has another name.
    if [ "$1" = studio ] && [ -e work/maps/tiny_density_2.png ]; then
        case $2 in *!) ;; *) failed "$at: a file of a map that was not made" ;; esac
        mv work/maps/tiny_density_2.png work/maps/tiny_density.png
        sed -i 's/tiny_density_2/tiny_density/' work/tiny.json
    fi
    code=$failures
    same_files "whole_$1" work
    [ "$code" = "$failures" ] || printf '%s\n' "$at" >&2
}

expect 0 sim "$tiny" --out cache --frames 1-2
expect 0 render "$tiny" --cache cache --out frames "${small[@]}" --frames 1-2
total=0
for command in $commands; do
    case $command in
    video | farm) command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || continue ;;
    esac
    prepare $command
    rm -rf work
    cp -r before work
    run $command || { failed "$command: $(tail -n 1 said)" && continue; }
    keep_results
    rm -rf whole_$command
    mv work whole_$command
    cp -r before work
    with_shim "COIF_FAULT_COUNTS=$PWD/counts" $command || failed "$command does not run under the shim"
    places=$(places_of $command)
    while read -r kind count; do
        # A check takes the calls that a disk makes fail of what is slow.
        case $kind:${COIF_FAULTS+all}:$command in
        read::video | sync::video | remove::video | map::video | thread::video) continue ;;
        read::farm | sync::farm | remove::farm | map::farm | memory::farm) continue ;;
        read::render | sync::render | remove::render | map::render) continue ;;
        esac
        step=$(((count + places - 1) / places))
        for ((number = 1 + (step - 1) / 2; number <= count; number += step)); do
            fault $command "$kind" $number
            total=$((total + 1))
            case $kind:${COIF_FAULTS+all}:$command in
            memory:* | map:* | thread:* | read::*) continue ;;
            *::video | *::farm | *::studio | *::render) [ "$kind" = rename ] || continue ;;
            esac
            fault $command "$kind!" $number
            total=$((total + 1))
        done
    done <counts
done
printf '%d faults\n' $total
[ $total -ge 50 ] || [ -n "${COIF_FAULT_COMMANDS-}" ] || failed "only $total faults"
finish
