#!/usr/bin/env python3
"""coverage: lines of the readers that the inputs of each fuzz target run, by source file.

usage: coverage.py BUILD INPUTS [TARGET...]

BUILD is a build with -fprofile-instr-generate -fcoverage-mapping, INPUTS holds TARGET/corpus. Files of which a target
runs nothing do not count, nor do the tests and core/base; functions that write a format count in its file.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
LARGEST = 6
build, inputs = sys.argv[1:3]
targets = sys.argv[3:] or sorted(os.path.basename(path)[:-len("_replay")] for path in glob.glob(f"{build}/fuzz/*_replay"))


def tool(name):
    """A program of LLVM, which has its version in its name on some systems."""
    found = shutil.which(name) or next((shutil.which(f"{name}-{version}") for version in range(30, 10, -1)
                                        if shutil.which(f"{name}-{version}")), None)
    return found or sys.exit(f"coverage.py: {name} is not installed")


def files_of(target, folder):
    """Pairs of source file and its line counts."""
    program, raw, profile = f"{build}/fuzz/{target}_replay", f"{folder}/{target}.raw", f"{folder}/{target}.prof"
    run = subprocess.run([program, f"{inputs}/{target}/corpus", "0"], env={**os.environ, "LLVM_PROFILE_FILE": raw},
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if run.returncode:
        sys.exit(f"coverage.py: {target}: {run.stderr.decode()[-300:]}")
    subprocess.run([tool("llvm-profdata"), "merge", "-o", profile, raw], check=True)
    text = subprocess.run([tool("llvm-cov"), "export", "-summary-only", f"-instr-profile={profile}", program],
                          check=True, stdout=subprocess.PIPE).stdout
    for file in json.loads(text)["data"][0]["files"]:
        name = os.path.relpath(os.path.realpath(file["filename"]), SOURCE)
        if file["summary"]["lines"]["covered"] and not name.startswith(("tests/", "core/base/", "..")):
            yield name, file["summary"]["lines"]


with tempfile.TemporaryDirectory() as top:
    for target in targets:
        found = sorted(files_of(target, top), key=lambda file: -file[1]["count"])
        covered, total = (sum(lines[key] for _, lines in found) for key in ("covered", "count"))
        shown = ", ".join(f"{os.path.basename(name)} {lines['percent']:.0f}" for name, lines in found[:LARGEST])
        print(f"{target:14} {covered:6} of {total:6} lines {100 * covered / max(total, 1):3.0f} %  {len(found)} files: {shown}",
              flush=True)
