#!/usr/bin/env bash
# A scene of a stranger: it reads no device, pipe or endless file, takes no memory before its limits are checked, runs and
# loads nothing, and names nothing outside its folder for writing.
source "$(dirname -- "$0")/cli.sh"

mkdir shot && cp -r "$source_folder"/scenes/{tiny.json,assets} shot
scene=shot/tiny.json
mkfifo shot/pipe shot/pipe.png shot/pipe.obj shot/pipe.abc shot/pipe.hair

# refused CODE COMMAND ARGUMENTS...: within CPU seconds and without waiting for a writer. A hang ends with code 124.
refused() {
    local wanted=$1 code=0
    shift
    timeout 60 "$coif" "$@" --max-memory 1G >printed 2>said </dev/null || code=$?
    [ "$code" = "$wanted" ] || failed "coif $* exited with $code, expected $wanted: $(tail -n 2 said)"
}

# Every key with a path, with everything that is not a file.
for file in /dev/zero /dev/tty pipe /proc/self/mem; do
    kind=2
    case $file in /proc/*) kind='[234]' ;; esac
    for key in bodies/0/mesh grooms/0/file sim/initial_state camera/file grooms/0/guides \
        'lights=[{"type": "environment", "image": "@"}]' 'forces=[{"plugin": "wind.field", "path": "@"}]' \
        'grooms/0/maps=[{"name": "d", "plugin": "density.texture", "path": "@"}]'; do
        case $key in
        *@*) set="${key/@/$file}" ;;
        *) set="$key=\"$file\"" ;;
        esac
        code=0
        timeout 60 "$coif" lint "$scene" --set "$set" --max-memory 1G >printed 2>said </dev/null || code=$?
        case $code in
        $kind) ;;
        *) [ "$file" = /proc/self/mem ] && [ $code = 0 ] || failed "$set: exit code $code: $(tail -n 1 said)" ;;
        esac
    done
done
refused 2 sim $scene --set 'forces=[{"plugin": "wind.field", "path": "pipe"}]' --out x
says 'is a device, a pipe or a socket, expected a file'

# Files that are named by other files: materials, textures, image sequences.
printf 'mtllib pipe\nv 0 0 0\nv 1 0 0\nv 0 0 1\nvt 0 0\nusemtl m\nf 1/1 3/1 2/1\n' >shot/materials.obj
printf 'newmtl m\nKd 1 1 1\nmap_Kd pipe.png\n' >shot/textures.mtl
sed 's/mtllib pipe/mtllib textures.mtl/' shot/materials.obj >shot/textures.obj
for mesh in materials textures; do
    timeout 60 "$coif" render $scene --rest --frames 1 --set bodies/0/mesh=$mesh.obj --set grooms/0/group= \
        --set image/width=8 --set image/height=8 --set image/samples=1 --set grooms/0/count=3 --out x >printed 2>said </dev/null
    [ $? != 124 ] || failed "$mesh.obj: waits for a writer"
done
refused 3 sim $scene --set 'bodies/0/mesh=pipe.obj#' --out x
for file in shot/pipe.hair shot/pipe.abc /dev/zero; do
    refused 3 info $file
done
refused 3 convert shot/pipe.hair x.abc

# Headers that declare more than there is, and deep JSON.
printf 'HAIR\377\377\377\177\377\377\377\177\37\0\0\0' >shot/large.hair
head -c 128 /dev/zero >>shot/large.hair
refused 4 info shot/large.hair
printf 'BM\0\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0\377\377\0\0\377\377\0\0\1\0\30\0' >shot/large.bmp
head -c 64 /dev/zero >>shot/large.bmp
refused 4 info shot/large.bmp
python3 -c 'print("[" * 200000)' >deep.json
refused 2 lint deep.json
python3 -c 'print("{\"coif\": 1, \"grooms\": [" + "{}," * 300000 + "{}]}")' >long.json
refused 2 lint long.json
says '300001 entries, expected at most 100000'
refused 7 groom $scene --set grooms/0/count=10000000 --set grooms/0/points=64 --out x

# Names of grooms are names of files; nothing outside the output folder is written.
for name in ../up /tmp/absolute 'a/b' '..' ''; do
    refused 2 groom $scene --set "grooms/0/name=\"$name\"" --out x
done
# A scene has no key for a module or a command.
for key in plugin_path library command exec output; do
    refused 2 lint $scene --set "$key=x"
done
refused 2 lint $scene --set 'forces=[{"plugin": "./evil.so"}]'
# The final name of an output is not followed when it is a link.
mkdir out && printf mine >mine && ln -s ../mine out/hair.groom
refused 0 groom $scene --out out
[ "$(cat mine)" = mine ] && [ ! -L out/hair.groom ] || failed "a link in the output folder was followed"
finish
