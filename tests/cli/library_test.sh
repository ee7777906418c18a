#!/usr/bin/env bash
# The examples of docs/examples build and run against an installed prefix, in C and in C++, shared and
# static, by CMake and by pkg-config; libcoif exports its interface and nothing else.
source "$(dirname -- "$0")/cli.sh"

install_to "$folder/first"
mv first moved
prefix=$folder/moved
# Programs without sanitizers cannot use a library that has them.
nm -D "$prefix/lib/libcoif.so" | grep -q __asan_init && exit 77

# Exported symbols are the functions that the headers declare, all with their version.
cat "$prefix"/include/coif/{library,sim,render}.h |
    grep -A1 COIF_LIBRARY_API | grep -oE 'coif_[a-z_]+\(' | tr -d '(' | sort -u >declared
nm -D --defined-only --with-symbol-versions "$prefix/lib/libcoif.so.0.1" |
    awk '$2 == "T" {print $3}' | sed 's/@@COIF_0\.1$//' | sort >exported
nm -D --defined-only "$prefix/lib/libcoif.so.0.1" | awk '$2 != "T" {print $3}' >others
cmp -s declared exported || failed "exported symbols: $(diff declared exported | tr '\n' ' ')"
[ "$(cat others)" = "COIF_0.1" ] || failed "also exported: $(tr '\n' ' ' <others)"
nm -g --defined-only "$prefix/lib/libcoif.a" | awk 'NF == 3 {print $3}' | sort >archived
cmp -s declared archived || failed "global symbols of libcoif.a: $(diff declared archived | tr '\n' ' ')"

# Headers compile on their own, with no warning, as C11 and as C++11.
for header in library sim render; do
    echo "#include <coif/$header.h>" >"$header.c"
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$header.c" ||
        failed "$header.h is not C11"
    c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -x c++ -fsyntax-only \
        "$header.c" || failed "$header.h is not C++11"
done

# By the CMake package: the folder as it is, then all four combinations.
examples=$prefix/share/doc/coif/examples
for example in "$examples"/*.c; do
    [ "$(wc -l <"$example")" -le 80 ] || failed "$example has more than 80 lines"
done
cmake -S "$examples" -B plain -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1 &&
    cmake --build plain >>log 2>&1 || failed "$(tail -n 5 log)"
mkdir all
cp "$examples"/*.c all/
cat >all/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(library_test LANGUAGES C CXX)
find_package(coif 0.1 REQUIRED)
foreach(example simulate render)
  configure_file(${example}.c ${example}.cpp COPYONLY)
  add_executable(${example}_c_static ${example}.c)
  target_link_libraries(${example}_c_static coif::static m)
  add_executable(${example}_cpp_shared ${CMAKE_CURRENT_BINARY_DIR}/${example}.cpp)
  target_link_libraries(${example}_cpp_shared coif::coif)
  add_executable(${example}_cpp_static ${CMAKE_CURRENT_BINARY_DIR}/${example}.cpp)
  target_link_libraries(${example}_cpp_static coif::static)
endforeach()
END
cmake -S all -B built -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1 && cmake --build built >>log 2>&1 ||
    failed "$(tail -n 5 log)"

# Strands keep their length, and every build and number of threads gives the same bits.
plain/simulate 1 >first_run || failed "simulate failed"
grep -qE '^1000 strands: stretch [0-9.]+e-0[5-9], 0 reset' first_run || failed "$(cat first_run)"
for program in plain/simulate built/simulate_c_static built/simulate_cpp_shared \
    built/simulate_cpp_static; do
    "$program" 2 >run && cmp -s run first_run || failed "$program: $(cat run)"
done

# The image has hair before a background, and the same bits.
plain/render image.pfm 1 || failed "render failed"
python3 - image.pfm <<'END' || failed "the image shows no hair"
import array, sys
with open(sys.argv[1], "rb") as file:
    assert file.readline() == b"PF\n"
    width, height = map(int, file.readline().split())
    file.readline()
    values = array.array("f", file.read())
assert len(values) == 3 * width * height
pixel = lambda x, y: values[3 * (y * width + x) : 3 * (y * width + x) + 3]
corner, middle = pixel(2, 2), pixel(width // 2, height // 2)
assert all(0.02 < v < 0.06 for v in corner), corner
hair = sum(1 for i in range(0, len(values), 3) if values[i] > 1.3 * values[i + 2] > 0)
assert 0.15 < hair / (width * height) < 0.6, hair
assert middle[0] > middle[1] > middle[2] > 0.0, middle
END
for program in built/render_c_static built/render_cpp_shared built/render_cpp_static; do
    "$program" other.pfm 2 && cmp -s image.pfm other.pfm || failed "$program differs"
done

# By pkg-config, in C and in C++: one example with the shared library, the other with the static one.
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    read -ra flags < <(pkg-config --cflags libcoif)
    read -ra shared < <(pkg-config --libs 'libcoif >= 0.1')
    read -ra static < <(pkg-config --libs --static libcoif | sed 's/-lcoif//')
    for compiler in "cc -x c" "c++ -x c++"; do
        read -ra words <<<"$compiler"
        "${words[@]}" "${flags[@]}" -o shared "$examples/simulate.c" -x none "${shared[@]}" -lm &&
            LD_LIBRARY_PATH=$prefix/lib ./shared 2 >run && cmp -s run first_run || failed "pkg-config, $compiler, shared"
        "${words[@]}" "${flags[@]}" -o static "$examples/render.c" -x none "$prefix/lib/libcoif.a" "${static[@]}" &&
            ./static other.pfm 2 && cmp -s image.pfm other.pfm || failed "pkg-config, $compiler, static"
    done
fi
finish
