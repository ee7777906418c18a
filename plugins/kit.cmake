# find_package(coif): the plugin kit. Installed as lib/cmake/coif/coifConfig.cmake; everything is
# found from its own place, so the tree may be moved.
#
#   coif_add_plugin(NAME SOURCE...)   a loadable module NAME.so of one or more plugins, C or C++
get_filename_component(coif_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(coif_INCLUDE_DIR "${coif_PREFIX}/include")
set(coif_PLUGIN_DIR "${coif_PREFIX}/lib/coif")

function(coif_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_include_directories(${name} PRIVATE "${coif_INCLUDE_DIR}")
  # Contraction of a b + c differs between machines; coif promises that caches do not.
  target_compile_options(${name} PRIVATE -ffp-contract=off -fvisibility=hidden)
  target_link_libraries(${name} PRIVATE m)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" C_STANDARD 17 CXX_STANDARD 17)
endfunction()
