#!/usr/bin/env bash
# check.sh WORK lint|test: ESLint and the TypeScript checker over the studio's page, or its unit tests. WORK is a
# directory for packages. Exits with 77 (skipped) without node and npm.
set -eu
source=$(cd -- "$(dirname -- "$0")/../../tools/studio/web" && pwd)
work=$1 script=$2
command -v node >/dev/null && command -v npm >/dev/null || {
    echo "node and npm are not installed"
    exit 77
}
mkdir -p "$work"
cd "$work"
rm -rf src test
cp -r "$source"/. .
# Node only trusts its built-in certificate authorities; add those of the system.
[ -n "${NODE_EXTRA_CA_CERTS-}" ] || [ ! -e /etc/ssl/certs/ca-certificates.crt ] ||
    export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
cmp -s package-lock.json installed-lock.json || {
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=2
    cp package-lock.json installed-lock.json
}
export COIF_SCHEMA=$source/../../../scenes/scene.schema.json # an input of unit tests
exec npm run --silent "$script"
