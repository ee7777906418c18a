#!/usr/bin/env bash
# What is built holds no folder of the machine, so that builds in two folders have the same bytes (tools/package
# reproducible compares two builds).
source "$(dirname -- "$0")/cli.sh"

built=$(dirname "$(dirname "$coif")")
grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=Release$' "$built/CMakeCache.txt" || skip "not a Release build"
for file in "$built"/bin/coif "$built"/lib/libcoif.so "$built"/lib/libcoif.a "$built"/lib/coif/image/*.so; do
    [ -e "$file" ] || continue
    for path in "$source_folder" "$built"; do
        ! grep -qF -- "$path/" "$file" || failed "$(basename "$file") contains $path: $(strings -a "$file" | grep -F -m 3 -- "$path/" | tr '\n' ' ')"
    done
done

# The same file in two folders gives the same object, messages of assertions included. One of each language.
for place in one "the other/folder"; do
    mkdir -p "$place/core/base"
    cp "$source_folder"/core/base/*.[ch] "$place/core/base"
    cp "$source_folder"/plugins/include/coif/*.h "$place"
    mkdir -p "$place/coif" && mv "$place"/*.h "$place/coif"
    (cd / && cc -c -g -O1 -D_GNU_SOURCE -DCOIF_ASSERTIONS -std=gnu17 -ffile-prefix-map="$folder/$place/=" "-I$folder/$place" \
        -o "$folder/$place/arena.o" "$folder/$place/core/base/arena.c") || failed "arena.c does not compile"
done
cmp -s one/arena.o "the other/folder/arena.o" || failed "an object depends on its folder"
finish
