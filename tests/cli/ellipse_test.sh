#!/usr/bin/env bash
# Elliptical fibres: the ellipticity that the solver bends is the one that is rendered.
source "$(dirname -- "$0")/cli.sh"

expect 0 groom "$tiny" --out cache
hair=grooms/0/hair

# render_rest NAME --set...: renders the rest pose.
render_rest() {
    local name=$1
    shift
    expect 0 render "$tiny" --cache cache --out "$name" --rest --frames 1 --format bmp \
        --set image/width=24 --set image/height=24 --set image/samples=4 "$@"
}
equal() {
    cmp "$1/render0001.bmp" "$2/render0001.bmp" || failed "$1 and $2 have different pixels"
}
differ() {
    cmp -s "$1/render0001.bmp" "$2/render0001.bmp" && failed "$1 and $2 have the same pixels"
}

render_rest plain
render_rest round --set $hair/ellipticity=1
equal plain round
render_rest flat --set $hair/ellipticity=2
differ plain flat
render_rest bent --set sim/solver=der --set sim/ellipticity=2
equal flat bent
render_rest keyed --set sim/solver=der --set 'sim/ellipticity={"keys": [[1, 2], [9, 1]]}'
equal flat keyed
# An own value takes precedence, and a solver that does not bend ellipses has round fibres.
render_rest own --set sim/solver=der --set sim/ellipticity=2 --set $hair/ellipticity=1
equal plain own
render_rest ignored --set sim/solver=pbd --set sim/ellipticity=2
says "no effect with solver pbd"
equal plain ignored
# A changed ellipticity makes the image outdated.
render_rest bent --set sim/solver=der --set sim/ellipticity=2
says "is up to date"
render_rest bent --set sim/solver=der --set sim/ellipticity=1.5
grep -q "is up to date" said && failed "a changed ellipticity did not change the image"
# Fur keeps its round medulla.
render_rest fur --set $hair/model=fur --set $hair/ellipticity=2
says "ellipticity: no effect with model fur"

finish
