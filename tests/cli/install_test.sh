#!/usr/bin/env bash
# What cmake --install leaves works anywhere, also after it has been moved.
source "$(dirname -- "$0")/cli.sh"

build=$(dirname "$(dirname "$coif")")
cmake --install "$build" --prefix "$folder/first" >log 2>&1 || failed "$(tail -n 3 log)"
mv first moved
[ -e moved/include/coif/plugin.h ] || failed "the plugin header is not installed"
coif=$folder/moved/bin/coif
expect 0 --version
expect 0 groom "$tiny" --out cache
expect 0 render "$tiny" --cache cache --out frames --rest --frames 1
[ -s frames/render0001.png ] || failed "no picture"
finish
