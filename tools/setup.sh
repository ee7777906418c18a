# setup: functions of tools/demo, tools/check and tools/soak: installation of packages, configuration
# of builds. Sourced, not executed.
#
# tools/packages.txt lists the packages. A package counts as present when dpkg has it installed or when
# its programs are on the PATH. Installation needs root or sudo; without them the command to run is
# printed and the script exits with 1.

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

# Names of the missing packages of the given sections, without duplicates.
missing_packages() {
    local name line
    for name; do
        section_lines "$name"
    done | while read -r line; do
        # A line is split into a package and its programs.
        # shellcheck disable=SC2086
        is_present $line || printf '%s\n' "${line%%[[:space:]]*}"
    done | sort -u
}

# Sets AS_ROOT to the prefix of commands that run as root, or fails.
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

# Whether the package lists of apt have a candidate of every package.
have_candidates() {
    local package
    for package; do
        apt-cache policy "$package" 2>/dev/null | grep -q 'Candidate: [^(]' || return 1
    done
}

# install_sections SECTION...: installs the missing packages of these sections.
install_sections() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} = 0 ] && return 0

    if ! command -v apt-get >/dev/null; then
        fail "requires these Debian packages or their contents: ${missing[*]}"
    fi
    if ! find_root; then
        fail "not root and no sudo; run this as root, then start again:
  $(install_line "${missing[@]}")"
    fi
    say "installing ${missing[*]}"
    have_candidates "${missing[@]}" || apt update || fail "apt-get update failed"
    # Outdated lists name files that no longer exist: update and try again.
    apt install -y --no-install-recommends "${missing[@]}" ||
        { apt update && apt install -y --no-install-recommends "${missing[@]}"; } ||
        fail "could not install; try as root:
  $(install_line "${missing[@]}")"
}

# configure FOLDER OPTION...: configures a build folder.
configure() {
    local folder=$1
    shift
    mkdir -p "$folder"
    # An existing folder keeps its generator.
    [ -e "$folder/CMakeCache.txt" ] || set -- -G Ninja "$@"
    ! command -v ccache >/dev/null ||
        set -- -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
    cmake -S "$COIF_SOURCE" -B "$folder" "$@" >"$folder/configure.log" 2>&1 || {
        cat "$folder/configure.log" >&2
        fail "cmake could not configure $folder"
    }
}

# Number of build jobs: COIF_JOBS, or one per core.
build_jobs() {
    printf '%s' "${COIF_JOBS:-$(nproc)}"
}
