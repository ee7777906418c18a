#!/usr/bin/env bash
# A bundle holds a scene with all its files, renders the same bits in another place, and is checked
# against its manifest.
source "$(dirname -- "$0")/cli.sh"

mkdir -p shot/scenes shot/meshes/textures shot/maps
cp "$source_folder"/scenes/assets/ball.obj shot/meshes
cp "$source_folder"/scenes/assets/cub_maps.png shot/meshes/textures/skin.png
cp "$source_folder"/scenes/assets/cub_coat.png shot/maps/density.png
for frame in 1 2 3; do
    cp shot/meshes/ball.obj "shot/meshes/moving.000$frame.obj"
done
sed -i '1i mtllib ball.mtl' shot/meshes/ball.obj
printf 'newmtl skin\nKd 0.5 0.4 0.3\nmap_Kd textures/skin.png\n' >shot/meshes/ball.mtl
cat >shot/scenes/shot.json <<END
{
  "bodies": [
    {"name": "ball", "mesh": "../meshes/ball.obj"},
    {"name": "moving", "mesh": "$folder/shot/meshes/moving.####.obj", "translate": [0.3, 0, 0]}
  ],
  "grooms": [{"name": "hair", "body": "ball", "group": "scalp", "count": 200,
              "length": {"texture": "../maps/density.png", "range": [0.02, 0.05]}}],
  "sim": {"last_frame": 3, "substeps": 2},
  "forces": [{"plugin": "wind.uniform", "velocity": [1.5, 0, 0]}],
  "camera": {"position": [0.22, 0.14, 0.4], "look_at": [0, 0.02, 0], "fov": 36},
  "image": {"width": 48, "height": 48, "samples": 4}
}
END

expect 0 pack shot/scenes/shot.json --out shot.coif
says 'absolute paths become relative'
tar tf shot.coif | sort >listed
cat >wanted <<'END'
bundle.json
maps/density.png
meshes/ball.mtl
meshes/ball.obj
meshes/moving.0001.obj
meshes/moving.0002.obj
meshes/moving.0003.obj
meshes/textures/skin.png
scenes/shot.json
END
diff listed wanted || failed "the archive holds other files"
expect 0 pack --check shot.coif
prints '8 files'
expect 0 unpack shot.coif --out elsewhere/deep
expect 0 run shot/scenes/shot.json --out here --no-video
mv shot moved
expect 0 run elsewhere/deep/scenes/shot.json --out there --no-video
expect 0 diff here/render0003.png there/render0003.png
cmp here/hair.groom there/hair.groom || failed "the groom differs"

# A bare machine: an empty root directory with the program, its libraries and the bundle.
bare_root() {
    local program file
    program=$(dirname "$(dirname "$coif")")
    mkdir -p root/bin root/lib root/tmp
    cp "$coif" root/bin/coif
    cp -r "$program/lib/coif" root/lib/coif
    for file in root/bin/coif $(find root/lib/coif -name '*.so'); do ldd "$file"; done | grep -o '/[^ ]*' | sort -u |
        while read -r file; do
            mkdir -p "root$(dirname "$file")"
            ln -L "$file" "root$file" 2>/dev/null || cp -L "$file" "root$file"
        done
}
if [ "$(id -u)" = 0 ] && bare_root && chroot root /bin/coif --version >/dev/null 2>&1; then
    cp shot.coif root/tmp/shot.coif
    chroot root /bin/coif unpack /tmp/shot.coif --out /tmp/shot >/dev/null 2>&1 || failed "the bundle is not unpacked in a bare root"
    chroot root /bin/coif run /tmp/shot/scenes/shot.json --out /tmp/out --no-video >/dev/null 2>said || failed "$(tail -n 3 said)"
    for file in hair.groom hair.0003.strands render0003.png; do
        cmp "there/$file" "root/tmp/out/$file" || failed "$file differs in a bare root"
    done
fi

# A cache goes with the bundle and is up to date there.
sed -i "s,$folder/shot/,../," elsewhere/deep/scenes/shot.json
expect 0 sim elsewhere/deep/scenes/shot.json --out cache
expect 0 pack elsewhere/deep/scenes/shot.json --cache cache --out packed
expect 0 pack --check packed
expect 0 sim packed/scenes/shot.json --out packed/cache
says 'frames 1-3 are up to date'

# The same files give the same archive.
expect 0 pack elsewhere/deep/scenes/shot.json --out a.coif
expect 0 pack elsewhere/deep/scenes/shot.json --out b.coif
cmp a.coif b.coif || failed "two archives of the same files differ"

# Damage is named, and nothing is written over.
printf x >>packed/meshes/ball.mtl
rm packed/maps/density.png
expect 4 pack --check packed
says 'meshes/ball.mtl'
says 'maps/density.png: is missing'
expect 3 unpack a.coif --out elsewhere/deep
says 'not empty'
head -c 3000 a.coif >short.coif
expect 4 pack --check short.coif
says truncated
expect 4 unpack short.coif --out short
no_scraps short 2>/dev/null
expect 1 pack elsewhere/deep/scenes/shot.json --set image/width=8

# An archive of another program leads nowhere outside.
mkdir evil
printf '{"coif_bundle": 1, "scene": "s.json", "files": [{"path": "../out.txt", "bytes": 1, "xxh3": "0000000000000000"}]}' >evil/bundle.json
(cd evil && tar --format=ustar -cf ../evil.coif bundle.json)
expect 4 unpack evil.coif --out evil_out
ln -s /etc/passwd evil/link
(cd evil && tar --format=ustar -cf ../evil.coif link)
expect 4 pack --check evil.coif
says 'expected a regular file'
[ ! -e out.txt ] || failed "a file was written outside"
finish
