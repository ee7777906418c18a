#!/usr/bin/env bash
# Plugins are listed and described, and a missing one is an error.
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

# An invalid module is only a warning.
mkdir modules
printf 'not a module' >modules/broken.so
expect 0 plugins --plugin-path modules && says "broken.so"
expect 0 plugins --plugin-path nowhere
# The velocity field of a wind on a grid, with parameters by --set; other kinds have none.
expect 0 plugins wind.vortex --sample vortex.json --set speed=5 --extent 2 --resolution 64
python3 - <<'END' || failed "vortex.json is not the field of a vortex"
import json
field = json.load(open("vortex.json"))
assert (field["right"], field["up"], field["extent"]) == ("x", "z", 2)
rows = field["velocity"]
assert len(rows) == 64 and all(len(row) == 64 for row in rows)
fastest = 0
for j, row in enumerate(rows):
    for i, (u, v, w) in enumerate(row):
        x, z = ((2 * k + 1) / 64 * 2 - 2 for k in (i, j))
        assert v == 0 and abs(x * u + z * w) < 1e-3 and z * u - x * w >= 0  # about +y
        fastest = max(fastest, (u * u + w * w) ** 0.5)
assert 4.9 < fastest <= 5.001, fastest
END
expect 0 plugins wind.fan --sample fan.json --plane zy --resolution 2
grep -q '"right": "z"' fan.json || failed "the plane is not zy"
expect 1 plugins --sample field.json
says "--sample: NAME is missing"
expect 1 plugins density.noise --sample noise.json
says "density.noise is not a force plugin"
expect 2 plugins wind.fan --sample broken.json --set spead=3
says 'did you mean "speed"'
[ ! -e broken.json ] || failed "a file was written in spite of the error"

# A crashing plugin ends the program with its name and the exit code for plugins.
crash=$(dirname "$(dirname "$coif")")/tests/abi/crash
sets=(--set 'grooms/hair/maps=[{"name": "m", "plugin": "crash.map"}]'
    --set 'grooms/hair/density={"map": "m"}')
expect 5 groom "$tiny" --out crashed --plugin-path "$crash" "${sets[@]}"
says "crash.map: the plugin accessed invalid memory (SIGSEGV)"
[ ! -e crashed/hair.groom ] || failed "a groom of a plugin that crashed"
# The signal handler has its own stack, so it reports a stack overflow.
expect 5 groom "$tiny" --out crashed --plugin-path "$crash" "${sets[@]//crash.map/crash.overflow}"
says "crash.overflow: the plugin accessed invalid memory (SIGSEGV)"

# Winds can be disabled and selected by plugin.
expect 0 sim "$tiny" --out calm --set forces/wind.uniform/enabled=false
expect 0 sim "$tiny" --out bare --set 'forces=[]'
expect 0 sim "$tiny" --out windy
points() { "$coif" info --json "$1" | grep -m1 digest; }
[ "$(points calm/hair.0006.strands)" = "$(points bare/hair.0006.strands)" ] ||
    failed "a wind that is off blows"
[ "$(points calm/hair.0006.strands)" != "$(points windy/hair.0006.strands)" ] ||
    failed "no wind blows"
finish
