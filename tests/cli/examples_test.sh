#!/usr/bin/env bash
# Every example of the help runs from an installation, in an empty folder.
source "$(dirname -- "$0")/cli.sh"

install_to "$folder/prefix"
installed=$folder/prefix/bin/coif
export HOME=$folder/home MANPAGER=cat
mkdir -p work home/.zfunc home/.config/fish/completions
cd work || exit 1
cp "$source_folder/scenes/assets/ball.obj" head.obj

# The installed program, with options appended that make an example take a second; a later option
# overrides an earlier one.
coif() {
    local smaller=()
    case $1 in
    run | render) smaller=(--set image/width=64 --set image/height=64) ;;
    bench) smaller=(--strands 100 --points 8) ;;
    esac
    case $* in
    *denoise*) smaller+=(--set image/samples=8) ;;
    "run "* | "render "*) smaller+=(--set image/samples=1) ;;
    esac
    case $* in
    *straight.json*) smaller+=(--set grooms/0/strands_per_cm2=0 --set grooms/0/count=500) ;;
    "bench sim"*) smaller+=(--frames 1 --substeps 1) ;;
    "bench render"*) smaller+=(--size 16 --samples 1) ;;
    studio*)
        "$installed" "$@" --no-open --port 0 &
        until [ -s ../printed ]; do # the address
            kill -0 $! || return
            sleep 0.1
        done
        kill $!
        wait $!
        return
        ;;
    esac
    "$installed" "$@" "${smaller[@]}"
}

count=0
for command in $("$installed" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    # The block ends with an empty line; a backslash continues a line.
    "$installed" help "$command" | sed -n '/^examples:/,/^$/s/^  //p' |
        sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' >../examples
    [ -s ../examples ] || failed "coif help $command has no examples"
    while IFS= read -r line <&3; do
        count=$((count + 1))
        (eval "$line") >../printed 2>../said </dev/null ||
            failed "$line: exit code $?: $(tail -n 2 ../said)"
    done 3<../examples
done
[ "$count" -gt 30 ] || failed "only $count examples were found"
finish
