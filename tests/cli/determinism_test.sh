#!/usr/bin/env bash
# The same scene gives the same bytes for any number of threads, both kernel widths, every program in
# COIF_OTHER_PROGRAMS (other compilers and build types, separated by :), and in another locale, time zone, file mode and
# folder. So do energies and the other statistics of the simulation.
source "$(dirname -- "$0")/cli.sh"

# same_cache A B: equal caches and equal statistics of their frames but for times.
same_cache() {
    same_files "$1" "$2"
    local statistics="s/\"[a-z_]*seconds\": [^,]*, //g"
    diff <(sed "$statistics" "$1"/*.jsonl) <(sed "$statistics" "$2"/*.jsonl) >difference ||
        failed "statistics of $1 and $2 differ: $(head -n 2 difference)"
}

expect 0 sim "$tiny" --out cache --threads 1 --kernel wide4
grep -q '"elastic": [0-9]' cache/*.jsonl || failed "no energies in the statistics"
for threads in 2 3 8 16; do
    expect 0 sim "$tiny" --out "cache$threads" --threads $threads
    same_cache cache "cache$threads"
done
if grep -qw avx2 /proc/cpuinfo; then
    expect 0 sim "$tiny" --out wide8 --kernel wide8
    same_cache cache wide8
fi

expect 0 render "$tiny" --cache cache --out frames --threads 1 --frames 1-2
for threads in 2 3 8 16; do
    expect 0 render "$tiny" --cache cache --out "frames$threads" --threads $threads --frames 1-2
    same_files frames "frames$threads"
done

# A locale with decimal commas, which a library of the program or the program that loads libcoif may have set.
cat >locale.c <<'END'
#include <locale.h>
#include <stdio.h>
__attribute__((constructor)) static void set(void)
{
    char text[8];
    setlocale(LC_ALL, "");
    snprintf(text, sizeof text, "%.1f", 0.5);
    if (text[1] != ',')
        puts("no decimal commas");
}
END
own=$coif
mkdir locales "another folder"
cat >elsewhere <<END
#!/bin/sh
umask 077
exec env LOCPATH=$folder/locales LC_ALL=de_DE.UTF-8 TZ=Pacific/Auckland LD_PRELOAD=$folder/locale.so $own "\$@"
END
chmod +x elsewhere
if localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >log 2>&1 && cc -shared -fPIC -o locale.so locale.c &&
    ! nm -D "$own" | grep -q __asan_init; then
    cp -r "$(dirname -- "$tiny")"/{tiny.json,assets} "another folder"
    cd "another folder" || exit 1
    coif=$folder/elsewhere
    expect 0 sim tiny.json --out cache
    ! grep -q 'no decimal commas' printed || failed "the locale was not set"
    expect 0 render tiny.json --cache cache --out frames --frames 1-2
    expect 0 convert cache/hair.0002.strands strands.obj
    expect 0 info --json cache/hair.groom
    cd ..
    coif=$own
    same_cache cache "another folder/cache"
    same_files frames "another folder/frames"
    expect 0 convert cache/hair.0002.strands strands.obj
    cmp -s strands.obj "another folder/strands.obj" || failed "OBJ files differ between locales"
    expect 0 info --json cache/hair.groom
    diff printed "another folder/printed" >difference || failed "coif info differs between locales"
else
    printf 'not in another locale: no localedef, no compiler or sanitizers\n'
fi

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

IFS=: read -ra others <<<"${COIF_OTHER_PROGRAMS-}"
for i in "${!others[@]}"; do
    coif=${others[i]}
    expect 0 sim "$tiny" --out "other$i" --kernel wide4
    same_cache cache "other$i"
    expect 0 sim "$tiny" --out "other_wide$i"
    same_cache cache "other_wide$i"
    expect 0 sim "$tiny" "${angles[@]}" --out "other_angles$i" --kernel wide4
    same_cache angles "other_angles$i"
    expect 0 sim "$tiny" "${leader[@]}" --out "other_leader$i" --kernel wide4
    same_cache leader "other_leader$i"
done
coif=$own
printf 'compared with %d other programs\n' ${#others[@]}
finish
