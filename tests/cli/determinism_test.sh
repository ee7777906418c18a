#!/usr/bin/env bash
# The same scene gives the same bytes for any number of threads, both kernel widths, and every
# program in COIF_OTHER_PROGRAMS (other compilers and build types, separated by :).
source "$(dirname -- "$0")/cli.sh"

expect 0 sim "$tiny" --out cache --threads 1 --kernel wide4
for threads in 2 3 8; do
    expect 0 sim "$tiny" --out "cache$threads" --threads $threads
    same_files cache "cache$threads"
done
if grep -qw avx2 /proc/cpuinfo; then
    expect 0 sim "$tiny" --out wide8 --kernel wide8
    same_files cache wide8
fi

expect 0 render "$tiny" --cache cache --out frames --threads 1 --frames 1-2
for threads in 2 3 8; do
    expect 0 render "$tiny" --cache cache --out "frames$threads" --threads $threads --frames 1-2
    same_files frames "frames$threads"
done

# The seed grows with the frame number: noise differs from frame to frame. A switch keeps it still.
pixels() {
    ffmpeg -loglevel error -i "$1" -f md5 -
}
still=(--cache cache --rest --set 'bodies/0/rotate=[0, 0, 0]')
expect 0 render "$tiny" "${still[@]}" --out fixed --frames 1-2 --set image/animate_seed=false
[ "$(pixels fixed/render0001.png)" = "$(pixels fixed/render0002.png)" ] ||
    failed 'a fixed seed gives another noise pattern in frame 2'
expect 0 render "$tiny" "${still[@]}" --out grain --frames 1-2
[ "$(pixels grain/render0001.png)" = "$(pixels fixed/render0001.png)" ] ||
    failed 'an animated seed gives another noise pattern in frame 1'
[ "$(pixels grain/render0001.png)" != "$(pixels grain/render0002.png)" ] ||
    failed 'an animated seed gives the same noise pattern in frame 2'
expect 0 render "$tiny" "${still[@]}" --out two --frames 2 --set image/seed=1 --set image/animate_seed=false
[ "$(pixels grain/render0002.png)" = "$(pixels two/render0002.png)" ] ||
    failed 'seed 0 in frame 2 is not seed 1'
# Frames rendered in any order, one by one, are those of a film.
expect 0 render "$tiny" "${still[@]}" --out single --frames 2
[ "$(pixels grain/render0002.png)" = "$(pixels single/render0002.png)" ] ||
    failed 'frame 2 depends on the frames before'
expect 0 render "$tiny" "${still[@]}" --out keyed --frames 2 --set image/animate_seed=false \
    --set 'image/seed={"keys": [[1, 5], [2, 1]]}'
[ "$(pixels keyed/render0002.png)" = "$(pixels two/render0002.png)" ] ||
    failed 'keys of the seed are not followed'

# Solvers and constraints that the scene does not use by default.
angles=(--set sim/solver=pbd --set sim/bend_constraint=both --set sim/long_range_attachment=0.5 --set 'sim/bend_spans="2 last:0.9 3--2*0.5"' --set sim/rigid_damping=0.1)
leader=(--set sim/solver=ftl)
expect 0 sim "$tiny" "${angles[@]}" --out angles --threads 1
expect 0 sim "$tiny" "${leader[@]}" --out leader --threads 1

own=$coif
IFS=: read -ra others <<<"${COIF_OTHER_PROGRAMS-}"
for i in "${!others[@]}"; do
    coif=${others[i]}
    expect 0 sim "$tiny" --out "other$i" --kernel wide4
    same_files cache "other$i"
    expect 0 sim "$tiny" --out "other_wide$i"
    same_files cache "other_wide$i"
    expect 0 sim "$tiny" "${angles[@]}" --out "other_angles$i" --kernel wide4
    same_files angles "other_angles$i"
    expect 0 sim "$tiny" "${leader[@]}" --out "other_leader$i" --kernel wide4
    same_files leader "other_leader$i"
done
coif=$own
printf 'compared with %d other programs\n' ${#others[@]}
finish
