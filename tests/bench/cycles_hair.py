"""Blender's Cycles renders one of the settings of `coif bench render`, for versus_cycles.

  blender -b --factory-startup -P cycles_hair.py -- --hair F.hair --setting dark
      {--out o.exr [--spp 16] [--seed 0] | --serve} [--sky sky.exr] [--size 128] [--bounces 12]
      [--threads 1] [--half]

The strands are those `coif bench render --hair` writes, the numbers those of
render/bench/hairball_scene.c. Made for Blender 3.4 and 5.2. Everything that trades accuracy for
speed (denoising, adaptive sampling, clamping, filtered glossy, light threshold)
is off. After each image a line "RESULT {json}" is printed. With --serve images are those
requested on standard input, lines of "samples seed file", and the scene stays built.
"""
import argparse
import array
import json
import math
import os
import struct
import sys
import time

import bpy
from mathutils import Vector

# Shape and width in pixels; coif's own filters of these names are the same.
FILTERS = {"box": ("BOX", 1.0), "blackman": ("BLACKMAN_HARRIS", 1.5)}

# Lengths are in the units of the file, light is linear radiance, y is up.
EUMELANIN = (0.419, 0.697, 1.37)
SETTINGS = {
    "dark": {"eumelanin": 1.3, "lamp": (3.0, 4.0, 3.0), "sky": 0.4},
    "blond": {"eumelanin": 0.25, "lamp": (-1.5, 3.0, -4.0), "sky": 0.1},
    "fur": {"eumelanin": 0.005, "lamp": None, "sky": None},
}
LAMP_AT, LAMP_SIDE, LAMP_RADIANCE = (0.0, 0.3, 0.0), 1.2, 120.0
CAMERA_FROM, CAMERA_AT, CAMERA_FOV = (0.0, 1.2, 6.0), (0.0, 0.1, 0.0), 32.0
SCALP_RADIUS, SCALP_COLOR = 0.995, (0.35, 0.25, 0.2, 1.0)


def z_up(p):
    return (p[0], -p[2], p[1])


def read_hair(path):
    """Segments of each strand, positions, diameters."""
    with open(path, "rb") as f:
        magic, strands, points, flags, segments, thickness = struct.unpack("<4sIIIIf", f.read(24))
        f.seek(128)
        if magic != b"HAIR" or not flags & 2:
            raise SystemExit(f"{path}: not a .hair file with points")

        def read(code, n):
            a = array.array(code)
            a.fromfile(f, n)
            return a

        each = read("H", strands) if flags & 1 else array.array("H", [segments]) * strands
        positions = read("f", 3 * points)
        thick = read("f", points) if flags & 4 else array.array("f", [thickness]) * points
    for i in range(0, len(positions), 3):
        positions[i + 1], positions[i + 2] = -positions[i + 2], positions[i + 1]
    return each, positions, thick


def make_curves(each, positions, thick):
    """Blender 3.4 cannot fill hair curves from Python, so the strands go in as
    edges of a mesh, and geometry nodes turn those into curves."""
    edges, v = array.array("i"), 0
    for n in each:
        for j in range(v, v + n):
            edges.append(j)
            edges.append(j + 1)
        v += n + 1
    mesh = bpy.data.meshes.new("strands")
    mesh.vertices.add(len(thick))
    mesh.vertices.foreach_set("co", positions)
    mesh.edges.add(len(edges) // 2)
    mesh.edges.foreach_set("vertices", edges)
    radii = array.array("f", (0.5 * t for t in thick))
    mesh.attributes.new("radius", "FLOAT", "POINT").data.foreach_set("value", radii)
    source = bpy.data.objects.new("strands", mesh)

    tree = bpy.data.node_groups.new("to_curves", "GeometryNodeTree")
    if hasattr(tree, "interface"):  # Blender 4.0
        tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        tree.inputs.new("NodeSocketGeometry", "Geometry")
        tree.outputs.new("NodeSocketGeometry", "Geometry")
    info = tree.nodes.new("GeometryNodeObjectInfo")
    info.inputs["Object"].default_value = source
    to_curve = tree.nodes.new("GeometryNodeMeshToCurve")
    out = tree.nodes.new("NodeGroupOutput")
    tree.links.new(info.outputs["Geometry"], to_curve.inputs["Mesh"])
    tree.links.new(to_curve.outputs["Curve"], out.inputs[0])

    hair = bpy.data.objects.new("hair", bpy.data.hair_curves.new("hair"))
    bpy.context.scene.collection.objects.link(hair)
    modifier = hair.modifiers.new("to_curves", "NODES")
    modifier.node_group = tree
    bpy.context.view_layer.objects.active = hair
    bpy.ops.object.modifier_apply(modifier=modifier.name)
    bpy.data.objects.remove(source)
    if len(hair.data.curves) != len(each) or len(hair.data.points) != len(thick):
        raise SystemExit("strands were lost in the import into Blender")
    return hair


def new_material(name, kind):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    bsdf = nodes.new(kind)
    out = nodes.new("ShaderNodeOutputMaterial")
    material.node_tree.links.new(bsdf.outputs[0], out.inputs["Surface"])
    return material, bsdf


def hair_material(eumelanin):
    material, bsdf = new_material("hair", "ShaderNodeBsdfHairPrincipled")
    bsdf.parametrization = "ABSORPTION"
    for key, value in (("Absorption Coefficient", [eumelanin * c for c in EUMELANIN]),
                       ("Roughness", 0.3), ("Radial Roughness", 0.3), ("Coat", 0.0), ("IOR", 1.55),
                       # Cycles turned its sign until it was changed, see docs/guide/rendering.md
                       ("Offset", math.radians(-2.0 if bpy.app.version < (5, 0, 0) else 2.0)), ("Random Color", 0.0),
                       ("Random Roughness", 0.0)):
        if key in bsdf.inputs:  # Blender 5 has no randomness here
            bsdf.inputs[key].default_value = value
    return material


def aim(thing, position, look_at):
    position, look_at = Vector(z_up(position)), Vector(z_up(look_at))
    thing.location = position
    thing.rotation_euler = (look_at - position).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(thing)


def add_lamp(position):
    lamp = bpy.data.lights.new("lamp", "AREA")
    lamp.shape, lamp.size = "SQUARE", LAMP_SIDE
    lamp.energy = 4.0 * LAMP_SIDE ** 2 * LAMP_RADIANCE  # watts; 4 is Blender's convention
    lamp.cycles.max_bounces = 1024
    thing = bpy.data.objects.new("lamp", lamp)
    aim(thing, position, LAMP_AT)
    thing.visible_camera = False


def add_sky(grey, path):
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    background = nodes["Background"]
    background.inputs["Strength"].default_value = 1.0
    if grey is not None:
        background.inputs["Color"].default_value = (grey, grey, grey, 1.0)
    else:
        picture = nodes.new("ShaderNodeTexEnvironment")
        picture.image = bpy.data.images.load(os.path.abspath(path))
        picture.image.colorspace_settings.is_data = True
        turn = nodes.new("ShaderNodeMapping")
        turn.inputs["Rotation"].default_value = (0.0, 0.0, -0.5 * math.pi)
        coordinates = nodes.new("ShaderNodeTexCoord")
        links.new(coordinates.outputs["Generated"], turn.inputs["Vector"])
        links.new(turn.outputs["Vector"], picture.inputs["Vector"])
        links.new(picture.outputs["Color"], background.inputs["Color"])
    bpy.context.scene.world = world


def add_scalp(rings=64, sides=128):
    verts, faces = [(0.0, 0.0, SCALP_RADIUS)], []
    for i in range(1, rings):
        down = math.pi * i / rings
        for j in range(sides):
            turn = 2.0 * math.pi * j / sides
            verts.append(tuple(SCALP_RADIUS * c for c in (
                math.sin(down) * math.cos(turn), math.sin(down) * math.sin(turn), math.cos(down))))
    verts.append((0.0, 0.0, -SCALP_RADIUS))
    last = len(verts) - 1
    for j in range(sides):
        k = (j + 1) % sides
        faces.append((0, 1 + j, 1 + k))
        for i in range(rings - 2):
            p, q = 1 + i * sides, 1 + (i + 1) * sides
            faces.append((p + j, q + j, q + k, p + k))
        faces.append((last - sides + j, last, last - sides + k))
    mesh = bpy.data.meshes.new("scalp")
    mesh.from_pydata(verts, [], faces)
    for polygon in mesh.polygons:
        polygon.use_smooth = True
    material, bsdf = new_material("scalp", "ShaderNodeBsdfDiffuse")
    bsdf.inputs["Color"].default_value = SCALP_COLOR
    mesh.materials.append(material)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("scalp", mesh))


def set_up(a):
    scene = bpy.context.scene
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.angle = "VERTICAL", math.radians(CAMERA_FOV)
    thing = bpy.data.objects.new("camera", camera)
    aim(thing, CAMERA_FROM, CAMERA_AT)
    scene.camera = thing

    r, c = scene.render, scene.cycles
    r.engine, c.device = "CYCLES", "CPU"
    r.threads_mode, r.threads = "FIXED", a.threads
    r.resolution_x = r.resolution_y = a.size
    r.resolution_percentage = 100
    r.use_compositing = r.use_sequencer = False
    c.use_adaptive_sampling = c.use_denoising = c.use_fast_gi = False
    for name in ("max_bounces", "diffuse_bounces", "glossy_bounces", "transmission_bounces"):
        setattr(c, name, a.bounces)
    c.sample_clamp_direct = c.sample_clamp_indirect = 0.0
    c.blur_glossy = c.light_sampling_threshold = 0.0
    c.pixel_filter_type, c.filter_width = FILTERS[a.filter]
    scene.cycles_curves.shape = "THICK"

    form = r.image_settings
    form.file_format, form.color_mode, form.exr_codec = "OPEN_EXR", "RGB", "ZIP"
    form.color_depth = "16" if a.half else "32"
    r.use_file_extension = False


def trace(spp, seed, out):
    """One picture. Its processor seconds count whatever is not built yet."""
    scene = bpy.context.scene
    scene.cycles.samples, scene.cycles.seed = spp, seed
    scene.render.filepath = os.path.abspath(out)
    cpu = time.process_time()
    bpy.ops.render.render(write_still=True)
    cpu = time.process_time() - cpu
    print("RESULT " + json.dumps({"spp": spp, "seed": seed, "cpu_s": round(cpu, 4),
                                  "blender": bpy.app.version_string}), flush=True)


def main():
    p = argparse.ArgumentParser(prog="cycles_hair.py")
    p.add_argument("--hair", required=True)
    what = p.add_mutually_exclusive_group(required=True)
    what.add_argument("--out")
    what.add_argument("--serve", action="store_true")
    p.add_argument("--setting", choices=SETTINGS, default="dark")
    p.add_argument("--sky")
    p.add_argument("--spp", type=int, default=16)
    p.add_argument("--size", type=int, default=128)
    p.add_argument("--bounces", type=int, default=12)
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--filter", choices=FILTERS, default="box")
    p.add_argument("--half", action="store_true")
    a = p.parse_args(sys.argv[sys.argv.index("--") + 1:])
    setting = SETTINGS[a.setting]

    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    hair = make_curves(*read_hair(a.hair))
    hair.data.materials.append(hair_material(setting["eumelanin"]))
    add_scalp()
    if setting["lamp"]:
        add_lamp(setting["lamp"])
    add_sky(setting["sky"], a.sky)
    set_up(a)

    if a.out:
        trace(a.spp, a.seed, a.out)
        return
    bpy.context.scene.render.use_persistent_data = True
    for line in sys.stdin:
        spp, seed, out = line.split(maxsplit=2)
        trace(int(spp), int(seed), out.strip())



try:
    main()
except BaseException as e:  # Blender would go on and exit with 0
    if isinstance(e, SystemExit) and e.code in (None, 0):
        sys.exit(0)
    import traceback
    traceback.print_exc()
    sys.exit(1)
