# The add-on inside Blender: blender -b --factory-startup --python addon_test.py -- ADD-ON.zip PROGRAM
# Groom, three simulated frames and an image of a moving sphere; the hair comes back and follows the frame.
import json
import math
import os
import subprocess
import sys
import traceback
from array import array

import bpy

addon, coif = sys.argv[sys.argv.index("--") + 1:]


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def positions(thing):
    thing = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    flat = array("f", bytes(12 * len(thing.data.points)))
    thing.data.attributes["position"].data.foreach_get("vector", flat)
    return flat


def describe(path):
    info = subprocess.run([coif, "info", "--json", path], capture_output=True, text=True, check=True)
    return json.loads(info.stdout)[0]


def build():
    bpy.ops.preferences.addon_install(filepath=addon)
    bpy.ops.preferences.addon_enable(module="coif")
    bpy.context.preferences.addons["coif"].preferences.program = coif
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 3
    scene.render.resolution_x, scene.render.resolution_y = 64, 48

    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1, segments=32, ring_count=16)
    ball = bpy.context.object
    ball.name = "Ball.1"
    ball.rotation_euler = (0, 0, 0)
    ball.keyframe_insert("rotation_euler", frame=1)
    ball.rotation_euler = (0, 0, 0.6)
    ball.keyframe_insert("rotation_euler", frame=3)
    top = ball.vertex_groups.new(name="top")
    top.add([v.index for v in ball.data.vertices if v.co.z > 0.03], 1.0, "REPLACE")

    data = bpy.data.curves.new("guides", "CURVE")
    data.dimensions, data.bevel_depth = "3D", 0.001
    for i in range(6):
        around = (math.cos(i * math.pi / 3), math.sin(i * math.pi / 3))
        spline = data.splines.new("POLY")
        spline.points.add(3)
        for j, point in enumerate(spline.points):
            r = 0.06 + 0.02 * j
            point.co = (r * around[0], r * around[1], 0.08 + 0.02 * j, 1)
    guides = bpy.data.objects.new("guides", data)
    scene.collection.objects.link(guides)

    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location, camera.rotation_euler = (0, -0.8, 0.1), (math.pi / 2, 0, 0)
    camera.keyframe_insert("location", frame=1)
    camera.location.x = 0.05
    camera.keyframe_insert("location", frame=3)
    scene.collection.objects.link(camera)
    scene.camera = camera
    for i, kind in enumerate(("AREA", "SUN", "POINT", "SPOT")):
        lamp = bpy.data.objects.new("lamp " + kind, bpy.data.lights.new(kind, kind))
        lamp.location, lamp.data.energy = (0.5 * i - 1, -1, 1), 2
        lamp.rotation_euler = (0.7, 0, 0)
        scene.collection.objects.link(lamp)

    ball.coif.body = ball.coif.hair = ball.coif.animated = True
    ball.coif.count, ball.coif.points = 400, 8
    ball.coif.density, ball.coif.vertex_group, ball.coif.map_size = "GROUP", "top", 128
    ball.coif.guides = guides
    scene.coif.folder = os.path.join(os.getcwd(), "shot")
    scene.coif.samples = 4
    scene.coif.settings = bpy.data.texts.new("settings")
    scene.coif.settings.write('{"sim": {"substeps": 4}}')
    return scene, ball, camera


def fails(operator, text):
    try:
        operator()
    except RuntimeError as error:
        check(text in str(error), str(error))
        return
    check(False, "no error: " + text)


def test():
    scene, ball, camera = build()
    check(bpy.ops.coif.export() == {"FINISHED"}, "the scene is not sent")
    with open("shot/scene.json", encoding="utf-8") as file:
        written = json.load(file)
    check(written["sim"]["substeps"] == 4 and written["sim"]["last_frame"] == 3, "settings are not merged")
    check(written["camera"]["position"]["keys"][0] == [1, [0, 0.1, 0.8]], "the camera is not y up")
    check([light["type"] for light in written["lights"][:4]] == ["rectangle", "distant", "point", "spot"], "lights")
    for frame in (1, 2, 3):
        check(os.path.exists("shot/Ball_1.%04d.obj" % frame), "a mesh of the sequence is missing")
    lint = subprocess.run([coif, "lint", "shot/scene.json"], capture_output=True, text=True, check=False)
    check(lint.returncode == 0, "lint: " + lint.stderr)
    print(lint.stderr)

    check(bpy.ops.coif.run(task="GROOM") == {"FINISHED"}, "groom")
    check(os.path.exists("shot/out/Ball_1_hair.groom"), "no groom")
    check(bpy.ops.coif.run(task="SIM") == {"FINISHED"}, "simulation")
    hair = scene.objects["Ball_1_hair"]
    check(hair.type == "CURVES", "the hair is not an object of hair curves")
    groom = describe("shot/strands/Ball_1_hair.0001.ply")
    check(groom["strands"] > 100, "%d strands" % groom["strands"])
    check(len(hair.data.curves) == groom["strands"], "wrong number of curves")
    check(len(hair.data.points) == groom["points"] == 8 * groom["strands"], "wrong number of points")

    # Roots are on the upper part of the sphere, and turn with it.
    roots = {}
    for frame in (1, 2, 3, 1):
        scene.frame_set(frame)
        flat = positions(hair)
        first = [tuple(flat[24 * i:24 * i + 3]) for i in range(len(hair.data.curves))]
        for root in first:
            check(abs(math.dist(root, (0, 0, 0)) - 0.1) < 0.003, "a root is not on the sphere: %s" % (root,))
            check(root[2] > 0.01, "a root is outside the vertex group: %s" % (root,))
        if frame in roots:
            check(roots[frame] == first, "frame 1 does not come back")
        roots[frame] = first
    turn = 0.6
    for (x, y, z), moved in zip(roots[1], roots[3]):
        expected = (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn), z)
        check(math.dist(expected, moved) < 1e-4, "a root does not turn with the sphere")
    radii = array("f", bytes(4 * len(hair.data.points)))
    hair.data.attributes["radius"].data.foreach_get("value", radii)
    check(abs(radii[0] - 4e-5) < 1e-8, "the radius is %g" % radii[0])

    data = hair.data
    check(bpy.ops.coif.load() == {"FINISHED"} and hair.data == data, "loading again rebuilds the curves")
    check(bpy.ops.coif.run(task="RENDER") == {"FINISHED"}, "render")
    check(os.path.exists("shot/render/render0003.png"), "no image")

    # Another number of strands replaces the curves and keeps the object; colours become an attribute.
    ball.coif.count = 200
    check(bpy.ops.coif.run(task="SIM") == {"FINISHED"}, "second simulation")
    fewer = describe("shot/strands/Ball_1_hair.0001.ply")["strands"]
    check(fewer < groom["strands"] and len(hair.data.curves) == fewer, "the curves are not replaced")
    check(sum(thing.type == "CURVES" for thing in scene.objects) == 1, "the hair is there twice")
    from coif import caches, formats
    strands = formats.read_ply("shot/strands/Ball_1_hair.0002.ply")
    strands.colors = array("f", [0.25, 0.5, 0.75] * (8 * fewer))
    check(caches.set_points(hair.data, strands, 1.0), "colours are not taken")
    check(tuple(hair.data.attributes["color"].data[5].color) == (0.25, 0.5, 0.75, 1.0), "another colour")

    # Hair curves and particle hair as guides, an image as density, a static body.
    ball.coif.guides, ball.coif.animated = hair, False
    image = bpy.data.images.new("mask", 8, 8)
    image.pixels.foreach_set(array("f", [1.0] * 256))
    ball.coif.density, ball.coif.image = "IMAGE", image
    scene.coif.folder = os.path.join(os.getcwd(), "second")
    check(bpy.ops.coif.run(task="GROOM") == {"FINISHED"}, "hair curves as guides")
    check(os.path.exists("second/Ball_1.obj"), "no static body")
    ball.modifiers.new("fur", "PARTICLE_SYSTEM")
    fur = ball.particle_systems[0].settings
    fur.type, fur.count, fur.hair_length = "HAIR", 20, 0.05
    ball.coif.guides = ball
    check(bpy.ops.coif.run(task="GROOM") == {"FINISHED"}, "particle hair as guides")
    with open("second/Ball_1_hair_guides.hair", "rb") as file:
        header = file.read(12)
    check(header[:4] == b"HAIR" and int.from_bytes(header[4:8], "little") == 20, "particle hair: other count")

    # Errors are reported, not raised as tracebacks.
    ball.coif.density, ball.coif.vertex_group = "GROUP", "none"
    fails(bpy.ops.coif.export, "no vertex group 'none'")
    ball.coif.vertex_group = "top"
    scene.coif.settings.write('{"sim": {')
    fails(bpy.ops.coif.export, "Text settings: ")
    scene.coif.settings.clear()
    bpy.context.preferences.addons["coif"].preferences.program = "./missing"
    fails(bpy.ops.coif.run, "the path is in the preferences")
    bpy.ops.preferences.addon_disable(module="coif")
    check(not hasattr(bpy.types.Scene, "coif"), "the add-on leaves its settings")


try:
    test()
    print("ADD-ON OK")
except Exception:  # Blender would print it and exit with 0
    traceback.print_exc()
    sys.exit(1)
