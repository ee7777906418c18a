#!/usr/bin/env bash
# An invalid scene is exit code 2 with all errors in one run: file, JSON path, value found, values
# expected. --set is checked like the file.
source "$(dirname -- "$0")/cli.sh"

cp -r "$source_folder/scenes/assets" assets
expect 0 lint "$tiny"
prints "tiny.json: no errors; 1 body with"

cat >bad.json <<'END'
{
  "bodies": [{"name": "ball", "mesh": "assets/gone.obj", "scale": -1},
             {"name": "ball", "mesh": "assets/ball.obj"}],
  "grooms": [{"name": "hair", "body": "bell", "count": -5, "lenght": 0.1,
              "modifiers": [{"plugin": "groom.crul"}]}],
  "sim": {"substeps": "many", "fps": 0},
  "forces": [{"plugin": "wind.unifrom"}],
  "camera": {"fov": 500},
  "image": {"width": 0},
  "lihgts": []
}
END
for command in "lint bad.json" "sim bad.json --out x" "render bad.json --out x" \
    "run bad.json --out x" "groom bad.json --out x"; do
    expect 2 $command
    says 'bad.json: /bodies/0/mesh: file not found: assets/gone.obj'
    says 'bad.json: /bodies/0/scale: -1 is below'
    says '/bodies/1/name'
    says '/grooms/0/body: "bell"'
    says '/grooms/0/count: -5 is below 0'
    says '/grooms/0/lenght: unknown key, did you mean "length"?'
    says 'did you mean "groom.curl"?'
    says '/sim/substeps: found "many", expected'
    says '/sim/fps: 0 is below 1'
    says 'did you mean "wind.uniform"?'
    says '/camera/fov: 500 is above 170'
    says '/image/width: 0 is below 1'
    says '/lihgts: unknown key, did you mean "lights"?'
done
[ -e x ] && failed "a wrong scene made a folder"

# Parameters that are constant over time refuse keys.
expect 2 lint "$tiny" --set 'sim/solver={"keys": [[1, "pbd"], [2, "der"]]}'
says '/sim/solver/keys: solver cannot have keys'
expect 2 lint "$tiny" --set 'image/width={"keys": [[1, 64], [2, 96]]}'
says '/image/width/keys: width cannot have keys'
for choice in format:png:exr exr_layout:spec:nuke exr_pixel_type:half:float exr_compression:none:zip bit_depth:8:16; do
    IFS=: read -r key first second <<<"$choice"
    expect 2 lint "$tiny" --set "image/$key={\"keys\": [[1, \"$first\"], [2, \"$second\"]]}"
    says "/image/$key/keys: $key cannot have keys"
    expect 0 lint "$tiny" --set "image/$key=$second"
done

# A plugin that is not installed: the error names the option that loads it.
expect 2 lint "$tiny" --set 'forces/0/plugin="acme.wind"'
says '"acme.wind" is not a force plugin'
says '--plugin-path'

# Errors in referenced files are reported too, all of them.
printf 'v 0 0 0\nv 1 0 0\nf 1 2 nonsense\n' >assets/broken.obj
printf 'not an image' >assets/broken.png
cat >files.json <<'END'
{
  "bodies": [{"name": "a", "mesh": "assets/broken.obj"},
             {"name": "ball", "mesh": "assets/ball.obj", "material": {"texture": "assets/broken.png"}}],
  "grooms": [{"name": "hair", "body": "ball", "group": "scapl", "count": 10}]
}
END
code=0
"$coif" lint files.json >printed 2>said || code=$?
[ $code = 4 ] || [ $code = 2 ] || failed "lint of broken files ended with $code"
says "broken.obj"
says "broken.png"
says "scapl"

printf '{\n  "bodies": [\n    {"name": "ball",}\n  ]\n}\n' >syntax.json
expect 2 lint syntax.json && says "syntax.json:3:"
printf '\xff\xfe{}' >utf16.json
expect 2 lint utf16.json
: >empty.json
expect 2 lint empty.json
expect 3 lint nowhere.json && says "nowhere.json"
expect 3 lint . && says "."
expect 2 lint "$tiny" bad.json && prints "tiny.json: no errors"

expect 2 lint "$tiny" --set grooms/0/cuont=5 && says "grooms/0/cuont=5"
expect 2 lint "$tiny" --set grooms/7/count=5 && says "grooms/7/count=5"
expect 2 lint "$tiny" --set sim/substeps=0 && says "0 is below 1"
expect 1 lint "$tiny" --set sim/substeps && says "expected PATH=VALUE"
expect 0 lint "$tiny" --set grooms/hair/count=5 --set=grooms/0/count=7 && prints "with 7 strands"
# Lint generates a sample of many strands, but counts all.
expect 0 lint "$tiny" --set grooms/0/count=2000000 --set grooms/0/points=40 && prints "with 2000000 strands"
expect 2 lint "$tiny" --set grooms/0/count=2000000 --set grooms/0/points=1000 && says "more than"
thinned=(--set grooms/0/count=5000 --set grooms/0/scatter=blue_noise --set grooms/0/density=0.7)
expect 0 lint "$tiny" "${thinned[@]}" && prints "with 3500 strands"
expect 0 lint "$tiny" --log json --quiet
expect 2 --log json lint bad.json
python3 -c 'import json, sys; [json.loads(line) for line in open("said")]' 2>/dev/null ||
    failed "--log json gives lines that are not JSON"

# A body may use some groups of its mesh; an unknown group is an error that lists them.
expect 0 lint "$tiny" --set bodies/0/include_groups=scalp && prints "no errors"
expect 2 lint "$tiny" --set bodies/0/include_groups=scapl
says 'tiny.json: /bodies/0/include_groups: the mesh has no group or material "scapl", did you mean "scalp"? (groups: '
expect 2 lint "$tiny" --set 'bodies/0/exclude_groups=ball, skin' && says '/bodies/0/exclude_groups: excludes all '
expect 2 lint "$tiny" --set bodies/0/exclude_groups=scalp && says 'group "scalp" has no surface to grow on'

# Every file of a sequence is checked.
mkdir sequence
cp "$source_folder/scenes/assets/ball.obj" sequence/head.0001.obj
cp "$source_folder/scenes/assets/ball.obj" sequence/head.0002.obj
cp "$source_folder/scenes/assets/ball.obj" sequence/head.0003.obj
sequence=(--set "bodies/0/mesh=$PWD/sequence/head.####.obj")
expect 0 lint "$tiny" "${sequence[@]}"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >sequence/head.0002.obj
expect 4 lint "$tiny" "${sequence[@]}"
says "tiny.json: /bodies/0/mesh: $PWD/sequence/head.0002.obj: topology of 3 vertices and 1 faces differs"

# Errors of plugins have a JSON path as well.
expect 2 lint "$tiny" --set 'grooms/0/maps=[{"name":"d","plugin":"density.texture"}]'
says "tiny.json: /grooms/0/maps/0: density.texture: path: no image given"
expect 2 groom "$tiny" --out placed --set 'grooms/0/maps=[{"name":"d","plugin":"density.texture"}]'
says "tiny.json: /grooms/0/maps/0: density.texture: path: no image given"

# A key without effect under the chosen solver, type or model is a warning that says to what it
# applies, from lint and at run time; a choice that is keyed to a matching value once is enough.
sed 's/"substeps": 4/"substeps": 4, "bend_stiffness": 0.3/' "$tiny" >unused.json
for command in "lint unused.json" "groom unused.json --out unused"; do
    expect 0 $command
    says 'unused.json: /sim/bend_stiffness: no effect with solver der; applies to solver pbd'
done
expect 0 lint unused.json --set sim/solver=pbd
! grep -q 'no effect' said || failed 'bend_stiffness has an effect with pbd'
expect 0 lint "$tiny" --set 'lights=[{"type": "sphere", "width": 2}]'
says '/lights/0/width: no effect with type sphere; applies to type rectangle'
expect 0 lint "$tiny" --set grooms/0/hair/medulla_radius=0.5
says '/grooms/0/hair/medulla_radius: no effect with model hair; applies to model fur'

# Valid scenes that are probably not what was meant: warnings of lint alone.
expect 0 lint "$tiny" --set bodies/0/scale=100 && says '/bodies/0/scale: the body is 20 m tall' && says '1 for metres would make it 0.2 m tall'
expect 0 lint "$tiny" --set grooms/0/density=0 && says '/grooms/0: no strand grows'
expect 0 lint "$tiny" --set grooms/0/length=9 && says '/grooms/0/length: hair of 9 m on a body of'
expect 0 lint "$tiny" --set 'grooms/0/maps=[{"name": "spare", "plugin": "density.noise"}]'
says '/grooms/0/maps/0: no parameter uses the map "spare"'
expect 0 lint "$tiny" --set 'grooms/0/maps=[{"name": "spare", "plugin": "density.noise"}]' --set 'forces/0/mask={"map": "spare"}'
! grep -q 'no parameter uses' said || failed 'the mask of a force uses a map'
keyed='grooms/0/maps=[{"name": "spare", "plugin": "density.constant", "value": {"keys": [[1, 1], [6, 0.5]]}}]'
expect 0 lint "$tiny" --set "$keyed" --set 'grooms/0/density={"map": "spare"}' --set 'sim/drag={"map": "spare"}'
says '/grooms/0/density: the map "spare" changes over time; here the first frame counts'
! grep -q 'sim/drag' said || failed 'drag follows the map'
# Cohesion without clumps.
expect 0 sim "$tiny" --out cohesion --frames 1-2 --set sim/cohesion=20 && says 'sim/cohesion has no effect: the groom has no clumps'
expect 0 sim "$tiny" --out cohesion --frames 1-2 --set sim/cohesion=20 \
    --set 'grooms/0/modifiers=[{"plugin": "groom.clump", "count": 5}]'
! grep -q 'sim/cohesion' said || failed 'cohesion acts on clumps'
expect 0 lint "$tiny" --set bodies/0/scale=8 --set grooms/0/length=2 && says '/grooms/0/length: hair of 2 m on a body of 1.6 m'
expect 0 lint "$tiny" --set grooms/0/length=0.9 && [ ! -s said ] || failed 'long hair on a head gives a warning'
expect 0 lint "$tiny" --set bodies/0/scale=5 --set grooms/0/group= --set grooms/0/count=20000
says '/grooms/0/count: 20000 strands are spread over the whole body, 0.65 per cm2; set group, density or strands_per_cm2'
expect 0 lint "$tiny" --set bodies/0/scale=0.01 && says '/bodies/0/scale: the body is 0.002 m tall'
expect 0 lint "$tiny" --set 'camera/look_at=[0, 0, 5]' && says '/camera: all bodies are behind'
expect 0 lint "$tiny" --set 'camera/look_at=[1, 0.14, 0.4]' && says '/camera: no body and no hair is in view'
expect 0 lint "$tiny" --set camera/film_offset_x=100 && says '/camera: no body and no hair is in view'
expect 0 lint "$tiny" --set 'camera/look_at=[0.3, 0.6, 0]' \
    --set "bodies=[{\"name\": \"ball\", \"mesh\": \"assets/ball.obj\"}, {\"name\": \"other\", \"mesh\": \"assets/ball.obj\", \"translate\": [0.26, 0.4, 0.2]}]"
says '/camera: no hair is in view'
expect 0 lint "$tiny" --set 'camera/look_at={"keys": [[1, [1, 0.14, 0.4]], [6, [0, 0, 0]]]}'
! grep -q warning said || failed 'a camera that turns to the hair gives a warning'
expect 0 lint "$tiny"
! grep -q warning said || failed 'a scene without slips gives warnings'

# Locks of imported hair cohere; that can be declined, per groom too.
expect 0 groom "$tiny" --out imported --set grooms/0/count=3000 && expect 0 export "$tiny" imported.obj --cache imported
file=(--set "grooms/0/file=$PWD/imported.obj" --set grooms/0/group= --set sim/simulated_fraction=1)
expect 0 sim "$tiny" "${file[@]}" --frames 1-3 --out default
for rate in -1 0 20; do
    expect 0 sim "$tiny" "${file[@]}" --set sim/cohesion=$rate --frames 1-3 --out "rate$rate"
done
expect 0 sim "$tiny" "${file[@]}" --set grooms/0/sim/cohesion=0 --frames 1-3 --out declined
expect 0 diff default rate20 --groom hair
expect 0 diff default rate-1 --groom hair
expect 1 diff default rate0 --groom hair && says differ
expect 0 diff declined rate0 --groom hair

# A groom overrides simulation parameters for itself; its solver decides which have an effect.
expect 0 lint "$tiny" --set grooms/hair/sim/solver=pbd --set grooms/hair/sim/bend_stiffness=0.3
! grep -q warning said || failed 'bend_stiffness has an effect with the solver of the groom'
expect 0 lint "$tiny" --set grooms/hair/sim/bend_stiffness=0.3
says '/grooms/0/sim/bend_stiffness: no effect with solver der; applies to solver pbd'
expect 0 lint unused.json --set grooms/hair/sim/solver=pbd
! grep -q 'no effect' said || failed 'a groom with pbd inherits bend_stiffness'
expect 0 lint unused.json --set grooms/hair/sim/solver=pbd --set grooms/hair/sim/bend_stiffness=0.5
says 'unused.json: /sim/bend_stiffness: no effect: every groom has a value of its own'
expect 0 lint "$tiny" --set 'grooms/0/maps=[{"name": "spare", "plugin": "density.noise"}]' \
    --set 'grooms/0/sim/stiffness={"map": "spare", "range": [1, 2]}'
! grep -q warning said || failed 'a map that a simulation parameter of the groom uses'
expect 2 lint "$tiny" --set grooms/hair/sim/fps=25
says '/grooms/0/sim/fps: is one value for the whole scene; set /sim/fps instead'
expect 2 lint "$tiny" --set grooms/hair/sim/sovler=pbd && says 'did you mean "solver"?'
expect 2 lint "$tiny" --set 'grooms/hair/sim/stiffness={"map": "gone"}'
says '/grooms/0/sim/stiffness/map: "gone" is not the name of a map'

# A number straight from a picture gives the strands of a map with a name.
picture=$source_folder/scenes/assets/cub_maps.png
texture='{"texture": "'$picture'", "channel": "green", "invert": true'
expect 0 groom "$tiny" --out short --set "grooms/0/density=$texture}" \
    --set "grooms/0/length=$texture, \"range\": [0.02, 0.1]}"
maps='[{"name": "m", "plugin": "density.texture", "path": "'$picture'", "channel": "green", "invert": true}]'
expect 0 groom "$tiny" --out long --set "grooms/0/maps=$maps" --set 'grooms/0/density={"map": "m"}' \
    --set 'grooms/0/length={"map": "m", "range": [0.02, 0.1]}'
for form in short long; do
    expect 0 export "$tiny" $form.hair --cache $form
done
cmp short.hair long.hair || failed 'a texture gives other strands than its map'
[ "$(stat -c %s short.hair)" -gt 5000 ] || failed 'the picture removes all hair'
expect 0 lint "$tiny" --set "sim/drag={\"texture\": \"$picture\"}"
expect 2 lint "$tiny" --set 'grooms/0/density="mask.png"'
says '/grooms/0/density: found "mask.png", expected a number, or {"texture": "mask.png"} for an image'
expect 2 lint "$tiny" --set 'grooms/0/length="short"'
says '/grooms/0/length: found "short", expected a number in m, or {"map": "short"} for a map of the groom'
expect 2 lint "$tiny" --set 'image/samples="many"' && says 'expected an integer (from'
expect 2 lint "$tiny" --set 'grooms/0/density={"texture": "none.png"}'
says 'tiny.json: /grooms/0/density/texture: file not found: '
expect 2 lint "$tiny" --set "sim/drag={\"texture\": \"$picture\", \"chanel\": \"red\"}"
says 'tiny.json: /sim/drag/chanel: unknown key, did you mean "channel"?'
expect 3 lint "$tiny" --set "grooms/0/density={\"texture\": \"$tiny\"}"
says 'tiny.json: /grooms/0/density: density.texture: '
finish
