#!/usr/bin/env bash
# A former key, choice, AOV or option is an error that names the present one.
source "$(dirname -- "$0")/cli.sh"

expect 2 lint "$tiny" --set sim/young=1e9
says '/sim/young: renamed to "youngs_modulus"'
expect 2 lint "$tiny" --set sim/solver=rod
says '"rod" was renamed to "der"'
expect 2 lint "$tiny" --set 'grooms/0/modifiers=[{"plugin": "groom.comb", "over": 0.1}]'
says '/over: renamed to "head_radius"'
expect 2 lint "$tiny" --set image/aovs=lobes
says 'AOV "lobes" was renamed to "hair_lobes"'
expect 1 render "$tiny" --out frames --rest --aov rootuv --format exr
says '"rootuv" was renamed to "root_uv"'
expect 1 sim "$tiny" --out cache --redo
says "'--redo' was renamed to '--force'"

# In a file as well, and beside a current key of the same name in another section.
sed 's/"substeps"/"settle": 1, "substeps"/' "$tiny" >old.json
cp -r "$source_folder/scenes/assets" .
expect 2 lint old.json
says 'old.json: /sim/settle: renamed to "warmup_time"'
expect 0 lint "$tiny" --set 'grooms/0/modifiers=[{"plugin": "groom.clump", "radius": 0.002}]'
finish
