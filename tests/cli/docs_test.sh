#!/usr/bin/env bash
# The commands of README.md, scenes/README.md, the tutorials, the guides and the gallery run as printed, with few strands and small
# images; commands in running text have valid options, scene keys exist, and links lead to files and headings.
source "$(dirname -- "$0")/cli.sh"
command -v ffmpeg >/dev/null || skip "no ffmpeg here"

mkdir -p build/bin
cp -r "$source_folder/scenes" scenes
ln -s "$source_folder/tests" "$source_folder/docs" .

# The program of the documentation: reduces the work of each command.
cat >build/bin/coif <<END
#!/usr/bin/env bash
few=()
for groom in \$(case \$2 in *.json) "$coif" info "\$2" | grep -oE '/grooms/[0-9]+' | sort -u ;; esac); do
    few+=(--set "\${groom#/}/strands_per_cm2=0" --set "\${groom#/}/count=50" --set "\${groom#/}/max_strands=50")
done
small=(--set image/width=16 --set image/height=16 --set image/samples=1)
case \$1 in
run) exec "$coif" "\$@" "\${few[@]}" "\${small[@]}" --set sim/last_frame=2 --set sim/substeps=2 ;;
render) exec "$coif" "\$@" "\${few[@]}" "\${small[@]}" ;;
groom | lint | sim) exec "$coif" "\$@" "\${few[@]}" ;;
studio) exec "$coif" lint "\$2" "\${few[@]}" ;;
esac
exec "$coif" "\$@"
END
chmod +x build/bin/coif

# A shell script per page from its blocks of shell commands. A block of JSON behind "Save this as `FILE`" becomes FILE.
# Commands other than coif, and measurements, are left out.
python3 - "$source_folder" "$coif" <<'END' || failed "invalid commands or keys in the documentation"
import glob, json, os, re, subprocess, sys

source, program = sys.argv[1:]
pages = ["README.md", "scenes/README.md", "docs/gallery.md"] + sorted(
    os.path.relpath(path, source) for part in ("tutorials", "guide") for path in glob.glob(f"{source}/docs/{part}/*.md"))
schema = json.loads(subprocess.run([program, "schema"], capture_output=True, check=True).stdout)
helps, errors = {}, []


def check_options(at, words):
    command = words[0]
    if command not in helps:
        helps[command] = subprocess.run([program, command, "--help"], capture_output=True, text=True).stdout
    options = set(re.findall(r"--[a-z-]+", helps[command]))
    errors.extend(f"{at}: coif {command} has no option {word}" for word in re.findall(r"--[a-z-]+", " ".join(words[1:]))
                  if word not in options)


def check_key(at, key):
    node = schema
    for part in re.sub(r"\[\]", "/0", key).split("/"):
        node = node.get("items", node) if re.fullmatch(r"[0-9]+", part) else node.get("properties", {}).get(part)
        if node is None:
            errors.append(f"{at}: the scene has no key {key}")
            return


for page in pages:
    block, target, script, at = None, None, [], 0
    for number, line in enumerate(open(f"{source}/{page}", encoding="utf-8"), 1):
        fence = re.match(r"\s*```(\w*)", line)
        if fence and block is None:
            block, text, at = fence[1], [], number
        elif fence:
            if block == "json" and target:
                script.append(f"cat >{target} <<'JSON'\n{''.join(text)}JSON")
                target = None
            if block == "sh":
                commands = re.sub(r"\\\n\s*", "", "".join(text)).splitlines()
                for command in (each.strip() for each in commands):
                    words = command.split()
                    if re.match(r"(build/bin/)?coif (bench|validate) ", command):
                        check_options(f"{page}:{at}", words[1:])
                    elif re.match(r"(build/bin/)?coif |\w+=|\$\w+ ", command):
                        script.append(f"{re.sub(' +#.*', '', command)} || failed '{page}:{at}:' {json.dumps(words[1:])!r}")
            block = None
        elif block is not None:
            text.append(line)
        else:
            saved = re.search(r"Save this as `([^`]+)`", line)
            target = saved[1] if saved else target
            for span in re.findall(r"`([^`]+)`", line):
                command = re.match(r"(?:build/bin/)?coif ([a-z]+.*)", span)
                key = re.match(r"((sim|image|camera|grooms\[\]|bodies\[\]|lights\[\])/[a-z_]+)$", span)
                if command:
                    check_options(f"{page}:{number}", command[1].split())
                if key:
                    check_key(f"{page}:{number}", key[1])
    with open(page.replace("/", "_") + ".sh", "w", encoding="utf-8") as file:
        file.write("\n".join(script) + "\n")
# Links and anchors.
for page in glob.glob("*.md", root_dir=source) + glob.glob("*/README.md", root_dir=source) + glob.glob("docs/**/*.md", root_dir=source, recursive=True):
    for target, anchor in re.findall(r"\]\(([^)#\s:]+)(?:#([^)]*))?\)", open(f"{source}/{page}", encoding="utf-8").read()):
        path = os.path.normpath(os.path.join(source, os.path.dirname(page), target))
        heads = re.findall(r"^#+ (.*)$", open(path, encoding="utf-8").read(), re.M) if anchor and os.path.exists(path) else []
        if not os.path.exists(path) or (anchor and anchor not in [re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head in heads]):
            errors.append(f"{page}: broken link {target} {anchor}")
print("\n".join(errors), file=sys.stderr)
sys.exit(len(errors) > 0)
END

PATH=$PWD/build/bin:$PATH
for page in *.md.sh; do
    commands=$(grep -c . "$page")
    before=$failures
    source "./$page" >printed 2>said
    [ $failures = "$before" ] || cat said >&2
    total=$((${total:-0} + commands))
done
# The hair of the first example falls: its tips hang below its roots at rest, and lower when it was simulated.
few=(--set grooms/hair/count=300 --set sim/simulated_fraction=1)
expect 0 lint scenes/example.json && [ ! -s said ] || failed "the example of scenes/README.md: $(cat said)"
expect 0 sim scenes/example.json --out example "${few[@]}" --set sim/last_frame=8
expect 0 export scenes/example.json rest.obj --cache example "${few[@]}"
expect 0 export scenes/example.json fallen.obj --cache example --frame 8 "${few[@]}"
python3 - <<'END' || failed "the hair of scenes/README.md does not fall"
def drops(path):
    points = [list(map(float, line.split()[1:4])) for line in open(path) if line.startswith("v ")]
    strands = [list(map(int, line.split()[1:])) for line in open(path) if line.startswith("l ")]
    return [points[each[0] - 1][1] - points[each[-1] - 1][1] for each in strands]
rest, fallen = drops("rest.obj"), drops("fallen.obj")
assert len(rest) > 100 and sum(drop > 0.05 for drop in rest) > 0.9 * len(rest), sum(drop > 0.05 for drop in rest) / len(rest)
assert sum(fallen) / len(fallen) > sum(rest) / len(rest) > 0.1, (sum(rest) / len(rest), sum(fallen) / len(fallen))
END
[ "$total" -gt 25 ] || failed "only $total commands found"
finish
