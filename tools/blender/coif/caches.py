# Strand caches of coif as hair curves, whose points follow the current frame.
import os

import bpy
from bpy.app.handlers import persistent

from . import formats
from .scene_file import z_up

KEY = "coif_cache"  # custom property of the object: file name with #### for the frame


def frame_path(pattern, frame):
    return bpy.path.abspath(pattern).replace("####", "%04d" % frame)


def attribute(curves, name, kind):
    return curves.attributes.get(name) or curves.attributes.new(name, kind, "POINT")


def set_points(curves, strands, scale):
    """Moves the points of existing hair curves; False if the counts differ."""
    if len(curves.points) != len(strands.positions) // 3 or len(curves.curves) != len(strands.lengths):
        return False
    points = curves.attributes["position"].data
    points.foreach_set("vector", z_up(strands.positions, scale))
    if strands.radii:
        radii = type(strands.radii)("f", [r / scale for r in strands.radii])
        attribute(curves, "radius", "FLOAT").data.foreach_set("value", radii)
    if strands.colors:
        colors = type(strands.colors)("f", [1.0]) * (len(strands.colors) // 3 * 4)
        for i in range(3):
            colors[i::4] = strands.colors[i::3]
        attribute(curves, "color", "FLOAT_COLOR").data.foreach_set("color", colors)
    if len(points):
        points[0].vector = points[0].vector  # unlike foreach_set and update_tag, an assignment redraws the viewport
    return True


def new_curves(context, name, lengths):
    """Hair curves with these numbers of points: poly splines converted by Blender, which 3.3 and later can do."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    for length in lengths:
        data.splines.new("POLY").points.add(length - 1)
    thing = bpy.data.objects.new(name, data)
    context.scene.collection.objects.link(thing)
    selected, active = context.selected_objects, context.view_layer.objects.active
    bpy.ops.object.select_all(action="DESELECT")
    thing.select_set(True)
    context.view_layer.objects.active = thing
    bpy.ops.object.convert(target="CURVES")
    thing = context.view_layer.objects.active
    thing.select_set(False)
    for other in selected:
        other.select_set(True)
    context.view_layer.objects.active = active
    return thing


def load(context, name, pattern):
    """Creates or updates the hair curves of a cache at the current frame; returns the object."""
    scene = context.scene
    strands, path = None, ""
    for frame in [scene.frame_current, *range(scene.frame_start, scene.frame_end + 1)]:
        path = frame_path(pattern, frame)
        if os.path.exists(path):
            strands = formats.read_ply(path)
            break
    if strands is None:
        raise formats.Error("%s: no frame of the scene is here" % bpy.path.abspath(pattern))
    scale = scene.unit_settings.scale_length
    old = next((thing for thing in scene.objects if thing.get(KEY) == pattern and thing.type == "CURVES"), None)
    if old and set_points(old.data, strands, scale):
        return old
    thing = new_curves(context, name, strands.lengths)
    set_points(thing.data, strands, scale)
    if old is None:
        thing[KEY] = pattern
        return thing
    for material in old.data.materials:
        thing.data.materials.append(material)
    old.data = thing.data
    bpy.data.objects.remove(thing)
    return old


@persistent
def follow_frame(scene, _depsgraph=None):
    """Handler of frame changes: loads the frame into the curves that have a cache; a missing frame keeps them."""
    for thing in scene.objects:
        if KEY not in thing or thing.type != "CURVES":
            continue
        path = frame_path(thing[KEY], scene.frame_current)
        if not os.path.exists(path):
            continue
        try:
            if not set_points(thing.data, formats.read_ply(path), scene.unit_settings.scale_length):
                print("coif: %s: other strands than in %s; load the cache again" % (path, thing.name))
        except (OSError, formats.Error) as error:
            print("coif: %s" % error)
