#!/usr/bin/env bash
# An installation works after it has been moved.
source "$(dirname -- "$0")/cli.sh"

install_to "$folder/first"
mv first moved
[ -e moved/include/coif/plugin.h ] || failed "the plugin header is not installed"
coif=$folder/moved/bin/coif
expect 0 --version
expect 0 groom "$tiny" --out cache
expect 0 render "$tiny" --cache cache --out frames --rest --frames 1
[ -s frames/render0001.png ] || failed "no image"

# Scenes, their assets and the documentation are installed.
expect 0 lint moved/share/coif/scenes/tiny.json moved/share/coif/scenes/bob.json
[ -s moved/share/doc/coif/guide/grooming.md ] || failed "no documentation"

# A plugin builds against the installation: in C from the template, and in C++.
cp -r moved/share/coif/template template
cp "$source_folder/tests/abi/good_cpp.cpp" template/
cat >>template/CMakeLists.txt <<'END'
enable_language(CXX)
coif_add_plugin(stranger good_cpp.cpp)
# The installed example plugins build unchanged.
foreach(example wind/vortex density/slope groom/lift)
  string(MAKE_C_IDENTIFIER ${example} name)
  coif_add_plugin(${name} ${coif_PREFIX}/share/coif/plugins/${example}.c)
endforeach()
find_package(coif 0.9 QUIET)
if(coif_FOUND)
  message(FATAL_ERROR "any version of coif is taken for 0.9")
endif()
END
cmake -S template -B kit -DCMAKE_PREFIX_PATH="$folder/moved" >log 2>&1 && cmake --build kit >>log 2>&1 ||
    failed "$(tail -n 5 log)"
expect 0 plugins wind.breeze --plugin-path kit
prints "height over y = 0"
expect 0 plugins --plugin-path kit
prints "wind.breeze"
for kind in wind.vortex density.slope groom.lift; do
    says "$kind is already registered"
done
# The same without CMake.
if command -v pkg-config >/dev/null; then
    flags=$(PKG_CONFIG_PATH=moved/share/pkgconfig pkg-config --cflags 'coif >= 0.1') ||
        failed "no package coif"
    mkdir plain
    # shellcheck disable=SC2086 # flags are words
    cc -shared $flags -o plain/breeze.so template/breeze.c -lm || failed "no plain plugin"
    expect 0 plugins wind.breeze --plugin-path plain
fi
[ -s moved/share/doc/coif/LICENSE ] || failed "no licence"
[ "$(grep -c . moved/share/man/man1/coif.1)" -gt 100 ] || failed "no manual page"
bash -n moved/share/bash-completion/completions/coif || failed "the completion is not a bash script"
grep -q '^#compdef coif' moved/share/zsh/site-functions/_coif || failed "no completion for zsh"
grep -q '^complete -c coif' moved/share/fish/vendor_completions.d/coif.fish || failed "no completion for fish"
finish
