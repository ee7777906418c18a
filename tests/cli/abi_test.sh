#!/usr/bin/env bash
# The binary interfaces of libcoif and of plugins are those recorded in tests/abi/*.abi, those of the last release: functions,
# their parameters, and the layout of every struct they reach. Programs and plugins built with the old headers rely on
# it. A change that keeps old ones working (docs/reference/c_api.md, plugins.md) is recorded by
#   tests/cli/abi_test.sh build/bin/coif record
source "$(dirname -- "$0")/cli.sh"
mode=${2-check}
command -v abidw >/dev/null && command -v abidiff >/dev/null || skip "abidiff is missing (package abigail-tools)"
command -v gcc >/dev/null || skip "no gcc"

# Types are read from debug information, so the adapters of the interface are compiled with it; what they call stays
# undefined. A plugin stands for the plugin interface: every type is reached from its entry function.
cd "$source_folder" || exit 1
includes=(-I. -Icore/api/include -Isim/api/include -Irender/api/include -Iplugins/include)
gcc -g -O0 -fPIC -shared -std=gnu17 -D_GNU_SOURCE "${includes[@]}" -Wl,--version-script=tools/libcoif.map \
    -o "$folder/libcoif.so" {core,sim,render}/api/*.c || failed "the adapters of libcoif do not compile"
gcc -g -O0 -fPIC -shared -Iplugins/include -o "$folder/plugin.so" plugins/template/breeze.c ||
    failed "the template of plugins does not compile"
cd "$folder" || exit 1

# compare NAME HEADERS...: the interface of NAME.so, of types in public headers alone, with the recorded one.
compare() {
    local name=$1 recorded=$source_folder/tests/abi/$1.abi headers=() header
    shift
    for header; do
        headers+=(--headers-dir "$source_folder/$header")
    done
    abidw --drop-private-types --drop-undefined-syms --no-show-locs --no-corpus-path --no-comp-dir-path \
        --no-elf-needed "${headers[@]}" "$name.so" >"$name.abi" || failed "abidw $name.so"
    if [ "$mode" = record ]; then
        cp "$name.abi" "$recorded"
        return
    fi
    abidiff "$recorded" "$name.abi" >difference || failed "$name: $(cat difference)"
}
compare libcoif core/api/include sim/api/include render/api/include plugins/include
compare plugin plugins/include

# A field inserted into a struct is found.
if [ "$mode" = check ]; then
    mkdir -p copy/coif
    cp "$source_folder"/plugins/include/coif/*.h copy/coif
    sed -i '0,/^    uint32_t struct_size;.*/s//&\n    double inserted;/' copy/coif/plugin.h
    gcc -g -O0 -fPIC -shared -Icopy -o plugin.so "$source_folder/plugins/template/breeze.c" || failed "the changed header"
    abidw --drop-private-types --no-show-locs --headers-dir copy plugin.so >changed.abi
    ! abidiff plugin.abi changed.abi >/dev/null || failed "an inserted field is not found"
fi
finish
