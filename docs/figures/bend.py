#!/usr/bin/python3
"""Fur that rises where a back arches: docs/pictures/groom_bend.jpg.

Writes a sequence of meshes in which the cub of scenes/tiger.json arches its back, and a scene in which the map density.bend
drives groom.lift, to the output folder. Simulates all frames and renders the first and the last one side by side. COIF=PROGRAM
selects the coif executable. Needs ffmpeg.
"""

import argparse
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def smoothstep(x):
    x = max(0.0, min(1.0, x))
    return x * x * (3 - 2 * x)


def arched(x, y, z, amount):
    """A point of the cub with its back raised by up to 8 cm; paws, head and tail stay."""
    along = smoothstep((0.2 - abs(z + 0.04)) / 0.19)
    return x, y + 0.08 * amount * along * smoothstep((y - 0.08) / 0.2), z


def write_sequence(folder, frames):
    lines = (ROOT / "scenes/assets/cub.obj").read_text().splitlines()
    for frame in range(1, frames + 1):
        amount = smoothstep((frame - 1) / (frames - 1))
        with open(folder / f"cub.{frame:04}.obj", "w") as file:
            for line in lines:
                words = line.split()
                if words[:1] == ["v"]:
                    line = "v %.6f %.6f %.6f" % arched(*map(float, words[1:4]), amount)
                elif words[:1] == ["mtllib"]:
                    line = f"mtllib {ROOT}/scenes/assets/{words[1]}"
                file.write(line + "\n")


def write_scene(path, frames):
    scene = json.loads((ROOT / "scenes/tiger.json").read_text())
    scene.pop("$schema", None)
    absolute = lambda value: str(ROOT / "scenes" / value) if isinstance(value, str) and value.startswith("assets/") else value

    def rewrite(node):
        if isinstance(node, dict):
            return {key: rewrite(value) for key, value in node.items()}
        return [rewrite(each) for each in node] if isinstance(node, list) else absolute(node)

    scene = rewrite(scene)
    scene["bodies"][0].update({"mesh": "cub.####.obj", "rest_frame": 1})
    for groom in scene["grooms"]:
        if groom["name"] == "whiskers":
            continue
        # The map is 1 where the curvature has changed by 7 per metre: a flat back that is bent over a ball of 28 cm.
        groom["maps"].append({"name": "bend", "plugin": "density.bend", "start": 1, "full": 7})
        groom["modifiers"].append({"plugin": "groom.lift", "angle": 80, "falloff_length": 0.03, "amount": {"map": "bend"}})
    scene["sim"] = {"last_frame": frames, "enabled": False}
    scene["camera"] = {"position": [1.4, 0.6, 0.12], "look_at": [0, 0.24, -0.03], "fov": 25}
    path.write_text(json.dumps(scene, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=str(ROOT / "out/bend"), help="output folder (default: out/bend)")
    parser.add_argument("--frames", type=int, default=12, help="frames in which the back rises (default: 12)")
    parser.add_argument("--set", action="append", default=[], help="value of the scene, as for coif")
    options = parser.parse_args()
    coif = os.environ.get("COIF", str(ROOT / "build/bin/coif"))
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_sequence(folder, options.frames)
    write_scene(folder / "bend.json", options.frames)
    sets = [word for value in options.set for word in ("--set", value)]
    subprocess.run([coif, "sim", folder / "bend.json", "--out", folder, *sets], check=True)
    ends = [1, options.frames]
    image = ["--set", "image/width=480", "--set", "image/height=340", "--set", "image/denoise=true"]
    subprocess.run([coif, "render", folder / "bend.json", "--out", folder, "--frames", ",".join(map(str, ends)), *image, *sets], check=True)
    pictures = [word for frame in ends for word in ("-i", folder / f"render{frame:04}.denoised.png")]
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", *pictures, "-filter_complex", "hstack=inputs=2,crop=iw:ih-45:0:45", "-q:v", "3", folder / "groom_bend.jpg"],
                   check=True)
    print(folder / "groom_bend.jpg")


if __name__ == "__main__":
    main()
