#!/usr/bin/env bash
# The program and every command print help on stdout.
source "$(dirname -- "$0")/cli.sh"

commands="run lint groom sim render video studio info export validate bench plugins schema completion manual"

expect 0 --help
prints "usage: coif COMMAND"
for command in $commands; do
    prints "  $command "
done
prints "exit codes:"
prints "7 out of memory"

for command in $commands; do
    expect 0 "$command" --help
    prints "usage: coif $command"
    prints "examples:"
    prints "coif $command"
    prints "--threads N"
    prints "4 damaged file"
    [ -s said ] && failed "coif $command --help talks on stderr"
    cp printed by_option
    expect 0 help "$command"
    cmp -s printed by_option || failed "coif help $command differs from coif $command --help"
    expect 0 --help "$command"
    cmp -s printed by_option || failed "coif --help $command differs from coif $command --help"
done

# The reference page is the help of the program.
bash "$source_folder/docs/reference/make_cli.sh" "$coif" >reference.md
cmp -s reference.md "$source_folder/docs/reference/cli.md" ||
    failed "docs/reference/cli.md is stale: docs/reference/make_cli.sh build/bin/coif > docs/reference/cli.md"

# --help takes precedence over errors on the same command line.
expect 0 sim --frames nonsense --help
prints "usage: coif sim"

expect 0 --version
prints "coif 0."
expect 0 sim --version
finish
