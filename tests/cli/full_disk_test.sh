#!/usr/bin/env bash
# A full disk is an I/O error; no partial file is left.
source "$(dirname -- "$0")/cli.sh"

large=(--set grooms/0/count=4000 --set grooms/0/points=16)

if unshare -m true 2>/dev/null; then
    cat >inside.sh <<'END'
mount -t tmpfs -o size=1m tmpfs small
"$@"
code=$?
find small -name '*.tmp' >&2
cp -r small/. copied
exit $code
END
    on_small_disk() {
        mkdir -p small
        rm -rf copied
        mkdir copied
        unshare -m bash inside.sh "$@"
    }
else
    # Without a private mount, a file size limit replaces the full disk.
    on_small_disk() {
        rm -rf small copied
        mkdir small
        (ulimit -f 512 && "$@")
        local code=$?
        find small -name '*.tmp' >&2
        cp -r small copied
        return $code
    }
fi

code=0
on_small_disk "$coif" sim "$tiny" "${large[@]}" --out small/cache >printed 2>said || code=$?
[ $code = 3 ] || failed "sim on a full disk exited with $code, expected 3: $(tail -n 3 said)"
grep -q '\.tmp$' said && failed "a half-written file is left: $(grep '\.tmp$' said)"
grep -qE "No space left|File too large" said || failed "the reason is missing: $(tail -n 3 said)"
for file in copied/cache/*; do
    [ -e "$file" ] && expect 0 info "$file"
done

expect 0 sim "$tiny" --out cache --frames 1
code=0
on_small_disk "$coif" render "$tiny" --cache cache --out small/frames --frames 1 --format exr \
    --set image/width=1000 --set image/height=1000 --set image/samples=1 >printed 2>said || code=$?
[ $code = 3 ] || failed "render on a full disk exited with $code, expected 3: $(tail -n 3 said)"
[ -z "$(find copied -name '*.exr')" ] || failed "a partial image was kept"
finish
