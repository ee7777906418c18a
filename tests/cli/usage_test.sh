#!/usr/bin/env bash
# Usage errors are exit code 1, name the argument and suggest the nearest one.
source "$(dirname -- "$0")/cli.sh"

expect 1
says "a command is missing"
expect 1 rendr
says "unknown command 'rendr'; did you mean 'render'?"
for words in "--log json rendr" "rendr --log json" "rendr --log=json x" "render --bogus --log json"; do
    expect 1 $words
    python3 -c 'import json; [json.loads(line) for line in open("said")]' ||
        failed "not every line of 'coif $words' is JSON"
done
expect 1 zzzzzz
says "unknown command 'zzzzzz'"
grep -q "did you mean" said && failed "a word that is near nothing gets a suggestion"
expect 1 sim "$tiny" --otu x
says "unknown option '--otu'; did you mean '--out'?"
says "try 'coif sim --help'"
expect 1 --thread 2 sim "$tiny"
says "did you mean '--threads'?"
expect 1 sim --out x
says "SCENE is missing"
expect 1 sim "$tiny"
says "--out is missing"
expect 1 sim "$tiny" --out
says "--out needs a value"
expect 1 sim "$tiny" --out --force
says "--out needs a value"
expect 1 sim "$tiny" more --out x
says "unexpected argument 'more'"
expect 1 sim "$tiny" --out x --threads two
says "--threads: 'two' is not a number"
expect 1 sim "$tiny" --out x --threads -1
says "--threads: -1 is outside 0 to 4096"
expect 1 sim "$tiny" --out x --threads 1.5
says "not a whole number"
expect 1 sim "$tiny" --out x --kernel wide5
says "did you mean 'wide4'?"
expect 1 sim "$tiny" --out x --max-memory lots
says "'lots' is not a size"
expect 1 sim "$tiny" --out x --force=perhaps
says "'perhaps' is neither true nor false"
expect 1 --log xml sim "$tiny" --out x
says "--log: 'xml' is none of text|json"
for frames in 5-1 x 1-3x0 1-2-3 ""; do
    expect 1 sim "$tiny" --out x --frames "$frames"
done
expect 1 render "$tiny" --cache x
says "--out is missing"
expect 1 export "$tiny" hair.xyz --cache x
says "expected one of .hair"
expect 1 render "$tiny" --out x --crop 1,2
says "expected X,Y,W,H"
expect 1 render "$tiny" --out x --aov albdo
says "did you mean \"albedo\""
[ -e x ] && failed "a wrong command line made a folder"

# Options may precede or follow the command, with a space or with =.
expect 0 --quiet --threads=1 plugins
expect 0 plugins --threads 1 --log=json
expect 1 plugins --log json --nonsense
grep -qv '^{"level": "error"' said && failed "--log json tells a wrong option as text"

# A closed pipe is not an error.
"$coif" schema 2>said | head -n 1 >printed
[ -s said ] && failed "schema | head said: $(cat said)"
finish
