# setup: what tools/demo, tools/check and tools/soak share: finding what they need and installing
# what is missing. Sourced, never run.
#
# The list is tools/packages.txt. A package is present when dpkg has it installed or when the
# programs named behind it are on the PATH. Installing needs root or sudo; where neither is possible
# the exact line to run is printed and the script ends with 1.

COIF_SOURCE=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

say() {
    printf '== %s\n' "$*"
}

fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# The lines of one section: a package and its programs.
section_lines() {
    awk -v wanted="[$1]" '
        { sub(/#.*/, "") }
        /^\[/ { inside = ($1 == wanted); next }
        inside && NF { print }' "$COIF_SOURCE/tools/packages.txt"
}

is_installed() {
    command -v dpkg-query >/dev/null &&
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# is_present PACKAGE [PROGRAM...]
is_present() {
    local package=$1 program
    shift
    if [ $# -gt 0 ]; then
        for program; do
            command -v "$program" >/dev/null || break
            [ "$program" = "${!#}" ] && return 0
        done
    fi
    is_installed "$package"
}

# Names of the packages of the given sections that are not here, each once.
missing_packages() {
    local name line
    for name; do
        section_lines "$name"
    done | while read -r line; do
        # Words of a line are a package and its programs: splitting is what is wanted.
        # shellcheck disable=SC2086
        is_present $line || printf '%s\n' "${line%%[[:space:]]*}"
    done | sort -u
}

# Puts the words that make a command run as root into AS_ROOT, or fails.
find_root() {
    AS_ROOT=()
    [ "$(id -u)" = 0 ] && return 0
    command -v sudo >/dev/null || return 1
    AS_ROOT=(sudo)
    sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }
}

install_line() {
    printf 'apt-get update && apt-get install -y --no-install-recommends %s' "$*"
}

apt() {
    "${AS_ROOT[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@"
}

# Whether apt's lists know a version of every package.
lists_know() {
    local package
    for package; do
        apt-cache policy "$package" 2>/dev/null | grep -q 'Candidate: [^(]' || return 1
    done
}

# install_sections SECTION...: afterwards everything in these sections is present.
install_sections() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} = 0 ] && return 0

    if ! command -v apt-get >/dev/null; then
        fail "needs these Debian packages or what they hold: ${missing[*]}"
    fi
    if ! find_root; then
        fail "not root and no sudo; run this as root, then start again:
  $(install_line "${missing[@]}")"
    fi
    say "installing ${missing[*]}"
    lists_know "${missing[@]}" || apt update || fail "apt-get update failed"
    # Lists that are old name files that are gone: the second try has new ones.
    apt install -y --no-install-recommends "${missing[@]}" ||
        { apt update && apt install -y --no-install-recommends "${missing[@]}"; } ||
        fail "could not install; try as root:
  $(install_line "${missing[@]}")"
}

# configure FOLDER OPTION...: prepares a build folder; quick when it is prepared already.
configure() {
    local folder=$1
    shift
    mkdir -p "$folder"
    # Ninja only for a new folder: an old one keeps the generator it was made with.
    [ -e "$folder/CMakeCache.txt" ] || set -- -G Ninja "$@"
    cmake -S "$COIF_SOURCE" -B "$folder" "$@" >"$folder/configure.log" 2>&1 || {
        cat "$folder/configure.log" >&2
        fail "cmake could not configure $folder"
    }
}

# How many jobs to build with: every core, or what COIF_JOBS says.
build_jobs() {
    printf '%s' "${COIF_JOBS:-$(nproc)}"
}
