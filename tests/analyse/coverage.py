#!/usr/bin/env python3
"""Line coverage by folder, from the summary of llvm-cov: coverage.py SOURCE SUMMARY MINIMUM. Fails when core, sim or render
is below the minimum."""
import collections, json, sys

source, summary, minimum = sys.argv[1], sys.argv[2], float(sys.argv[3])
folders = collections.defaultdict(lambda: [0, 0])
files = []
for entry in json.load(open(summary))["data"][0]["files"]:
    name = entry["filename"]
    if not name.startswith(source + "/"):
        continue
    name = name[len(source) + 1:]
    lines = entry["summary"]["lines"]
    parts = name.split("/")
    if parts[0] not in ("core", "sim", "render", "plugins", "tools"):
        continue
    for key in (parts[0], "/".join(parts[:2])):
        folders[key][0] += lines["covered"]
        folders[key][1] += lines["count"]
    files.append((lines["count"] - lines["covered"], lines["percent"], name))
for key in sorted(folders):
    covered, count = folders[key]
    print(f"{100 * covered / count:6.1f} %  {covered:6d} of {count:6d} lines  {key}")
print("files with the most lines that no test runs:")
for missed, percent, name in sorted(files, reverse=True)[:25]:
    print(f"{missed:6d} lines  {percent:5.1f} %  {name}")
low = [key for key in ("core", "sim", "render") if 100 * folders[key][0] < minimum * folders[key][1]]
if low:
    sys.exit(f"below {minimum} %: {' '.join(low)}")
