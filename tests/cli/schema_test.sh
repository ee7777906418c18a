#!/usr/bin/env bash
# The committed schema is up to date, and every scene of the repository is valid.
source "$(dirname -- "$0")/cli.sh"

expect 0 schema
cmp printed "$source_folder/scenes/scene.schema.json" ||
    failed "scenes/scene.schema.json is stale: coif schema > scenes/scene.schema.json"
expect 0 schema --out written.json
cmp -s written.json "$source_folder/scenes/scene.schema.json" || failed "--out writes something else"

for scene in "$source_folder"/scenes/*.json; do
    case $scene in *.schema.json) continue ;; esac
    few_strands "$scene" && expect 0 lint "$scene" "${few[@]}" && prints "no errors"
    grep -q warning said && failed "$scene: $(grep warning said)"
done

if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 - "$source_folder/scenes" <<'END' || failed "a scene breaks the schema"
import glob, json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1] + "/scene.schema.json"))
Draft202012Validator.check_schema(schema)
check = Draft202012Validator(schema)
bad = 0
for path in sorted(glob.glob(sys.argv[1] + "/*.json")):
    if not path.endswith(".schema.json"):
        for error in check.iter_errors(json.load(open(path))):
            print(path, list(error.path), error.message)
            bad = 1
if check.is_valid({"grooms": [{"name": "a", "body": "b", "cuont": 3}]}):
    print("the schema allows a key that no table knows")
    bad = 1
sys.exit(bad)
END
fi
# The reference page is up to date.
expect 0 schema --markdown
cmp printed "$source_folder/docs/reference/scene.md" ||
    failed "docs/reference/scene.md is stale: coif schema --markdown > docs/reference/scene.md"

finish
