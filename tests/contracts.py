#!/usr/bin/env python3
"""Every header begins with what it holds, every function of an installed header has a contract, and files that
docs/internals names exist."""
import glob, os, re, sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
INSTALLED = ("plugins/include/", "sim/api/include/", "render/api/include/", "core/api/include/")
errors = []


def check_functions(path, text):
    """A declaration needs a comment above it; declarations without an empty line between them share it. The contract of
    the functions that store defaults is in coif/library.h."""
    commented = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("//"):
            commented = True
        elif not line.strip():
            commented = False
        elif re.match(r"(COIF_[A-Z]+_API|static inline) (?!void \w+_init\()[^;=]*\(", line) and not commented:
            errors.append(f"{path}:{number}: no comment above the function: {line}")


sources = [path for folder in ("core", "plugins", "sim", "render", "tools", "tests", "docs")
           for path in glob.glob(f"{folder}/**/*.*", recursive=True)]
headers = [path for path in sources if path.endswith(".h") and not path.startswith("tests/")]
for path in headers:
    text = open(path, encoding="utf-8").read()
    if not re.match(r"// \S", text):
        errors.append(f"{path}:1: the first line does not say what the header holds")
    if path.startswith(INSTALLED):
        check_functions(path, text)

named = 0
for page in glob.glob("docs/internals/*.md"):
    for number, line in enumerate(open(page, encoding="utf-8"), 1):
        for name in re.findall(r"`([\w./]+/[\w.]+\.(?:c|h|js|mjs|sh|py))`", line):
            named += 1
            if not any(path == name or path.endswith("/" + name) for path in sources):
                errors.append(f"{page}:{number}: {name} does not exist")
if len(headers) < 100 or named < 10:
    errors.append(f"only {len(headers)} headers and {named} names of files were found")
print("\n".join(errors) or f"{len(headers)} headers and {named} names of files are as they should be")
sys.exit(len(errors) > 0)
