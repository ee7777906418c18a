#!/usr/bin/env bash
# format: every C and C++ file is as .clang-format wants it.
set -euo pipefail
cd "$(dirname -- "${BASH_SOURCE[0]}")/.."
find core sim render plugins tools tests -name node_modules -prune -o \
    \( -name '*.c' -o -name '*.h' -o -name '*.cpp' \) -print0 |
    xargs -0 clang-format --dry-run --Werror
echo "formatted as .clang-format says"
