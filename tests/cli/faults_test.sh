#!/usr/bin/env bash
# One failing system call or allocation, at many places: a documented exit code, no file under its final name that is
# not whole, no temporary file, and the next run gives the files of a run without a fault. COIF_FAULTS is the number of
# places per kind of call (tools/soak: all).
source "$(dirname -- "$0")/cli.sh"

shim=$(dirname "$(dirname "$coif")")/tests/fault_shim.so
[ -e "$shim" ] || skip "no $shim here"
places=${COIF_FAULTS:-5}
small=(--frames 1 --set image/width=16 --set image/height=16 --set image/samples=1)

# run COMMAND: one of the commands below, into work.
run() {
    case $1 in
    groom) "$coif" groom "$tiny" --out work ;;
    sim) "$coif" sim "$tiny" --out work --frames 1-2 ;;
    render) "$coif" render "$tiny" --cache cache --out work "${small[@]}" ;;
    convert) "$coif" convert cache/hair.0002.strands work/hair.abc ;;
    pack) "$coif" pack "$tiny" --out work/tiny.coif ;;
    esac >printed 2>said </dev/null
}

# with_shim NAME=VALUE COMMAND
with_shim() {
    (
        export LD_PRELOAD=$shim "${1?}"
        run "$2"
    )
}

# fault COMMAND KIND NUMBER
fault() {
    local code=0 at="$1 with failing $2 call $3"
    rm -rf work
    mkdir work
    with_shim "COIF_FAULT=$2:$3" "$1" || code=$?
    case $code in
    0 | 3 | 7) ;;
    *) failed "$at: exit code $code: $(tail -n 1 said)" ;;
    esac
    [ -z "$(find work -name '*.tmp')" ] || failed "$at: left behind: $(find work -name '*.tmp')"
    run "$1" || failed "$at: the next run exited with $?: $(tail -n 1 said)"
    same_files "whole_$1" work
}

total=0
for command in groom sim render convert pack; do
    rm -rf work
    mkdir work
    run $command || failed "$command: $(tail -n 1 said)"
    mv work whole_$command
    [ $command != sim ] || cp -r whole_sim cache
    mkdir work
    with_shim "COIF_FAULT_COUNTS=$PWD/counts" $command || failed "$command does not run under the shim"
    while read -r kind count; do
        # Image and ray tracing libraries end the program when their own allocations fail.
        [ "$command $kind" != "render memory" ] || continue
        step=$(((count + places - 1) / places))
        for ((number = 1; number <= count; number += step)); do
            fault $command "$kind" $number
            total=$((total + 1))
        done
    done <counts
done
printf '%d faults\n' $total
[ $total -ge 50 ] || failed "only $total faults"
finish
