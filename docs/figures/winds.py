#!/usr/bin/python3
"""Images of the wind plugins for docs/guide/winds.md: speed as colour, direction as streamlines.

Runs `coif plugins NAME --sample FILE` for each plugin and writes wind_NAME.jpg to the output
folder. COIF=PROGRAM selects the coif executable. Needs python3-matplotlib.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Options of --sample; everything else has its default.
WINDS = {
    "uniform": [],
    "gust": [],
    "turbulence": [],
    "vortex": [],
    "fan": [],
    "blast": ["--time", "0.515", "--set", "position=[0,0,0]"],
    "field": ["--set", "path=field.wind"],
}

COLORS = matplotlib.colors.LinearSegmentedColormap.from_list(
    "speed", ["#ffffff", "#b2d6ed", "#5499cc", "#296bad"])


def write_field(path):
    """A file for wind.field: Taylor-Green vortices of 1 m/s in the xz plane."""
    n = 33
    x, z = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
    u = np.sin(np.pi * x) * np.cos(np.pi * z)
    w = -np.cos(np.pi * x) * np.sin(np.pi * z)
    velocity = np.stack([u, 0 * u, w], axis=-1)[:, None].repeat(2, axis=1)  # z, y, x
    header = f"coif-wind 1\nsize {n} 2 {n}\nlow -1 -1 -1\nhigh 1 1 1\nframes 1\nfps 24\n\n"
    with open(path, "wb") as file:
        file.write(header.encode())
        file.write(np.asarray(velocity, "<f4").tobytes())


def draw(field, path):
    velocity = np.array(field["velocity"])
    axes_of = {"x": 0, "y": 1, "z": 2}
    u = velocity[..., axes_of[field["right"]]]
    v = velocity[..., axes_of[field["up"]]]
    speed = np.linalg.norm(velocity, axis=-1)
    extent, n = field["extent"], len(speed)
    at = (2 * np.arange(n) + 1) / n * extent - extent
    figure, axes = plt.subplots(figsize=(5.6, 5.0))
    image = axes.imshow(speed, origin="lower", extent=[-extent, extent, -extent, extent],
                        cmap=COLORS, vmin=0, vmax=speed.max(), interpolation="bilinear")
    moving = speed > 0.01 * speed.max()
    axes.streamplot(at, at, np.where(moving, u, np.nan), np.where(moving, v, np.nan), density=1.5,
                    color="#29303a", linewidth=0.7, arrowsize=0.8)
    axes.set_xlim(-extent, extent)
    axes.set_ylim(-extent, extent)
    axes.set_title(f"{field['plugin']}, t = {field['time']:.3g} s", loc="left", fontsize=11,
                   fontweight="bold")
    axes.set_xlabel(f"{field['right']} (m)")
    axes.set_ylabel(f"{field['up']} (m)")
    figure.colorbar(image, ax=axes, label="speed (m/s)", fraction=0.046, pad=0.03)
    figure.savefig(path, dpi=120, bbox_inches="tight", facecolor="white",
                   pil_kwargs={"quality": 90})
    plt.close(figure)
    print(path)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=ROOT / "docs/pictures", type=pathlib.Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    out = options.out.resolve()
    coif = os.path.abspath(os.environ.get("COIF", ROOT / "build/bin/coif"))
    with tempfile.TemporaryDirectory() as folder:
        write_field(os.path.join(folder, "field.wind"))
        for name, extra in WINDS.items():
            sample = os.path.join(folder, f"{name}.json")
            subprocess.run([coif, "plugins", f"wind.{name}", "--sample", sample, "--resolution",
                            "256", *extra], check=True, cwd=folder)
            with open(sample) as file:
                draw(json.load(file), out / f"wind_{name}.jpg")


if __name__ == "__main__":
    main()
