# Functions for the tests of the program. Sourced by each *_test.sh, which gets the path of the
# program as its first argument and runs in a temporary folder that is removed at the end.
#
# A test runs a command with `expect CODE arguments...` and then checks its output. Failures are
# counted and printed; `finish` ends the test.
set -uo pipefail

coif=$(realpath "$1")
source_folder=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
tiny=$source_folder/scenes/tiny.json
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset COIF_PLUGIN_PATH
export XDG_STATE_HOME=$folder/state

failures=0

failed() {
    printf '%s:%s: %s\n' "${BASH_SOURCE[-1]##*/}" "${BASH_LINENO[-2]}" "$*" >&2
    failures=$((failures + 1))
}

# expect CODE ARGUMENTS...: runs coif; stderr is in the file said, stdout in the file printed.
expect() {
    local wanted=$1 code=0
    shift
    "$coif" "$@" >printed 2>said </dev/null || code=$?
    if [ "$code" != "$wanted" ]; then
        failed "coif $* exited with $code, expected $wanted; stderr:"
        tail -n 5 said >&2
        return 1
    fi
}

# install_to FOLDER: installs the build of coif.
install_to() {
    cmake --install "$(dirname "$(dirname "$coif")")" --prefix "$1" >log 2>&1 || failed "$(tail -n 3 log)"
}

# says TEXT / prints TEXT: stderr, stdout of the last expect contain it.
says() {
    grep -qF -- "$1" said || {
        failed "stderr does not contain '$1':"
        tail -n 5 said >&2
    }
}

prints() {
    grep -qF -- "$1" printed || {
        failed "stdout does not contain '$1':"
        head -n 5 printed >&2
    }
}

# few_strands SCENE: sets the array few to the --set options that reduce its grooms to 2000 strands.
few_strands() {
    few=()
    expect 0 info "$1" || return 1
    local groom
    for groom in $(grep -oE '/grooms/[0-9]+' printed | sort -u); do
        few+=(--set "${groom#/}/strands_per_cm2=0" --set "${groom#/}/count=2000")
    done
}

# One line per file of a folder: digest and name; equal text means equal files.
digests() {
    (cd "$1" && find . -type f ! -name '*.stats.json*' -print0 | sort -z | xargs -0 sha256sum)
}

# same_files A B: both folders hold the same files with the same bytes.
same_files() {
    [ -n "$(ls -A "$1")" ] || failed "$1 is empty"
    diff <(digests "$1") <(digests "$2") >difference || {
        failed "$1 and $2 differ:"
        head -n 6 difference >&2
    }
}

# no_scraps FOLDER: no temporary file is left.
no_scraps() {
    local scraps
    scraps=$(find "$1" -type f ! -name '*.groom' ! -name '*.strands' ! -name '*.state' \
        ! -name '*.json' ! -name '*.jsonl' ! -name '*.png' ! -name '*.exr' ! -name '*.checkpoint' ! -name '*.mp4')
    [ -z "$scraps" ] || failed "left behind: $scraps"
}

skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}

finish() {
    if [ $failures -gt 0 ]; then
        printf '%d failures\n' $failures >&2
        exit 1
    fi
    printf 'ok\n'
    exit 0
}
