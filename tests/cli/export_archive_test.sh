#!/usr/bin/env bash
# USD and Alembic files of whole caches: hair, guides, body and camera with time samples.
source "$(dirname -- "$0")/cli.sh"

expect 0 sim "$tiny" --out cache
all=(--frames 1-6 --expand --with-guides --with-body --with-camera)
expect 0 export "$tiny" all.usda --cache cache "${all[@]}"
expect 0 export "$tiny" all.usdc --cache cache "${all[@]}"
expect 0 export "$tiny" all.abc --cache cache "${all[@]}"
for file in all.usda all.usdc all.abc; do
    expect 0 info --json "$file"
    python3 - "$file" <<'END' || failed "$file: wrong objects"
import json, sys
info = json.load(open("printed"))[0]
assert info["kind"] == "archive" and info["meters_per_unit"] == 1 and info["fps"] == 24, info
objects = {o["path"].split("/")[1]: o for o in info["objects"]}
assert sorted(objects) == ["ball", "camera", "hair", "hair_guides"], objects.keys()
for o in (objects["hair"], objects["hair_guides"], objects["ball"]):
    assert o["samples"] == 6 and abs(o["last_time"] - 6 / 24) < 1e-6, o
assert objects["hair_guides"]["guides"] and not objects["hair"]["guides"]
assert objects["hair"]["elements"] == 2 * objects["hair_guides"]["elements"] == 200
assert objects["hair"]["constant_topology"] and objects["ball"]["elements"] == 288  # polygons as in the file
END
done

# All bodies that are seen, those at rest with one sample; a groom may have the name of a body.
sed 's|"bodies": \[|"bodies": [{"name": "hair", "mesh": "assets/ball.obj", "translate": [0.5, 0, 0]}, {"name": "proxy", "mesh": "assets/ball.obj", "visible": false},|' "$tiny" >three.json
ln -sf "$source_folder/scenes/assets" assets
for file in three.usda three.usdc three.abc; do
    expect 0 export three.json $file --cache cache --frames 1-2 --with-body
    expect 0 info --json $file
    python3 - <<'END' || failed "$file: wrong bodies"
import json
objects = {o["path"].split("/")[1]: o for o in json.load(open("printed"))[0]["objects"]}
assert sorted(objects) == ["ball", "hair", "hair_"], objects.keys()
assert [objects[name]["samples"] for name in ("ball", "hair", "hair_")] == [2, 2, 1], objects
assert objects["hair_"]["elements"] == 288
END
done

# All grooms of a scene in one file: each is a group, ids are distinct, each has its look.
sed 's|"grooms": \[|"grooms": [{"name": "brows", "body": "ball", "group": "scalp", "count": 30, "points": 5, "length": 0.02, "hair": {"eumelanin": 0.1}},|' "$tiny" >two.json
expect 0 sim two.json --out two --frames 1-2
expect 1 export two.json two.hair --cache two && says "select one with --groom"
for type in usda usdc abc; do
    expect 0 export two.json two.$type --cache two --frames 1-2 --expand --with-guides
    expect 0 export two.json brows.$type --cache two --groom brows --frames 1-2
    expect 0 diff two.$type brows.$type --object brows
    expect 0 convert two.$type two.obj --frame 1 && says "230 strands"
    [ "$(grep '^g ' two.obj | tr '\n' ' ')" = "g brows g hair " ] || failed "groups of two.$type: $(grep '^g ' two.obj)"
done
python3 - <<'END' || failed "ids, groups or looks of two.usda"
import re
text = open("two.usda").read()
prims = {name: body for name, body in re.findall(r'\ndef BasisCurves "(\w+)"(.*?)\n}', text, re.S)}
assert sorted(prims) == ["brows", "brows_guides", "hair", "hair_guides"], prims.keys()
numbers = lambda prim, name: [int(n) for n in re.search(r"primvars:%s = \[(.*?)\]" % name, prims[prim]).group(1).split(",")]
assert numbers("brows", "groom_id") == list(range(30)) and numbers("hair", "groom_id") == list(range(30, 230))
assert set(numbers("brows", "groom_group_id")) == {0} and set(numbers("hair_guides", "groom_group_id")) == {1}
assert set(numbers("hair", "groom_closest_guides")) - {-1} <= set(numbers("hair_guides", "groom_id"))
for prim, look in (("brows", "brows"), ("brows_guides", "brows"), ("hair", "hair")):
    assert "rel material:binding = </looks/%s>" % look in prims[prim]
absorption = re.findall(r"absorption_coefficient = (.*)", text)
assert len(absorption) == 2 and absorption[0] != absorption[1], absorption
END

# Every thread count gives the same bytes.
expect 0 export "$tiny" again.usda --cache cache "${all[@]}" --threads 3
cmp -s all.usda again.usda || failed "another number of threads gives another file"

for object in hair hair_guides; do
    expect 0 diff all.usda all.usdc --object $object
done

# Fractional frames, centimetres, z up; widths for readers without vertex interpolation.
expect 0 export "$tiny" cm.usda --cache cache --frames 1-2x0.5 --guides-only --basis bspline \
    --widths varying --meters-per-unit 0.01 --up-axis z
grep -q 'basis = "bspline"' cm.usda && grep -q 'upAxis = "Z"' cm.usda || failed "basis or up axis"
grep -q 'interpolation = "varying"' cm.usda && grep -q '  1.5: \[' cm.usda || failed "widths or frames"
grep -q 'purpose = "guide"' cm.usda || failed "guides are not marked"
expect 0 info cm.usda && prints "0.01"

# One file per frame has no samples.
expect 0 export "$tiny" f.####.usda --cache cache --frames 3,5
[ -e f.0005.usda ] || failed "no file of frame 5"
grep -q timeSamples f.0003.usda && failed "a single frame has time samples"

expect 1 export "$tiny" odd.usda --cache cache --frames 1,2,4 && says "even steps"
expect 0 export "$tiny" rest.hair --cache cache --with-body && says "options of USD and Alembic have no effect"
expect 3 export "$tiny" late.usda --cache cache --frames 5-9 && says "0007"
[ -e late.usda ] && failed "a failed export left a file"
no_scraps cache
compgen -G '*.tmp' >/dev/null && failed "temporary files are left: $(echo ./*.tmp)"

# What was written is read again, exact to float; damage is reported with its line.
expect 0 export "$tiny" rest.usda --cache cache
expect 0 convert rest.usda back.hair
expect 0 convert back.hair again.hair
expect 0 export "$tiny" rest.hair --cache cache
python3 - <<'END' || failed "points of rest.usda changed"
read = lambda name: open(name, "rb").read()[128 + 2 * 200:][:12 * 1600]
assert read("rest.hair") == read("back.hair") == read("again.hair")
END
head -c 3000 rest.usda >damaged.usda
expect 4 info damaged.usda && says "damaged.usda:"
printf '#usda 1.0\ndef Mesh "a" {\n  float[] x = [1, 2)\n}\n' >damaged.usda
expect 4 info damaged.usda && says "damaged.usda:3:20: expected ']', found ')'"

# Independent parser: that of three.js, which the studio's page has among its packages.
three=$(dirname "$(dirname "$coif")")/tools/studio/web/node_modules/three/examples/jsm/loaders/usd
if command -v node >/dev/null && [ -e "$three/USDAParser.js" ]; then
    expect 0 export "$tiny" f6.hair --cache cache --frame 6 --expand
    cat >parse.mjs <<'END'
import fs from "node:fs";
const { USDAParser } = await import(process.argv[2] + "/USDAParser.js");
const specs = new USDAParser().parseData(fs.readFileSync("all.usda", "utf8")).specsByPath;
const hair = fs.readFileSync("f6.hair").buffer.slice(128);
const points = specs["/hair.points"].fields.timeSamples;
const floats = new Float32Array(hair.slice(2 * 200, 2 * 200 + 12 * 1600));
if (points.times.join() !== "1,2,3,4,5,6") throw new Error("times " + points.times);
const last = Float32Array.from(points.values[5].flat());
if (last.length !== floats.length || last.some((x, i) => x !== floats[i])) throw new Error("points");
const widths = specs["/hair.widths"].fields.default;
if (widths.length !== 1600 || Math.fround(widths[0]) !== Math.fround(0.0012)) throw new Error("widths");
const counts = specs["/hair.curveVertexCounts"].fields.default;
if (counts.length !== 200 || counts.some((n) => n !== 8)) throw new Error("counts");
const matrix = specs["/camera.xformOp:transform"].fields.default.flat();
if (!matrix.slice(0, 16).every(Number.isFinite) || matrix[15] !== 1) throw new Error("camera");
const shader = specs["/looks/hair/fibre.info:id"].fields.default;
if (shader !== "ND_chiang_hair_bsdf") throw new Error("look " + shader);
// The crate has the same prims and attributes with the same values; its reader does not know applied schemas.
const { USDCParser } = await import(process.argv[2] + "/USDCParser.js");
const bytes = fs.readFileSync("all.usdc");
const crate = new USDCParser().parseData(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)).specsByPath;
const flat = (value) => typeof value === "object" ? Array.from(value).flat(3) : [value];
const same = (a, b) => a.length === b.length &&
  a.every((x, i) => typeof x === "number" ? Math.abs(x - b[i]) <= 1e-7 * Math.abs(x) : x === b[i]);
for (const [path, { fields }] of Object.entries(specs)) {
  if (path.endsWith(".apiSchemas")) continue;
  const own = crate[path]?.fields;
  if (!own) throw new Error("the crate has no " + path);
  for (const name of ["typeName", "interpolation", "default"]) {
    if (fields[name] !== undefined && own[name] !== undefined && !same(flat(fields[name]), flat(own[name])))
      throw new Error(`${path} ${name}: ${flat(fields[name]).slice(0, 4)}, crate ${flat(own[name]).slice(0, 4)}`);
  }
  for (const name of ["targetPaths", "connectionPaths"]) {
    if (String(fields[name]) !== String(own[name])) throw new Error(`${path} ${name}: ${own[name]}`);
  }
  const samples = fields.timeSamples;
  if (!samples) continue;
  if (!same(samples.times, flat(own.timeSamples.times)) ||
      samples.values.some((value, i) => !same(flat(value), flat(own.timeSamples.values[i]))))
    throw new Error(path + " samples differ");
}
END
    node parse.mjs "$three" >parsed 2>&1 || failed "three.js: $(tail -n 3 parsed)"

    # Group names and ids as three.js reads them; crates as it and coif read them.
    printf 'v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 2 0 0\nv 2 1 0\ng a "b"\nl 1 2\ng back\nl 3 4\ng a "b"\nl 5 6\n' >groups.obj
    expect 0 convert groups.obj groups.usda
    rm -rf crates && mkdir crates
    "$(dirname "$(dirname "$coif")")/fuzz/usdc_replay" --write crates >written 2>&1
    for crate in crates/*; do
        mv "$crate" "$crate.usdc"
        [ -s "$crate.usdc" ] && "$coif" --quiet convert "$crate.usdc" "$crate.ply" 2>/dev/null ||
            rm "$crate.usdc"
    done
    cat >crates.mjs <<'END'
import fs from "node:fs";
const { USDAParser } = await import(process.argv[2] + "/USDAParser.js");
const { USDCParser } = await import(process.argv[2] + "/USDCParser.js");
const groups = new USDAParser().parseData(fs.readFileSync("groups.usda", "utf8")).specsByPath;
const field = (specs, path) => specs[path].fields;
const names = field(groups, "/hair.primvars:groom_group_name").default;
if (names.length !== 2 || names[1] !== "back") throw new Error("names " + names);
const indices = field(groups, "/hair.primvars:groom_group_name:indices").default;
if (indices.join() !== "0,1,0") throw new Error("indices " + indices);
// Its reader of layouts before 0.4.0 differs from that of OpenUSD (fields of 16 bytes).
const files = fs.readdirSync("crates").filter(
  (name) => name.endsWith(".usdc") && fs.readFileSync("crates/" + name)[9] >= 4);
let checked = 0;
for (const name of files) {
  const bytes = fs.readFileSync("crates/" + name);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const specs = new USDCParser().parseData(buffer).specsByPath;
  if (field(specs, "/").documentation !== "Maker 1") continue; // of the writer, compared above
  ++checked;
  const hair = field(specs, "/head/hair.points").timeSamples.values[0];
  const counts = field(specs, "/head/hair.curveVertexCounts").default;
  const text = fs.readFileSync("crates/" + name.replace(".usdc", ".ply"), "latin1");
  if (!text.includes(`element vertex ${hair.length / 3}\n`)) throw new Error(name + " points");
  if (counts.length !== 2 || counts[0] + counts[1] !== hair.length / 3) throw new Error(name + " counts");
}
if (checked < 1) throw new Error("no crate was checked");
END
    node crates.mjs "$three" >parsed 2>&1 || failed "three.js, crates: $(tail -n 3 parsed)"
else
    echo "skipped: three.js is not installed, its USD parser did not read the files"
fi
finish
