#!/usr/bin/env bash
# The Blender add-on: modules without bpy in python3, the whole of it in Blender without a window.
# BLENDER: another program than blender; COIF_FROM_BLENDER: how that Blender starts coif.
source "$(dirname -- "$0")/cli.sh"
command -v python3 >/dev/null || skip "no python3 here"
tests=$source_folder/tests/blender
export TINY_SCENE=$tiny PYTHONDONTWRITEBYTECODE=1
mkdir pure && (cd pure && python3 "$tests/pure_test.py" "$source_folder/tools/blender/coif" "$coif" >../log 2>&1) ||
    failed "$(cat log)"
python3 "$source_folder/tools/blender/package" coif.zip >log || failed "the add-on is not packed"
blender=${BLENDER:-blender}
command -v "$blender" >/dev/null || { [ $failures = 0 ] && skip "modules without bpy are tested; no blender here"; finish; }
mkdir home && export HOME=$PWD/home BLENDER_USER_RESOURCES=$PWD/home
"$blender" --background --factory-startup --python "$tests/addon_test.py" -- "$PWD/coif.zip" "${COIF_FROM_BLENDER:-$coif}" >log 2>&1 </dev/null &&
    grep -q "ADD-ON OK" log || failed "$(tail -n 25 log)"
finish
