#!/usr/bin/env bash
# Exhausted memory is exit code 7 with a table of allocations; --stats prints the same table.
source "$(dirname -- "$0")/cli.sh"

expect 7 groom "$tiny" --out x --max-memory 200M --set grooms/0/count=5000000
says "out of memory"
says "peak (MB)"
[ -z "$(find x -type f 2>/dev/null)" ] || failed "left behind: $(find x -type f)"
expect 0 groom "$tiny" --out x --max-memory 200M --stats
says "peak (MB)"
says "s wall"
expect 0 groom "$tiny" --out x --stats --log json
says '{"memory": "'
python3 -c 'import json; [json.loads(line) for line in open("said")]' 2>/dev/null ||
    failed "--log json --stats gives lines that are not JSON"
finish
