#!/usr/bin/env bash
# Exhausted memory is exit code 7 with a table of allocations; --stats prints the same table.
source "$(dirname -- "$0")/cli.sh"

expect 7 groom "$tiny" --out x --max-memory 200M --set grooms/0/count=5000000
says "out of memory"
says "peak (MB)"
# A claim without its owner is all that may be left, until the next run.
left=$(find x -type f ! -name '*.claim')
[ -z "$left" ] || failed "left behind: $left"
expect 0 groom "$tiny" --out x --max-memory 200M --stats
[ -z "$(find x -name '*.claim')" ] || failed "a claim is left after the next run"
says "peak (MB)"
says "s wall"
expect 0 groom "$tiny" --out x --stats --log json
says '{"memory": "'
python3 -c 'import json; [json.loads(line) for line in open("said")]' 2>/dev/null ||
    failed "--log json --stats gives lines that are not JSON"

# A small stack is enlarged where the hard limit allows, and an error where it does not.
(ulimit -Ss 64 && expect 0 groom "$tiny" --out stack) || failed "a soft stack limit of 64 KB"
(ulimit -s 64 && expect 7 groom "$tiny" --out stack &&
    says "the stack is limited to 64 KB, expected 512 KB or more") || failed "a hard stack limit of 64 KB"
finish
