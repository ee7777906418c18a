#!/usr/bin/env bash
# run.sh PROGRAM FOLDER FILE [TEST...]: the tests of the studio's page. Folder is where what they need is
# installed; without node, npm or a browser they are left out (77).
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd)
program=$1 folder=$2 file=$3
shift 3

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "no Chromium here"
    exit 77
}
command -v node >/dev/null && command -v npm >/dev/null || {
    echo "no node and npm here"
    exit 77
}
mkdir -p "$folder"
cp "$here"/*.mjs "$here"/package.json "$here"/package-lock.json "$folder"
cd "$folder"
# Node knows the usual authorities; a site that adds its own to the system's list is heard too.
[ -n "${NODE_EXTRA_CA_CERTS-}" ] || [ ! -e /etc/ssl/certs/ca-certificates.crt ] ||
    export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
[ -d node_modules/playwright-core ] ||
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=2
exec node "$file" "$program" "$here/../../scenes" "$browser" "$@"
