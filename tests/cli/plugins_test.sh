#!/usr/bin/env bash
# What can be named in a scene is listed, explained, and told when it is missing.
source "$(dirname -- "$0")/cli.sh"

expect 0 plugins
for id in wind.uniform density.texture groom.curl; do
    prints "$id"
    expect 0 plugins $id && prints "$id" && prints "default"
    expect 0 plugins
done
expect 5 plugins wind.unifrom && says "did you mean 'wind.uniform'?"
expect 0 plugins --json
python3 -c 'import json; assert len(json.load(open("printed"))) >= 3' 2>/dev/null ||
    failed "--json is not JSON"

# A module that is none is a warning and nothing more.
mkdir modules
printf 'not a module' >modules/broken.so
expect 0 plugins --plugin-path modules && says "broken.so"
expect 0 plugins --plugin-path nowhere
# Winds are drawn, with parameters by --set; other kinds are not.
expect 0 plugins wind.vortex --draw vortex.png --set speed=5 --extent 2
[ "$(head -c 4 vortex.png | tail -c 3)" = PNG ] || failed "no drawing"
expect 1 plugins density.noise --draw noise.png
says "density.noise is no force"
expect 2 plugins wind.fan --draw fan.png --set spead=3
says 'did you mean "speed"'
[ ! -e fan.png ] || failed "a drawing of a mistake"
finish
