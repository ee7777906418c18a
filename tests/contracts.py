#!/usr/bin/env python3
"""Every header begins with what it holds, every function of an installed header has a contract, and files that
docs/internals names and tests that docs/reference/promises.md names exist."""
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


def test_exists(name, statement):
    """Whether ctest has a test of this name, with a statement of this name."""
    for pattern, path in ((r"cli_(\w+)", "tests/cli/%s_test.sh"), (r"fuzz_(\w+)", "tests/fuzz/%s_fuzz.c"),
                          (r"web_(\w+)", "tests/web/%s.spec.mjs"), (r"(freeze)", "tests/%s/run"),
                          (r"(contracts)", "tests/%s.py"), (r"([a-z]+_\w+)_test", None)):
        match = re.fullmatch(pattern, name)
        if match:
            path = path % match[1] if path else "tests/unit/%s_test.c" % match[1].replace("_", "/", 1)
            if os.path.exists(path) and (not statement or f"TEST({statement})" in open(path, encoding="utf-8").read()):
                return True
    return False


tests = 0
PROMISES = "docs/reference/promises.md"
for number, line in enumerate(open(PROMISES, encoding="utf-8"), 1):
    for name, statement in re.findall(r"`((?:cli|fuzz|web|core|sim|render|plugins|studio)_\w+|freeze|contracts)(?:/(\w+))?`", line):
        tests += 1
        if name != "fuzz_" and not test_exists(name, statement):
            errors.append(f"{PROMISES}:{number}: there is no test {name} {statement}")
    if re.match(r"\| .* \|$", line) and not re.match(r"\| (promise|---)", line) and line.count("`") < 2:
        errors.append(f"{PROMISES}:{number}: a promise without a test")
if tests < 50:
    errors.append(f"{PROMISES}: only {tests} names of tests")
if len(headers) < 100 or named < 10:
    errors.append(f"only {len(headers)} headers and {named} names of files were found")
print("\n".join(errors) or f"{len(headers)} headers and {named} names of files are as they should be")
sys.exit(len(errors) > 0)
