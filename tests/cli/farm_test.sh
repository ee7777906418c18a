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
expect 1 farm work cancelled render-7
says 'render-0 to render-2'
expect 1 farm status one
says 'plan.json'

if command -v parallel >/dev/null; then
    expect 0 farm submit "${scene[@]}" --out parallel --engine parallel --chunk 2 --jobs 2 --no-video
    same_film parallel
fi
finish
