#!/usr/bin/env bash
# A studio is one for each scene, says where it cannot work, and ends tidily with its terminal.
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

# By its own name, from elsewhere and through a link.
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
