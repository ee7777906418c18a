# The scene file of coif, without bpy: numbers, keyframes, names and the merge of settings.
import json
import math
import re


def number(value):
    return float("%.7g" % value)


def y_up(point, scale=1.0):
    """A point or direction of Blender (z up) in a coif scene (y up, metres)."""
    return [number(point[0] * scale), number(point[2] * scale), number(-point[1] * scale)]


def z_up(positions, scale=1.0):
    """Flat positions of coif in Blender units, as an array of the same type."""
    result = positions[:]
    result[0::3] = type(positions)("f", [x / scale for x in positions[0::3]])
    result[1::3] = type(positions)("f", [-z / scale for z in positions[2::3]])
    result[2::3] = type(positions)("f", [y / scale for y in positions[1::3]])
    return result


def file_name(name, taken=()):
    """A name of letters, digits, - and _ that is not among those taken."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_") or "object"
    unique, i = plain, 2
    while unique in taken:
        unique, i = "%s_%d" % (plain, i), i + 1
    return unique


def keyed(samples):
    """The values of parameters, {name: value} per frame in samples {frame: values}: constant or keyframes."""
    frames = sorted(samples)
    result = {}
    for name in samples[frames[0]]:
        values = [samples[frame][name] for frame in frames]
        if all(value == values[0] for value in values):
            result[name] = values[0]
        else:
            result[name] = {"keys": [[frame, value] for frame, value in zip(frames, values)]}
    return result


def film(width, height, sensor_fit, sensor_width, sensor_height, shift_x, shift_y):
    """Film back of a Blender camera in mm; the fitted side of the sensor is the unit of the shift."""
    if sensor_fit == "AUTO":
        sensor_height, sensor_fit = sensor_width, "HORIZONTAL" if width >= height else "VERTICAL"
    fitted = sensor_width if sensor_fit == "HORIZONTAL" else sensor_height
    back = {"film_width": fitted} if sensor_fit == "HORIZONTAL" else {"film_height": fitted}
    back["film_offset_x"], back["film_offset_y"] = number(shift_x * fitted), number(shift_y * fitted)
    return back


def light_intensity(kind, energy, area=1.0):
    """Watts of Blender's lamps as radiance (area), radiant intensity (point, spot) or irradiance (sun)."""
    if kind == "AREA":
        return number(energy / (4 * max(area, 1e-12)))
    return number(energy if kind == "SUN" else energy / (4 * math.pi))


def penumbra(cone, blend):
    """Blend of a spot, a fraction of the cosine range of its cone, as a fraction of its angle (in radians)."""
    edge = math.cos(cone / 2)
    return number(max(0.0, 1 - math.acos(min(edge + (1 - edge) * blend, 1)) / (cone / 2)))


def merge(scene, settings):
    """Adds settings to a scene: objects key by key, elements of arrays by their name."""
    for key, value in settings.items():
        old = scene.get(key)
        if isinstance(old, dict) and isinstance(value, dict) and "keys" not in value:
            merge(old, value)
        elif isinstance(old, list) and isinstance(value, list) and all(isinstance(x, dict) for x in old + value):
            named = {element.get("name"): element for element in old}
            for element in value:
                if element.get("name") in named:
                    merge(named[element.get("name")], element)
                else:
                    old.append(element)
        else:
            scene[key] = value
    return scene


def write(path, scene):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        json.dump(scene, file, indent=2)
        file.write("\n")
