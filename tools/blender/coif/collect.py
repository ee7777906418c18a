# Collects bodies, guides, camera and lights of the Blender scene and writes a coif scene with its files.
import json
import math
import os
from array import array

import bpy
from mathutils import Vector

from . import formats, scene_file
from .formats import Error
from .scene_file import number, y_up


def folder_of(scene):
    folder = bpy.path.abspath(scene.coif.folder)
    if folder.startswith("//"):
        raise Error("Save the .blend file, or choose an absolute output folder")
    return os.path.normpath(folder)


def bodies_of(scene):
    """Objects with the role of a body and their names in the coif scene."""
    names = {}
    for thing in scene.objects:
        if thing.type == "MESH" and thing.coif.body:
            names[thing] = scene_file.file_name(thing.name, names.values())
    return names


def hairs_of(scene):
    """Bodies with hair and the name of the groom of each."""
    return {body: name + "_hair" for body, name in bodies_of(scene).items() if body.coif.hair}


def write_mesh(thing, depsgraph, scale, path):
    """The evaluated mesh in world space; returns the face sizes, which must not change over time."""
    evaluated = thing.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        mesh.transform(evaluated.matrix_world)
        flip = -1 if evaluated.matrix_world.determinant() < 0 else 1
        positions = [x for vertex in mesh.vertices for x in y_up(vertex.co, scale)]
        faces = [list(polygon.vertices)[::flip] for polygon in mesh.polygons]
        uvs = None
        if mesh.uv_layers.active:
            uvs = [x for polygon in mesh.polygons for loop in list(polygon.loop_indices)[::flip]
                   for x in mesh.uv_layers.active.data[loop].uv]
        if not faces:
            raise Error("%s has no faces" % thing.name)
        formats.write_obj(path, positions, faces, uvs)
        return faces
    finally:
        evaluated.to_mesh_clear()


def write_group(thing, depsgraph, name, size, path):
    """A vertex group as an image over the UVs."""
    evaluated = thing.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        group, layer = thing.vertex_groups.get(name), mesh.uv_layers.active
        if group is None:
            raise Error("%s has no vertex group '%s'" % (thing.name, name))
        if layer is None:
            raise Error("%s has no UV map, which a density needs" % thing.name)
        weights = [sum(g.weight for g in vertex.groups if g.group == group.index) for vertex in mesh.vertices]
        mesh.calc_loop_triangles()
        triangles = [[(*layer.data[loop].uv, weights[mesh.loops[loop].vertex_index]) for loop in triangle.loops]
                     for triangle in mesh.loop_triangles]
        formats.write_png(path, size, size, formats.rasterise(triangles, size))
    finally:
        evaluated.to_mesh_clear()


def write_image(image, path):
    """The first channel of an image, as it is stored, without colour transform."""
    width, height = image.size
    if width == 0 or image.source == "TILED":
        raise Error("Image %s has no pixels, or has UDIM tiles" % image.name)
    pixels = array("f", bytes(4 * width * height * image.channels))
    image.pixels.foreach_get(pixels)
    rows = [pixels[y * width * image.channels:(y + 1) * width * image.channels:image.channels] for y in range(height)]
    values = bytes(round(255 * min(max(x, 0.0), 1.0)) for row in reversed(rows) for x in row)
    formats.write_png(path, width, height, values)


def polylines_of_curve(thing):
    """Points of a curve object without its bevel, extrusion and modifiers."""
    data = thing.data.copy()
    data.bevel_depth = data.extrude = data.offset = 0
    data.bevel_object = data.taper_object = None
    data.bevel_mode = "ROUND"
    copy = bpy.data.objects.new("coif", data)
    try:
        mesh = copy.to_mesh()
        joined = {edge.vertices[0] for edge in mesh.edges if edge.vertices[1] == edge.vertices[0] + 1}
        strands, strand = [], []
        for vertex in mesh.vertices:
            strand.append(vertex.co.copy())
            if vertex.index not in joined:
                strands.append(strand)
                strand = []
        copy.to_mesh_clear()
        return strands
    finally:
        bpy.data.objects.remove(copy)
        bpy.data.curves.remove(data)


def guides_of(thing, depsgraph, scale):
    """Curves of a curve object, hair curves, or particle hair in world space, root first."""
    evaluated = thing.evaluated_get(depsgraph)
    if thing.type == "CURVE":
        strands = polylines_of_curve(thing)
    elif thing.type == "CURVES":
        points = [Vector(point.position) for point in thing.data.points]
        strands = [points[curve.first_point_index:curve.first_point_index + curve.points_length]
                   for curve in thing.data.curves]
    else:
        strands = [[key.co_object(evaluated, modifier, particle) for key in particle.hair_keys]
                   for modifier in evaluated.modifiers if modifier.type == "PARTICLE_SYSTEM"
                   and modifier.particle_system.settings.type == "HAIR"
                   for particle in modifier.particle_system.particles]
    strands = [[y_up(evaluated.matrix_world @ point, scale) for point in strand]
               for strand in strands if len(strand) > 1]
    if not strands:
        raise Error("%s has no curves or particle hair for guides" % thing.name)
    return strands


def surface(thing):
    """Base colour and roughness of the first material."""
    material = thing.active_material
    if material is None:
        return {}
    color, roughness = material.diffuse_color, material.roughness
    for node in material.node_tree.nodes if material.use_nodes else ():
        if node.type == "BSDF_PRINCIPLED":
            color, roughness = node.inputs["Base Color"].default_value, node.inputs["Roughness"].default_value
    return {"material": {"color": [number(x) for x in color[:3]], "roughness": number(roughness)}}


def aim(matrix, scale, distance):
    """Position and a point in front of a camera or lamp, which looks along its -z axis."""
    position = matrix.translation
    forward = -matrix.to_3x3().col[2].normalized()
    return {"position": y_up(position, scale), "look_at": y_up(position + forward * distance, scale)}


def camera_values(camera, depsgraph, render, scale):
    evaluated = camera.evaluated_get(depsgraph)
    data, matrix = evaluated.data, evaluated.matrix_world
    dof = data.dof
    focus = dof.focus_distance
    if dof.use_dof and dof.focus_object:
        focus = abs((matrix.inverted() @ dof.focus_object.evaluated_get(depsgraph).matrix_world.translation).z)
    values = aim(matrix, scale, focus if dof.use_dof and focus > 0 else 1 / scale)
    values["up"] = y_up(matrix.to_3x3().col[1].normalized())
    width, height = render.resolution_x, render.resolution_y
    if data.type == "ORTHO":
        wide = data.sensor_fit == "HORIZONTAL" or (data.sensor_fit == "AUTO" and width >= height)
        values["projection"] = "orthographic"
        values["ortho_height"] = number(data.ortho_scale * scale * (height / width if wide else 1))
        return values
    if data.type != "PERSP":
        raise Error("Camera %s is panoramic; coif has perspective and orthographic cameras" % camera.name)
    values["focal_length"] = number(data.lens)
    values.update(scene_file.film(width, height, data.sensor_fit, number(data.sensor_width), number(data.sensor_height),
                                  data.shift_x, data.shift_y))
    if dof.use_dof:
        values["f_stop"] = number(dof.aperture_fstop)
    return values


def light_values(lamp, depsgraph, scale):
    evaluated = lamp.evaluated_get(depsgraph)
    data, matrix = evaluated.data, evaluated.matrix_world
    values = aim(matrix, scale, 1 / scale)
    values["color"] = [number(x) for x in data.color]
    area = 1.0
    if data.type == "AREA":
        size = matrix.to_scale()
        width = data.size * size.x * scale
        height = (data.size_y if data.shape in {"RECTANGLE", "ELLIPSE"} else data.size) * size.y * scale
        if data.shape in {"SQUARE", "RECTANGLE"}:
            area = width * height
            values.update(type="rectangle", width=number(width), height=number(height))
        else:
            area = math.pi * width * height / 4
            values.update(type="disk", radius=number(math.sqrt(width * height) / 2))
    elif data.type == "SUN":
        values.update(type="distant", angular_diameter=number(min(max(math.degrees(data.angle), 0.05), 170)))
    elif data.type == "SPOT":
        values.update(type="spot", cone_angle=number(min(math.degrees(data.spot_size), 179)),
                      penumbra=scene_file.penumbra(data.spot_size, data.spot_blend),
                      source_radius=number(data.shadow_soft_size * scale))
    else:
        values.update(type="point", source_radius=number(data.shadow_soft_size * scale))
        del values["look_at"]
    values["intensity"] = scene_file.light_intensity(data.type, data.energy, area)
    return values


def world_light(world):
    """The uniform background of the world."""
    color, strength = (world.color, 1.0) if world else ((0, 0, 0), 0.0)
    for node in world.node_tree.nodes if world and world.use_nodes else ():
        if node.type == "BACKGROUND":
            color, strength = node.inputs["Color"].default_value, node.inputs["Strength"].default_value
    if strength <= 0 or max(color[:3]) <= 0:
        return []
    return [{"name": "world", "type": "environment", "color": [number(x) for x in color[:3]],
             "intensity": number(strength), "visible": True}]


def groom_of(thing, name, depsgraph, folder, scale):
    hair = thing.coif
    groom = {"name": name, "body": name[:-len("_hair")], "count": hair.count, "points": hair.points,
             "radius": number(hair.radius * 0.001), "clearance": 0.0005}
    if hair.guides:
        path = name + "_guides.hair"
        formats.write_hair(os.path.join(folder, path), guides_of(hair.guides, depsgraph, scale))
        groom["guides"] = path
    else:
        groom["length"] = number(hair.length * scale)
    if hair.density != "NONE":
        path = name + "_density.png"
        if hair.density == "GROUP":
            write_group(thing, depsgraph, hair.vertex_group, hair.map_size, os.path.join(folder, path))
        elif hair.image is None:
            raise Error("%s: no image is chosen for the density" % thing.name)
        else:
            write_image(hair.image, os.path.join(folder, path))
        groom["density"] = {"texture": path}
    return groom


def settings_of(scene):
    text = scene.coif.settings
    if text is None or not text.as_string().strip():
        return {}
    try:
        settings = json.loads(text.as_string())
        if not isinstance(settings, dict):
            raise ValueError("expected a JSON object")
        return settings
    except ValueError as error:
        raise Error("Text %s: %s" % (text.name, error)) from error


def export(context):
    """Writes scene.json and its files; returns the path of the scene."""
    scene, bodies = context.scene, bodies_of(context.scene)
    hairs, folder = hairs_of(scene), folder_of(scene)
    first, last, scale = scene.frame_start, scene.frame_end, scene.unit_settings.scale_length
    if not hairs:
        raise Error("No mesh grows hair: select a mesh and turn on Body and Hair in its coif panel")
    if first < 0:
        raise Error("Frame %d: coif has no negative frames" % first)
    if scene.camera is None:
        raise Error("The scene has no camera")
    os.makedirs(folder, exist_ok=True)
    settings, current = settings_of(scene), (scene.frame_current, scene.frame_subframe)
    lamps = [thing for thing in scene.objects if thing.type == "LIGHT" and not thing.hide_render]
    faces, grooms, cameras, lights = {}, [], {}, {lamp: {} for lamp in lamps}
    try:
        for frame in range(first, last + 1):
            scene.frame_set(frame)
            depsgraph = context.evaluated_depsgraph_get()
            for thing, name in bodies.items():
                if frame == first or thing.coif.animated:
                    path = name + (".%04d.obj" % frame if thing.coif.animated else ".obj")
                    found = write_mesh(thing, depsgraph, scale, os.path.join(folder, path))
                    if faces.setdefault(thing, found) != found:
                        raise Error("%s: the faces change at frame %d; turn off modifiers that change them"
                                          % (thing.name, frame))
            if frame == first:
                grooms = [groom_of(thing, name, depsgraph, folder, scale) for thing, name in hairs.items()]
            cameras[frame] = camera_values(scene.camera, depsgraph, scene.render, scale)
            for lamp in lamps:
                lights[lamp][frame] = light_values(lamp, depsgraph, scale)
    finally:
        scene.frame_set(current[0], subframe=current[1])
    names = []
    for lamp in lamps:
        names.append(scene_file.file_name(lamp.name, names))
    result = {
        "coif": 1,
        "bodies": [{"name": name, "mesh": name + (".####.obj" if thing.coif.animated else ".obj"), **surface(thing),
                    "collide": thing.coif.collide, "visible": not thing.hide_render} for thing, name in bodies.items()],
        "grooms": grooms,
        "sim": {"fps": number(scene.render.fps / scene.render.fps_base), "first_frame": first, "last_frame": last},
        "camera": scene_file.keyed(cameras),
        "lights": [{"name": name, **scene_file.keyed(lights[lamp])} for name, lamp in zip(names, lamps)]
        + world_light(scene.world),
        "image": {"width": scene.render.resolution_x * scene.render.resolution_percentage // 100,
                  "height": scene.render.resolution_y * scene.render.resolution_percentage // 100,
                  "samples": scene.coif.samples, "film_transparent": scene.render.film_transparent},
    }
    path = os.path.join(folder, "scene.json")
    scene_file.write(path, scene_file.merge(result, settings))
    return path
