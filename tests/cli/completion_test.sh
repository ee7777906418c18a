#!/usr/bin/env bash
# The completion scripts know every command and the options and choices of each, in three shells.
source "$(dirname -- "$0")/cli.sh"

expect 0 completion
cp printed coif.bash
source ./coif.bash || failed "the script does not run"

# completes WORDS...: completions of the last word.
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
[ "$(completes render --embree-isa s)" = sse4.2 ] || failed "s becomes '$(completes render --embree-isa s)'"
[ "$(completes sim --log j)" = json ] || failed "j becomes '$(completes sim --log j)'"

expect 0 completion bash && cmp -s printed coif.bash || failed "bash is not what is meant by nothing"
expect 0 completion zsh && cp printed _coif
expect 0 completion fish && cp printed coif.fish
expect 1 completion tcsh && says "'tcsh' is none of bash|zsh|fish"

# Every option of every --help is in all of them.
expect 0 --help
commands=$(sed -n 's/^  \([a-z]\+\)  .*/\1/p' printed)
[ "$(wc -w <<<"$commands")" -gt 12 ] || failed "--help lists '$commands'"
for command in $commands; do
    expect 0 "$command" --help
    grep -q "^        '$command:" _coif || failed "zsh does not know $command"
    grep -q -- "-f -a $command -d" coif.fish || failed "fish does not know $command"
    # The part of zsh's script for the command, and what all have.
    { sed -n "/^    $command)/,/;;/p" _coif && sed -n '/everywhere=(/,/^    )/p' _coif; } >own.zsh
    grep -E "from $command'|^complete -c coif -l" coif.fish >own.fish
    for option in $(sed -n 's/^  \(--[a-z0-9_-]\+\).*/\1/p' printed); do
        [[ " $(completes "$command" "$option") " == *" $option "* ]] || failed "bash: $command has no $option"
        grep -qE -- "'\*?$option[=[]" own.zsh || failed "zsh: $command has no $option"
        grep -q -- " -l ${option#--} " own.fish || failed "fish: $command has no $option"
    done
done

# In the shells themselves, where installed.
if command -v fish >/dev/null; then
    asks() {
        HOME=$PWD fish --no-config -c "source coif.fish; complete -C 'coif $1'" | cut -f 1 | tr '\n' ' '
    }
    [ "$(asks sch)" = "schema " ] || failed "fish: sch becomes '$(asks sch)'"
    [ "$(asks "render a.json --fra")" = "--frames " ] || failed "fish: --fra is not known to render"
    [ "$(asks "completion ")" = "bash fish zsh " ] || failed "fish: completion offers '$(asks "completion ")'"
fi
if command -v zsh >/dev/null; then
    # What is handed to zsh's own functions, which do the rest.
    cat >ask.zsh <<'END'
compdef() { : }
_arguments() { print -r -- "$words / $CURRENT"; print -rl -- "$@" }
_describe() { print -rl -- "$1" "${(@P)2}" }
source ./_coif
words=(coif "$@")
CURRENT=$(( $# + 1 ))
_coif
END
    zsh -f ask.zsh sch >completions
    grep -q '^schema:' completions || failed "zsh: commands are not described"
    zsh -f ask.zsh --quiet render a.json --fra >completions
    grep -q '^coif a.json --fra / 3$' completions || failed "zsh: the arguments of render are $(head -n 1 completions)"
    grep -q -- '^--frames=\[.*\]:LIST: $' completions || failed "zsh: --frames is not known to render"
    grep -q -- '^--embree-isa=.*:(auto avx2 sse4.2)$' completions || failed "zsh: --embree-isa has no choices"
    grep -q -- '^--threads=' completions || failed "zsh: global options are not completed"
fi
finish
