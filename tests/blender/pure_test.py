# Parts of the Blender add-on without bpy: pure_test.py ADD-ON-FOLDER PROGRAM; runs in an empty folder.
import math
import os
import struct
import subprocess
import sys
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, sys.argv[1])
coif = sys.argv[2]
import formats  # noqa: E402
import job  # noqa: E402
import scene_file  # noqa: E402

STRANDS = [[(0, 0, 0), (0, 0.25, 0)], [(1, 0, 0), (1, 0.5, 0), (1, 1, 0.125)]]


def convert(*arguments):
    subprocess.run([coif, "convert", *arguments], check=True, stderr=subprocess.DEVNULL)


class Formats(unittest.TestCase):
    def test_coif_reads_the_hair_file_and_the_ply_comes_back_equal(self):
        formats.write_hair("a.hair", STRANDS)
        convert("a.hair", "a.txt", "--radius", "0.5")
        convert("a.txt", "a.ply")
        back = formats.read_ply("a.ply")
        self.assertEqual(back.lengths, [2, 3])
        self.assertEqual(list(back.positions), [x for strand in STRANDS for point in strand for x in point])
        self.assertEqual(set(back.radii), {0.5})
        self.assertIsNone(back.colors)

    def test_a_truncated_ply_is_an_error(self):
        formats.write_hair("b.hair", STRANDS)
        convert("b.hair", "b.ply")
        Path("b.ply").write_bytes(Path("b.ply").read_bytes()[:-1])
        with self.assertRaisesRegex(formats.Error, "truncated"):
            formats.read_ply("b.ply")
        Path("b.ply").write_text("solid\n")
        with self.assertRaisesRegex(formats.Error, "not a binary PLY"):
            formats.read_ply("b.ply")

    def test_colours_of_a_ply_are_read(self):
        header = b"ply\nformat binary_little_endian 1.0\nelement vertex 2\n"
        header += b"".join(b"property %s\n" % p for p in (b"float x", b"float y", b"float z", b"int strand",
                                                          b"float red", b"float green", b"float blue"))
        data = b"".join(struct.pack("<3fi3f", i, 0, 0, 0, 0.25, i, 1) for i in range(2))
        Path("c.ply").write_bytes(header + b"end_header\n" + data)
        self.assertEqual(list(formats.read_ply("c.ply").colors), [0.25, 0, 1, 0.25, 1, 1])

    def test_obj_corners_share_equal_texture_coordinates(self):
        formats.write_obj("a.obj", [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], [[0, 1, 2], [1, 3, 2]],
                          [0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1])
        lines = Path("a.obj").read_text().splitlines()
        self.assertEqual(sum(line.startswith("vt") for line in lines), 4)
        self.assertEqual(lines[-2:], ["f 1/1 2/2 3/3", "f 2/2 4/4 3/3"])

    def test_a_rasterised_triangle_interpolates_and_is_padded(self):
        image = formats.rasterise([[(0, 0, 0.0), (1, 0, 1.0), (0, 1, 0.0)]], 16)
        row = image[15 * 16:]  # v is 1/32
        self.assertEqual(row[0], round(255 / 32))
        self.assertEqual(row[8], round(255 * 8.5 / 16))
        self.assertEqual(image[0 * 16 + 15], 0)  # far from the triangle
        self.assertGreater(image[7 * 16 + 9], 0)  # one texel beside it

    def test_png_pixels_are_the_values(self):
        formats.write_png("a.png", 3, 2, bytes([1, 2, 3, 4, 5, 6]))
        data = Path("a.png").read_bytes()
        start = data.index(b"IDAT")
        length = struct.unpack(">I", data[start - 4:start])[0]
        self.assertEqual(zlib.decompress(data[start + 4:start + 4 + length]), b"\0\1\2\3\0\4\5\6")


class Scene(unittest.TestCase):
    def test_axes_and_units_return(self):
        from array import array
        point = (1.0, -2.0, 4.0)
        self.assertEqual(scene_file.y_up(point, 0.5), [0.5, 2.0, 1.0])
        self.assertEqual(list(scene_file.z_up(array("f", scene_file.y_up(point, 0.5)), 0.5)), list(point))

    def test_constant_values_have_no_keys(self):
        keyed = scene_file.keyed({1: {"a": 1, "b": [0, 1]}, 2: {"a": 1, "b": [0, 2]}})
        self.assertEqual(keyed, {"a": 1, "b": {"keys": [[1, [0, 1]], [2, [0, 2]]]}})

    def test_the_fitted_side_is_the_film_back(self):
        self.assertEqual(scene_file.film(200, 100, "AUTO", 36, 24, 0.5, 0),
                         {"film_width": 36, "film_offset_x": 18, "film_offset_y": 0})
        self.assertEqual(scene_file.film(100, 200, "AUTO", 36, 24, 0, 0.5)["film_height"], 36)
        self.assertEqual(scene_file.film(200, 100, "VERTICAL", 36, 24, 0, 0)["film_height"], 24)

    def test_watts_become_radiometric_units(self):
        self.assertEqual(scene_file.light_intensity("AREA", 8, 2), 1)
        self.assertAlmostEqual(scene_file.light_intensity("POINT", 4 * math.pi), 1, places=6)
        self.assertEqual(scene_file.light_intensity("SUN", 3), 3)

    def test_the_blend_of_a_spot_becomes_an_angle(self):
        self.assertAlmostEqual(scene_file.penumbra(1.0, 0.0), 0)
        self.assertEqual(scene_file.penumbra(1.0, 1.0), 1)
        self.assertAlmostEqual(math.cos(0.5 * (1 - scene_file.penumbra(1.0, 0.25))),
                               math.cos(0.5) + 0.25 * (1 - math.cos(0.5)), places=6)

    def test_names_are_unique_file_names(self):
        self.assertEqual(scene_file.file_name("Käfer.001 /x"), "K_fer_001_x")
        self.assertEqual(scene_file.file_name("a", ["a", "a_2"]), "a_3")

    def test_settings_merge_by_name(self):
        scene = {"sim": {"fps": 24}, "grooms": [{"name": "a", "count": 1}]}
        scene_file.merge(scene, {"sim": {"substeps": 2}, "grooms": [{"name": "a", "count": 5}, {"name": "b"}]})
        self.assertEqual(scene, {"sim": {"fps": 24, "substeps": 2},
                                 "grooms": [{"name": "a", "count": 5}, {"name": "b"}]})


class Jobs(unittest.TestCase):
    def test_progress_counts_frames(self):
        tiny = os.environ["TINY_SCENE"]
        done = job.Job(coif, [["sim", tiny, "--out", "out"]], 6).run()
        self.assertEqual((done.error, done.done, done.fraction), ("", 6, 1.0))

    def test_errors_are_kept_and_stop_the_following_commands(self):
        done = job.Job(coif, [["groom", "none.json", "--out", "none"],
                              ["groom", os.environ["TINY_SCENE"], "--out", "never"]], 2).run()
        self.assertIn("none.json", done.error)
        self.assertFalse(os.path.exists("never"))

    def test_a_missing_program_is_named(self):
        self.assertIn("./missing", job.Job("./missing", [["groom"]], 1).run().error)

    def test_a_cancelled_job_ends_without_an_error(self):
        long = job.Job(coif, [["sim", os.environ["TINY_SCENE"], "--out", "long", "--set", "sim/last_frame=100000"],
                              ["groom", os.environ["TINY_SCENE"], "--out", "after"]], 100000)
        while long.done < 2 and long.poll(0.05):
            pass
        long.cancel()
        long.run()
        self.assertEqual((long.error, long.cancelled), ("", True))
        self.assertLess(long.done, 100000)
        self.assertFalse(os.path.exists("after"))


unittest.main(argv=sys.argv[:1])
