#!/usr/bin/env bash
# run.sh PROGRAM WORK [PLAYWRIGHT ARGUMENTS...]: browser tests of the studio.
# run.sh PROGRAM WORK --script FILE [ARGUMENTS...]: a script with the same support modules, such as screens.mjs.
# WORK is a directory for packages and output. Exits with 77 (skipped) without node, npm or Chromium.
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd)
COIF_PROGRAM=$(realpath -- "$1")
work=$2
shift 2

COIF_CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "Chromium is not installed"
    exit 77
}
command -v node >/dev/null && command -v npm >/dev/null || {
    echo "node and npm are not installed"
    exit 77
}
mkdir -p "$work/support"
work=$(cd -- "$work" && pwd)
cp "$here"/*.mjs "$here"/package.json "$here"/package-lock.json "$work"
cp "$here"/support/*.mjs "$work/support"
cd "$work"
# Node only trusts its built-in certificate authorities; add those of the system.
[ -n "${NODE_EXTRA_CA_CERTS-}" ] || [ ! -e /etc/ssl/certs/ca-certificates.crt ] ||
    export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
cmp -s package-lock.json installed-lock.json || {
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=2
    cp package-lock.json installed-lock.json
}
export COIF_PROGRAM COIF_CHROMIUM COIF_SCENES=${COIF_SCENES-$here/../../scenes} COIF_TEST_OUTPUT=$work/output
if [ "${1-}" = --script ]; then
    shift
    exec node "$@"
fi
exec node_modules/.bin/playwright test --config playwright.config.mjs "$@"
