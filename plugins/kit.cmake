# find_package(coif): CMake package of libcoif and of the plugin kit, installed as
# lib/cmake/coif/coifConfig.cmake. Paths are relative to this file, so the installation can be moved.
#
#   coif::coif, coif::static          the shared and the static library of <coif/sim.h> and
#                                     <coif/render.h>
#   coif_add_plugin(NAME SOURCE...)   builds the loadable module NAME.so from C or C++ sources
get_filename_component(coif_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(coif_INCLUDE_DIR "${coif_PREFIX}/include")
set(coif_PLUGIN_DIR "${coif_PREFIX}/lib/coif")

function(coif_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_include_directories(${name} PRIVATE "${coif_INCLUDE_DIR}")
  # Fused multiply-add differs between processors; results of plugins must not.
  target_compile_options(${name} PRIVATE -ffp-contract=off -fvisibility=hidden)
  target_link_libraries(${name} PRIVATE m)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" C_STANDARD 17 CXX_STANDARD 17)
endfunction()

if(NOT TARGET coif::coif)
  add_library(coif::coif SHARED IMPORTED)
  set_target_properties(coif::coif PROPERTIES
    IMPORTED_LOCATION "${coif_PREFIX}/@COIF_LIBRARY_FOLDER@/libcoif.so"
    INTERFACE_INCLUDE_DIRECTORIES "${coif_INCLUDE_DIR}")
  add_library(coif::static STATIC IMPORTED)
  set_target_properties(coif::static PROPERTIES
    IMPORTED_LOCATION "${coif_PREFIX}/@COIF_LIBRARY_FOLDER@/libcoif.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES C
    INTERFACE_INCLUDE_DIRECTORIES "${coif_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "embree@embree_VERSION_MAJOR@;cjson;xxhash;pthread;dl;m")
endif()
