#!/usr/bin/env bash
# A film made in units by `coif farm` is that of one process, bit for bit, whatever happens to the units.
source "$(dirname -- "$0")/cli.sh"

scene=("$tiny" --set image/width=32 --set image/height=32)
expect 0 run "${scene[@]}" --out one --no-video
rm one/run.stats.json

# same_film FOLDER: grooms, frames and images are those of one process.
same_film() {
    mkdir -p "$1.files"
    cp "$1"/*.groom "$1"/*.strands "$1"/*.state "$1"/*.png "$1.files"
    same_files one "$1.files"
    no_scraps "$1.files"
}

# A dry run writes nothing.
expect 0 farm submit "${scene[@]}" --out dry --engine slurm --chunk 2 --dry-run
prints '--array=0-2'
prints 'afterany'
[ ! -e dry ] || failed "a dry run wrote files"

expect 0 farm submit "${scene[@]}" --out local --chunk 2 --jobs 2
same_film local
[ -s local/output.mp4 ] || failed "no video"
expect 0 farm status local
prints '6 of 6 frames'
prints 'sim       hair: done'
prints 'assembly  done on'
expect 1 farm submit "${scene[@]}" --out local
says 'farm resume'

# Damaged and missing images are made again, and nothing else.
printf broken >>local/render0003.png
rm local/render0006.png
expect 0 farm resume local
says 'render0003.png: damaged'
says 'render0006.png: missing'
same_film local
[ "$(grep -c '^\$' local/farm/logs/render-0.log)" = 1 ] || failed "a complete unit was run again"

# A unit that is killed is run again.
"$coif" farm submit "${scene[@]}" --set image/samples=64 --out killed --chunk 6 --no-video >/dev/null 2>killed.said &
submitter=$!
for ((i = 0; i < 3000; ++i)); do
    child=$(pgrep -f "render .*$folder/killed .*--frames 1-6" | head -n 1)
    [ -z "$child" ] || break
    kill -0 $submitter 2>/dev/null || break
    sleep 0.01
done
[ -n "$child" ] && kill -9 "$child"
wait $submitter || failed "submit failed: $(cat killed.said)"
expect 0 farm status killed
prints '6 of 6 frames'

# A failure that no try cures ends the film with its message.
expect 2 farm submit "$tiny" --set grooms/0/region='{"map": "nowhere"}' --out wrong
cat >bad.json <<END
{"bodies": [{"name": "ball", "mesh": "$source_folder/scenes/assets/ball.obj"}],
 "grooms": [{"name": "hair", "body": "ball", "group": "nowhere", "count": 10}], "sim": {"last_frame": 2}}
END
expect 2 farm submit bad.json --out wrong --no-video
says 'exit code 2'
expect 0 farm status wrong
prints 'failed'
prints 'nowhere'
prints 'assembly  failed on'

# A film whose video cannot be made says why.
mkdir fake
printf '#!/bin/sh\n[ "$1" = -version ] || { echo broken >&2; exit 1; }\n' >fake/ffmpeg
chmod +x fake/ffmpeg
PATH=$PWD/fake:$PATH expect 3 farm submit "${scene[@]}" --frames 1-2 --out mute
expect 0 farm status mute
prints '2 of 2 frames'
prints 'assembly  failed on'
prints 'ffmpeg'
expect 0 farm resume mute
[ -s mute/output.mp4 ] || failed 'no video after ffmpeg was repaired'
expect 0 farm logs wrong
prints 'nowhere'

# Cancelled work is continued by resume.
mkdir -p cancelled
expect 0 farm submit "${scene[@]}" --out cancelled --chunk 2
rm cancelled/farm/units/render-1.json cancelled/render000[34].png
expect 0 farm cancel cancelled
expect 6 farm work cancelled render-1
expect 0 farm resume cancelled
same_film cancelled
# A full disk (here a limit on the size of files) fails the unit; it is made again when there is room.
rm cancelled/farm/units/render-1.json cancelled/render000[34].png
(ulimit -f 0; exec "$coif" farm work cancelled render-1 >/dev/null 2>full.said) && failed "a unit without space succeeded"
expect 0 farm resume cancelled
same_film cancelled
expect 1 farm logs cancelled assemble
says 'has not run in Slurm'
expect 1 farm work cancelled render-7
says 'sim-0 to sim-0, render-0 to render-2'
expect 1 farm status one
says 'plan.json'

# Partitions and tiles are joined to the same film; what is lost after that is made again.
whole=("${scene[@]}" --chunk 2 --tiles 2x2 --partitions 3)
expect 0 farm submit "${whole[@]}" --out pieces --engine slurm --dry-run
prints 'coif-partition'
prints 'coif-tile'
expect 0 farm submit "${whole[@]}" --out pieces --jobs 2 --no-video
same_film pieces
expect 0 farm status pieces
prints 'partition hair 3 of 3: done'
prints 'tiles     12 of 12 units'
rm pieces/render0005.png
expect 0 farm resume pieces
same_film pieces
rm pieces/hair.0004.strands pieces/farm/units/render-1.json pieces/render000[34].png pieces/farm/units/tile-[4-7].json
expect 0 farm resume pieces
same_film pieces
expect 0 farm submit "${scene[@]}" --set sim/interaction_friction=0.1 --partitions 3 --out coupled --dry-run
says 'groom hair is simulated in one unit: /grooms/0/sim/interaction_friction is above 0'
expect 1 farm submit "${scene[@]}" --out coupled --tiles 2
says 'as 2x2'

# A film that is denoised over its frames, in tiles; lost inputs of the denoiser are made again.
film=("${scene[@]}" --set image/samples=16 --set image/denoise=true --set image/denoise_frames=1)
expect 0 run "${film[@]}" --out still --no-video
expect 0 farm submit "${film[@]}" --out smooth --chunk 3 --tiles 2x1 --jobs 2
rm smooth/render0002.denoise smooth/*.denoised.png
printf broken >>smooth/render0005.denoise
expect 0 farm resume smooth
says 'render0002.denoise: missing'
says 'render0005.denoise: damaged'
for file in still/*.png smooth/render0002.denoise; do
    cmp "still/${file##*/}" "smooth/${file##*/}" || failed "${file##*/} of a denoised film differs"
done

# Every second frame.
expect 1 farm submit "${scene[@]}" --out sparse --frames 1-6x2
says '--no-video'
expect 0 farm submit "${scene[@]}" --out sparse --frames 1-6x2 --chunk 2 --no-video
[ "$(cd sparse && echo *.png)" = 'render0001.png render0003.png render0005.png' ] || failed "sparse: $(ls sparse)"
cmp sparse/render0005.png one/render0005.png || failed 'frame 5 differs'

# GNU parallel: a killed unit, a killed parallel, a damaged frame, a full disk, two submissions.
if command -v parallel >/dev/null; then
    "$coif" farm submit "${whole[@]}" --out parallel --engine parallel --jobs 2 --no-video >/dev/null 2>first.said &
    first=$!
    "$coif" farm submit "${whole[@]}" --out parallel --engine parallel --jobs 2 --no-video >/dev/null 2>second.said &
    second=$!
    child=
    for ((i = 0; i < 6000; ++i)); do
        child=$(pgrep -f "render .*$folder/parallel .*--tile" | head -n 1)
        [ -z "$child" ] || break
        kill -0 $first 2>/dev/null || kill -0 $second 2>/dev/null || break
        sleep 0.01
    done
    [ -z "$child" ] || kill -9 "$child"
    wait $first
    codes=$?
    wait $second
    codes="$codes $?"
    [ "$codes" = '0 1' ] || [ "$codes" = '1 0' ] || failed "two submissions: $codes: $(cat first.said second.said)"
    same_film parallel
    printf broken >>parallel/render0003.png
    rm parallel/render0006.png
    expect 0 farm resume parallel
    same_film parallel
    rm parallel/farm/units/render-1.json parallel/farm/units/tile-[4-7].json parallel/render000[34].png
    (ulimit -f 0; exec "$coif" farm resume parallel >/dev/null 2>full.said) && failed 'a film without space succeeded'
    expect 0 farm resume parallel
    same_film parallel
fi
finish
