#!/usr/bin/env bash
# One studio per scene; errors at startup; shutdown with its terminal.
source "$(dirname -- "$0")/cli.sh"

mkdir work temporary
cp -r "$(dirname -- "$tiny")"/{tiny.json,assets} work
export TMPDIR=$PWD/temporary

"$coif" studio work/tiny.json --no-open >address 2>heard </dev/null &
child=$!
for ((i = 0; i < 400; ++i)); do
    [ -s address ] && break
    sleep 0.05
done

# The same scene by file name, from another folder, and through a link.
ln -s work/tiny.json link.json
for name in work/tiny.json work/../work/tiny.json link.json; do
    expect 1 studio "$name" --no-open
    says "a studio is open on this scene already: process $child"
done

code=0
kill -HUP $child
wait $child || code=$?
[ $code = 0 ] || failed "a studio whose terminal was closed ended with $code"
scraps=$(find work temporary -name '.tiny*' -o -name 'coif_*')
[ -z "$scraps" ] || failed "it left $scraps"

# The next studio removes the files of a killed one, and no others.
begin() {
    : >address
    "$coif" studio work/tiny.json --no-open "$@" >address 2>heard </dev/null &
    child=$!
    for ((i = 0; i < 400; ++i)); do
        [ -s address ] && break
        sleep 0.05
    done
}
folders() { find temporary -maxdepth 1 -name 'coif_studio_*' | sort; }
mkdir temporary/coif_studio_foreig
echo mine >temporary/coif_studio_foreig/file
begin
killed=$child
kill -KILL $killed
wait $killed 2>/dev/null || :
left=$(folders)
begin
[ "$(folders)" != "$left" ] && [ "$(folders | wc -l)" = 2 ] || failed "folders are there: $(folders), of the killed one $left"
[ -e temporary/coif_studio_foreig/file ] || failed "a folder of somebody else is gone"
# The files of a running studio stay.
first=$child
cp work/tiny.json work/other.json
"$coif" studio work/other.json --no-open >other 2>heard </dev/null &
second=$!
for ((i = 0; i < 400; ++i)); do
    [ -s other ] && break
    sleep 0.05
done
[ "$(folders | wc -l)" = 3 ] || failed "of two studios and somebody else: $(folders)"
kill -INT $first $second
wait $first $second || :
[ "$(folders)" = temporary/coif_studio_foreig ] || failed "left behind: $(folders)"

# The browser opens a private file that redirects to the URL: the token is on no command line.
mkdir bin
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >"%s/opened.new"\nmv "%s/opened.new" "%s/opened"\n' "$PWD" "$PWD" "$PWD" >bin/xdg-open
chmod +x bin/xdg-open
PATH=$PWD/bin:$PATH "$coif" studio work/tiny.json >address 2>heard </dev/null &
child=$!
for ((i = 0; i < 400; ++i)); do
    [ -s opened ] && break
    sleep 0.05
done
token=$(sed 's/.*token=//' address)
grep -q "$token" opened && failed "the token is on the command line: $(cat opened)"
[ "$(stat -c %a "$(cat opened)")" = 600 ] || failed "the redirect file can be read by others"
grep -q "$token" "$(cat opened)" || failed "the redirect file has no URL: $(cat "$(cat opened)")"
kill -INT $child
wait $child || :
[ -e "$(cat opened)" ] && failed "the redirect file is left behind"

# A start page: for a new name and for a mesh. Other files are explained.
expect 3 studio nothing.txt --no-open
says "no such file; a new scene is named .json, a mesh .obj"
expect 3 studio missing/new.json --no-open
says "missing: no such folder"
expect 3 studio missing.obj --no-open
says "no such file"
for name in new.json work/assets/ball.obj ''; do
    : >address
    "$coif" studio ${name:+"$name"} --no-open >address 2>heard </dev/null &
    child=$!
    for ((i = 0; i < 400; ++i)); do
        [ -s address ] && break
        sleep 0.05
    done
    kill -INT $child
    wait $child || failed "the start page for '$name' ended with $?: $(cat heard)"
    [ -s address ] || failed "no start page for '$name'"
done
[ -e new.json ] && failed "the start page wrote new.json"
grep -q "work/tiny.json" state/coif/recent_scenes.json || failed "tiny.json is no recent scene"

unshare -m true 2>/dev/null || {
    printf 'no mount namespaces here: read-only folders were not tested\n'
    finish
    exit 0
}
code=0
unshare -m bash -c 'mount --bind work work && mount -o remount,ro,bind work && "$@"' inside \
    "$coif" studio work/tiny.json --no-open >printed 2>said </dev/null || code=$?
[ $code = 3 ] || failed "a studio in a read-only folder ended with $code, wanted 3"
says "copy it to a folder of your own"

finish
