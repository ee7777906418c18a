# libcoif: the solver and the path tracer for other programs (<coif/sim.h>, <coif/render.h>), shared
# and static, from the objects of the program. Only what the interface needs is linked, and only
# the interface is visible.
file(GLOB coif_api_sources CONFIGURE_DEPENDS core/api/*.c sim/api/*.c render/api/*.c)
add_library(coif_api OBJECT ${coif_api_sources})
target_include_directories(coif_api PUBLIC core/api/include sim/api/include render/api/include)
set(coif_library_uses coif_sim_interaction coif_render_session)

add_library(coif_shared SHARED)
target_link_libraries(coif_shared PRIVATE coif_api ${coif_library_uses})
set(coif_library_map ${CMAKE_CURRENT_SOURCE_DIR}/tools/libcoif.map)
set_target_properties(coif_shared PROPERTIES
  OUTPUT_NAME coif LINKER_LANGUAGE C LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS ${coif_library_map})
target_link_options(coif_shared PRIVATE -Wl,--version-script=${coif_library_map} -Wl,--as-needed)
if(NOT COIF_SANITIZE AND NOT COIF_FUZZ)
  target_link_options(coif_shared PRIVATE -Wl,--no-undefined)
endif()

# The static libraries that a target links, itself included.
function(coif_static_parts result)
  set(found "")
  set(queue ${ARGN})
  while(queue)
    list(POP_FRONT queue target)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" target "${target}")
    if(NOT TARGET ${target} OR target IN_LIST found)
      continue()
    endif()
    get_target_property(imported ${target} IMPORTED)
    get_target_property(type ${target} TYPE)
    if(imported)
      continue()
    endif()
    list(APPEND found ${target})
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    if(links)
      list(APPEND queue ${links})
    endif()
  endwhile()
  set(files "")
  foreach(target ${found})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      list(APPEND files $<TARGET_FILE:${target}>)
    endif()
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# One relocatable object in which all but the interface is local, so that a program may have
# symbols of the same names.
coif_static_parts(coif_static_files ${coif_library_uses})
set(coif_static_archive ${CMAKE_BINARY_DIR}/lib/libcoif.a)
add_custom_command(
  OUTPUT ${coif_static_archive}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${coif_static_archive}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o libcoif.o $<TARGET_OBJECTS:coif_api>
          -Wl,--start-group ${coif_static_files} -Wl,--end-group
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=coif_last_error
          --keep-global-symbol=coif_library_version --keep-global-symbol=coif_strand_sim_*
          --keep-global-symbol=coif_renderer_* libcoif.o
  COMMAND ${CMAKE_AR} qcsD ${coif_static_archive} libcoif.o
  DEPENDS $<TARGET_OBJECTS:coif_api> ${coif_static_files}
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(coif_static ALL DEPENDS ${coif_static_archive})

install(TARGETS coif_shared LIBRARY DESTINATION ${COIF_LIBRARY_FOLDER})
install(FILES ${coif_static_archive} DESTINATION ${COIF_LIBRARY_FOLDER})
foreach(part core sim render)
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${part}/api/include/coif DESTINATION include)
endforeach()
file(RELATIVE_PATH coif_pc_prefix /${COIF_LIBRARY_FOLDER}/pkgconfig /)
string(REGEX REPLACE "/$" "" coif_pc_prefix ${coif_pc_prefix})
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/tools/libcoif.pc.in libcoif.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/libcoif.pc DESTINATION ${COIF_LIBRARY_FOLDER}/pkgconfig)
