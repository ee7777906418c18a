#!/usr/bin/env bash
# A path that cannot be written is an I/O error that names it; existing files stay.
source "$(dirname -- "$0")/cli.sh"

# A regular file has no children, also for root.
touch plain
expect 3 sim "$tiny" --out plain/cache
says "plain: cannot create directory"
expect 3 groom "$tiny" --out plain/cache
expect 0 sim "$tiny" --out cache
expect 3 render "$tiny" --cache cache --out plain/frames
expect 3 schema --out plain/schema.json
expect 3 export "$tiny" plain/rest.hair --cache cache

# A read-only file system, which applies to root as well, needs a private mount namespace.
unshare -m true 2>/dev/null || {
    printf 'no mount namespaces here: only the first half was tested\n'
    finish
    exit 0
}
mkdir read_only
cat >inside.sh <<'END'
mount -t tmpfs tmpfs read_only
cp -r cache read_only/cache
mount -o remount,ro read_only
"$@"
code=$?
diff -r cache read_only/cache >&2 || exit 99
exit $code
END
expect_inside() {
    local wanted=$1 code=0
    shift
    unshare -m bash inside.sh "$coif" "$@" >printed 2>said </dev/null || code=$?
    [ $code = "$wanted" ] || {
        failed "coif $* exited with $code, expected $wanted; stderr:"
        tail -n 5 said >&2
    }
}
expect_inside 3 sim "$tiny" --out read_only/cache --force
says "Read-only file system"
expect_inside 3 render "$tiny" --cache read_only/cache --out read_only/frames
expect_inside 0 render "$tiny" --cache read_only/cache --out frames --frames 1
expect_inside 3 render "$tiny" --cache read_only/cache --out read_only/cache --frames 1
says "render0001.png: cannot write: Read-only file system"
grep -q checkpoint said && failed "samples were traced for an image that cannot be written"
finish
