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

# One that crashes takes the program along, but not without its name and the code for plugins.
crash=$(dirname "$(dirname "$coif")")/tests/abi/crash
sets=(--set 'grooms/hair/maps=[{"name": "m", "plugin": "crash.map"}]'
    --set 'grooms/hair/density={"map": "m"}')
expect 5 groom "$tiny" --out crashed --plugin-path "$crash" "${sets[@]}"
says "crash.map: the plugin touched memory that is not its own"
[ ! -e crashed/hair.groom ] || failed "a groom of a plugin that crashed"

# Winds are turned off and found by their plugin.
expect 0 sim "$tiny" --out calm --set forces/wind.uniform/enabled=false
expect 0 sim "$tiny" --out bare --set 'forces=[]'
expect 0 sim "$tiny" --out windy
points() { "$coif" info --json "$1" | grep -m1 digest; }
[ "$(points calm/hair.0006.strands)" = "$(points bare/hair.0006.strands)" ] ||
    failed "a wind that is off blows"
[ "$(points calm/hair.0006.strands)" != "$(points windy/hair.0006.strands)" ] ||
    failed "no wind blows"
finish
