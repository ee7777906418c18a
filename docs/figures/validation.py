#!/usr/bin/python3
"""Plots of the solvers against reference solutions, for docs/guide/simulation.md.

Runs `coif validate sim --curves FILE` (about one CPU minute), or reads such a file given with
--curves, and writes cantilever.png, cantilever_substeps.png, cantilever_shapes.png, helix.png,
helix_shapes.png and validation.png to the output folder. COIF=PROGRAM selects the coif executable.
Needs python3-matplotlib.
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

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Colour (Okabe and Ito 2008: distinguishable with colour vision deficiencies), marker and its size.
# The markers are open and differ in size, so that coinciding results stay visible.
STYLES = {
    "der": ("#0072B2", "o", 11),
    "spring": ("#E69F00", "p", 8),
    "xpbd": ("#009E73", "D", 5.5),
    "pbd": ("#D55E00", "s", 5.5),
    "ftl": ("#CC79A7", "^", 6.5),
}

GAMMA = r"$\Gamma = \rho A g L^3 / B$"
WEIGHT = r"weight $\rho A g L R^2 / B$"

# Title, x label, y label, logarithmic axes.
SERIES = {
    "cantilever": ("Cantilever: tip drop over reach", GAMMA, "$H / W$", "xy"),
    "cantilever_substeps": (
        r"Cantilever, $\Gamma = 100$: substep convergence", "substeps per frame (1/24 s)", "$H / W$", "y"),
    "cantilever_segments": (
        r"Cantilever, $\Gamma = 100$: segment convergence", "segments", "$H / W$", "xy"),
    "helix": ("Helix of 5 turns under its own weight", WEIGHT, "height / arc length", ""),
    "pull": ("Helix of 8 turns, axial tip load", "load $F R^2 / B$", "height / arc length", ""),
    "greenhill": (
        "Self-buckling of an upright strand (Greenhill)", "segments", r"critical $\Gamma$", "x"),
    "beam": ("Vibration modes of a clamped beam", "mode", r"$\omega L^2 \sqrt{\rho A / B}$", ""),
    "sag": ("Drift of a groomed helix in 5 s", WEIGHT, "drift / length ($10^{-6}$)", ""),
    "catenary": ("Catenary between two pins", "length / span", "sag / span", ""),
    "chain": ("Modes of a hanging chain, 20 cm", "mode", r"$\omega$ (rad/s)", ""),
    "pendulum": ("Pendulum of large amplitude", r"amplitude ($^\circ$)", "$T / T_0$", ""),
    "free_fall": ("Free fall", "time (s)", "drop (m)", ""),
    "drag": ("Fall with linear drag, 5 s$^{-1}$", "time (s)", "speed (m/s)", ""),
    "drag_quadratic": (
        "Fall with quadratic drag, terminal speed 1 m/s", "time (s)", "speed (m/s)", ""),
    "wind": ("Chain in horizontal wind", "drag / weight", "tip displacement / length", ""),
    "incline": (
        r"Sliding on an incline, $\mu = 0.3$", r"slope ($^\circ$)", "acceleration (m/s$^2$)", ""),
    "capstan": (r"Capstan, half a turn", r"friction coefficient $\mu$", "tension ratio at slip", ""),
    "stick_slip": (
        "Stick-slip of a pressed strand", r"friction coefficient $\mu$", r"$\mu$ required to stick", ""),
    "restitution": ("Restitution", "coefficient of restitution", "rebound height / drop height", ""),
    "momentum": (
        "Momentum of a free strand", "time (s)", r"change of mean velocity ($10^{-6}$ m/s)", ""),
}

# Results that should vanish are plotted in these units.
UNITS = {"sag": 1e-6, "momentum": 1e-6}

# Plotted separately; the other experiments are panels of one figure.
PAGES = ("cantilever", "cantilever_substeps", "helix")


def style():
    plt.rcParams.update({
        "font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.grid": True,
        "grid.color": "#e4e6ea", "grid.linewidth": 0.8, "axes.axisbelow": True,
        "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
        "savefig.dpi": 130, "mathtext.fontset": "dejavusans",
    })


def in_order(solvers):
    return sorted(solvers, key=lambda s: list(STYLES).index(s["solver"]))


def tolerance_text(series):
    relative = any(y != 0 for y in series["reference"]["y"])
    value = series["tolerance"]
    return f"tolerance of der: {100 * value:g} %" if relative else f"tolerance of der: {value:g}"


def draw_series(axes, series, legend):
    name = series["series"]
    title, x_label, y_label, log = SERIES[name]
    unit = UNITS.get(name, 1)
    points = []
    for solver in in_order(series["solvers"]):
        color, marker, size = STYLES[solver["solver"]]
        points = [r["point"] for r in solver["results"]]
        x, y = [p[0] for p in points], [p[1] / unit for p in points]
        if "y" in log:  # a negative result has no logarithm
            y = [value if value > 0 else float("nan") for value in y]
        axes.plot(x, y, color=color, linewidth=0.8, alpha=0.45)
        axes.plot(x, y, color=color, marker=marker, markersize=size, linestyle="none",
                  markerfacecolor="none", markeredgewidth=1.5, label=solver["solver"])
    axes.plot(series["reference"]["x"], [y / unit for y in series["reference"]["y"]],
              color="black", linewidth=1.4, linestyle=(0, (5, 3)), label="reference")
    if "x" in log:
        axes.set_xscale("log")
    if "y" in log:
        axes.set_yscale("log")
    if x_label in ("mode", "segments"):
        axes.set_xticks([p[0] for p in points], [f"{p[0]:g}" for p in points])
        axes.set_xticks([], minor=True)
    axes.set_title(title, loc="left", pad=18)
    axes.text(0, 1.02, tolerance_text(series), transform=axes.transAxes, fontsize=8, color="#5c616b")
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    if legend:
        axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))


def save(figure, path):
    figure.savefig(path, bbox_inches="tight", facecolor="white", metadata={"Software": None})
    plt.close(figure)
    print(path)


def draw_pages(all_series, folder):
    for name in PAGES:
        figure, axes = plt.subplots(figsize=(7.2, 4.4))
        draw_series(axes, all_series[name], True)
        save(figure, folder / f"{name}.png")


def draw_sheet(all_series, folder):
    rest = [s for name, s in sorted(all_series.items()) if name not in PAGES]
    columns = 3
    rows = -(-len(rest) // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(14, 3.5 * rows))
    for axes, series in zip(grid.flat, rest):
        draw_series(axes, series, False)
    for axes in grid.flat[len(rest):]:
        axes.axis("off")
    handles, labels = grid.flat[0].get_legend_handles_labels()
    grid.flat[-1].legend(handles, labels, loc="center left", fontsize=12)
    figure.tight_layout(h_pad=2.0, w_pad=2.0)
    save(figure, folder / "validation.png")


def draw_shapes(series, x, title, offset, folder):
    figure, axes = plt.subplots(figsize=(7.2, 4.4))
    reference = None
    for index, solver in enumerate(in_order(series["solvers"])):
        result = next(r for r in solver["results"] if r["point"][0] == x)
        shape = result["shape"]
        axes.plot([offset * index + value for value in shape["x"]], shape["y"],
                  color=STYLES[solver["solver"]][0], linewidth=1.8 if offset else (5.5, 3.2, 2, 2, 2)[index],
                  label=solver["solver"])
        reference = result.get("reference_shape", reference)
    if reference:
        axes.plot(reference["x"], reference["y"], color="black", linewidth=1.4,
                  linestyle=(0, (5, 3)), label="reference")
    axes.set_aspect("equal")
    axes.set_title(title, loc="left")
    axes.set_xlabel("$x / L$" if offset == 0 else f"$x / L$ (strands spaced {offset:g} apart)")
    axes.set_ylabel("$y / L$")
    axes.legend(fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, folder / f"{series['series']}_shapes.png")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--curves", help="file written by coif validate sim --curves")
    parser.add_argument("--out", default=ROOT / "docs/pictures", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        curves = options.curves
        if not curves:
            curves = os.path.join(folder, "curves.json")
            coif = os.environ.get("COIF", ROOT / "build/bin/coif")
            subprocess.run([coif, "validate", "sim", "--curves", curves], check=True,
                           stdout=subprocess.DEVNULL)
        with open(curves) as file:
            all_series = {s["series"]: s for s in json.load(file)}
    style()
    options.out.mkdir(parents=True, exist_ok=True)
    draw_pages(all_series, options.out)
    draw_sheet(all_series, options.out)
    draw_shapes(all_series["cantilever"], 10, r"Cantilever at $\Gamma = 10$: final shapes", 0,
                options.out)
    draw_shapes(all_series["helix"], 0.1, "Helix under its own weight: final shapes", 0.25,
                options.out)


if __name__ == "__main__":
    main()
