# find_package(coif): CMake package of the plugin kit, installed as lib/cmake/coif/coifConfig.cmake.
# Paths are relative to this file, so the installation can be moved.
#
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
