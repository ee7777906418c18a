# Files that coif reads and writes, without bpy: OBJ meshes, .hair guides, PNG maps, PLY strands.
import struct
import zlib
from array import array
from itertools import groupby


class Error(Exception):
    """A message for the user."""


def write_obj(path, positions, faces, uvs=None):
    """positions: flat x y z; faces: vertex indices per face; uvs: flat u v per corner."""
    lines = ["v %.9g %.9g %.9g" % tuple(positions[i:i + 3]) for i in range(0, len(positions), 3)]
    corners = [str(vertex + 1) for face in faces for vertex in face]
    if uvs:
        index = {}
        for corner in range(len(corners)):
            uv = (uvs[2 * corner], uvs[2 * corner + 1])
            corners[corner] += "/%d" % index.setdefault(uv, len(index) + 1)
        lines += ["vt %.9g %.9g" % uv for uv in index]
    corner = iter(corners)
    lines += ["f " + " ".join(next(corner) for _ in face) for face in faces]
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


def write_hair(path, strands):
    """strands: one list of (x, y, z) per strand, root first."""
    strands = [strand for strand in strands if len(strand) >= 2]
    if any(len(strand) > 65536 for strand in strands):
        raise Error("%s: a curve has more than 65536 points" % path)
    points = array("f", [number for strand in strands for point in strand for number in point])
    arrays = 1 | 2  # segments and points
    header = struct.pack("<4s4I5f88s", b"HAIR", len(strands), len(points) // 3, arrays, 0,
                         0.0, 0.0, 1.0, 1.0, 1.0, b"Blender")
    with open(path, "wb") as file:
        file.write(header)
        file.write(struct.pack("<%dH" % len(strands), *[len(strand) - 1 for strand in strands]))
        file.write(struct.pack("<%df" % len(points), *points))


def write_png(path, width, height, values):
    """values: one grey byte per pixel, upper row first."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(values[y * width:(y + 1) * width]) for y in range(height))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def rasterise(triangles, size, padding=2):
    """Grey bytes, size x size, upper row first, of triangles ((u, v, weight), x 3) over the unit square.

    Texels beside the triangles continue them, so that filtering does not thin the hair along seams."""
    values = bytearray(size * size)
    covered = bytearray(size * size)
    for corners in triangles:
        (ax, ay, aw), (bx, by, bw), (cx, cy, cw) = [(u * size - 0.5, (1 - v) * size - 0.5, w)
                                                    for u, v, w in corners]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area == 0:
            continue
        for y in range(max(0, int(min(ay, by, cy))), min(size - 1, int(max(ay, by, cy)) + 1) + 1):
            for x in range(max(0, int(min(ax, bx, cx))), min(size - 1, int(max(ax, bx, cx)) + 1) + 1):
                b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
                c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
                if b >= -1e-6 and c >= -1e-6 and b + c <= 1 + 1e-6:
                    weight = aw + b * (bw - aw) + c * (cw - aw)
                    values[y * size + x] = round(255 * min(max(weight, 0), 1))
                    covered[y * size + x] = 1
    for _ in range(padding):
        before = bytes(covered)
        for i in range(size * size):
            if before[i]:
                continue
            x, y = i % size, i // size
            near = [j for j, inside in ((i - 1, x > 0), (i + 1, x < size - 1),
                                        (i - size, y > 0), (i + size, y < size - 1)) if inside and before[j]]
            if near:
                values[i] = round(sum(values[j] for j in near) / len(near))
                covered[i] = 1
    return values


class Strands:
    """Points per strand, and flat arrays of positions (x y z), radii and colours (r g b) or None."""

    def __init__(self, lengths, positions, radii, colors):
        self.lengths, self.positions, self.radii, self.colors = lengths, positions, radii, colors


def read_ply(path):
    """The strands of a binary PLY file of coif."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.find(b"end_header\n")
    if not data.startswith(b"ply\nformat binary_little_endian") or end < 0:
        raise Error("%s: not a binary PLY file of strands" % path)
    count, names = 0, []
    for line in data[:end].decode("ascii", "replace").splitlines():
        words = line.split()
        if words[:2] == ["element", "vertex"]:
            count = int(words[2])
        elif words[:1] == ["property"]:
            if words[1] not in ("float", "int"):
                raise Error("%s: type %s of a property, expected float or int" % (path, words[1]))
            names.append(words[2])
    stride, start = len(names), end + len(b"end_header\n")
    if len(data) != start + 4 * stride * count or not {"x", "y", "z", "strand"} <= set(names):
        raise Error("%s: truncated, or no strand numbers" % path)

    def column(name, kind="f"):
        words = array(kind)
        words.frombytes(data[start:])
        return words[names.index(name)::stride]

    def columns(*wanted):
        if not set(wanted) <= set(names):
            return None
        flat = array("f", bytes(4 * count * len(wanted)))
        for i, name in enumerate(wanted):
            flat[i::len(wanted)] = column(name)
        return flat

    lengths = [sum(1 for _ in run) for _, run in groupby(column("strand", "i"))]
    return Strands(lengths, columns("x", "y", "z"), columns("radius"), columns("red", "green", "blue"))
