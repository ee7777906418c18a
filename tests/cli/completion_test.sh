#!/usr/bin/env bash
# The completion script knows every command and the options of each.
source "$(dirname -- "$0")/cli.sh"

expect 0 completion
source ./printed || failed "the script does not run"

# completes WORDS...: what the last word may become.
completes() {
    COMP_WORDS=(coif "$@")
    COMP_CWORD=$#
    _coif
    printf '%s' "${COMPREPLY[*]}"
}

[ "$(completes sch)" = schema ] || failed "sch becomes '$(completes sch)'"
[ "$(completes sim a.json --fra)" = --frames ] || failed "--fra becomes '$(completes sim a.json --fra)'"
[ "$(completes --quiet video --del)" = --delete-frames ] || failed "--del is not known to video"
[ "$(completes sim --thr)" = --threads ] || failed "global options are not completed"
[ -z "$(completes sim ru)" ] || failed "a file name becomes '$(completes sim ru)'"
finish
