#!/usr/bin/env bash
# Bodies of PLY and GLB files: hair grows on them as on the OBJ file, and coif info lists them.
source "$(dirname -- "$0")/cli.sh"

# The ball as PLY, and as GLB below a node that moves it.
python3 - "$source_folder/scenes/assets/ball.obj" <<'END'
import json, struct, sys
vertices, faces, group, groups = [], [], None, []
for line in open(sys.argv[1]):
    words = line.split()
    if words[:1] == ["v"]:
        vertices.append([float(w) for w in words[1:4]])
    elif words[:1] in (["g"], ["o"]):
        group = words[1]
    elif words[:1] == ["f"]:
        corners = [int(w.split("/")[0]) - 1 for w in words[1:]]
        faces.append(corners)
        groups.append(group)
with open("ball.ply", "wb") as ply:
    ply.write(f"ply\nformat binary_big_endian 1.0\nelement vertex {len(vertices)}\nproperty float x\n"
              f"property float y\nproperty float z\nelement face {len(faces)}\n"
              "property list uchar int vertex_index\nend_header\n".encode())
    for vertex in vertices:
        ply.write(struct.pack(">3f", *vertex))
    for face in faces:
        ply.write(struct.pack(f">B{len(face)}i", len(face), *face))
buffer = b"".join(struct.pack("<3f", *vertex) for vertex in vertices)
document = {"asset": {"version": "2.0", "generator": "test 1.0"}, "materials": [], "accessors": [
    {"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": len(buffer)}],
    "nodes": [{"name": "ball", "mesh": 0}], "meshes": [{"primitives": []}],
    "animations": [{"channels": [], "samplers": []}]}
for name in dict.fromkeys(groups):
    indices = [i for face, g in zip(faces, groups) if g == name
               for k in range(1, len(face) - 1) for i in (face[0], face[k], face[k + 1])]
    data = struct.pack(f"<{len(indices)}I", *indices)
    document["bufferViews"].append({"buffer": 0, "byteOffset": len(buffer), "byteLength": len(data)})
    document["accessors"].append({"bufferView": len(document["bufferViews"]) - 1,
                                  "componentType": 5125, "count": len(indices), "type": "SCALAR"})
    document["meshes"][0]["primitives"].append({"attributes": {"POSITION": 0}, "material": len(document["materials"]),
                                                "indices": len(document["accessors"]) - 1})
    document["materials"].append({"name": name})
    buffer += data
document["buffers"] = [{"byteLength": len(buffer)}]
text = json.dumps(document).encode()
text += b" " * (-len(text) % 4)
open("ball.glb", "wb").write(struct.pack("<4s4I4s", b"glTF", 2, 28 + len(text) + len(buffer), len(text), 0x4E4F534A, b"")[:20]
                             + text + struct.pack("<2I", len(buffer), 0x004E4942) + buffer)
END

expect 0 info ball.ply && prints "/mesh"
expect 0 info ball.glb && prints "/ball" && prints "GLB 2.0"
says "animation of GLB is not supported; export Alembic"
expect 0 groom "$tiny" --out obj
expect 0 groom "$tiny" --out glb --set bodies/0/mesh="$PWD/ball.glb"
expect 0 groom "$tiny" --out ply --set bodies/0/mesh="$PWD/ball.ply" --set grooms/hair/group=
for format in obj glb ply; do
    expect 0 info $format/hair.groom
    grep -E '^  (strands|points) ' printed >$format.counts
done
cmp obj.counts glb.counts || failed "hair on GLB differs: $(cat glb.counts)"
[ -s ply.counts ] || failed "no hair on PLY"
head -c 400 ball.glb >torn.glb
expect 4 groom "$tiny" --out torn --set bodies/0/mesh="$PWD/torn.glb"
says "torn.glb: the JSON chunk ends after byte 400"
finish
