# coif_folder_library(MODULE FOLDER [USES ...] [LIBRARIES ...] [EXCLUDE ...] [OBJECTS ...])
#
# The static library coif_MODULE_FOLDER of all C files below FOLDER but EXCLUDE, and of OBJECTS. It
# may use the folders of the same module and the targets in USES, and what these use; its link check,
# all objects of the folder without undefined symbols, fails when it uses anything else.
function(coif_folder_library module folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "USES;LIBRARIES;EXCLUDE;OBJECTS")
  set(name coif_${module}_${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.c)
  if(arg_EXCLUDE)
    list(TRANSFORM arg_EXCLUDE PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    list(REMOVE_ITEM sources ${arg_EXCLUDE})
  endif()
  set(used ${arg_LIBRARIES})
  foreach(use ${arg_USES})
    if(TARGET coif_${module}_${use})
      list(APPEND used coif_${module}_${use})
    else()
      list(APPEND used ${use})
    endif()
  endforeach()
  add_library(${name} STATIC ${sources} ${arg_OBJECTS})
  target_link_libraries(${name} PUBLIC ${used})
  # Sanitizers leave symbols undefined that only the program has.
  if(COIF_TESTS AND NOT COIF_SANITIZE AND NOT COIF_FUZZ)
    add_library(${name}_link_check MODULE $<TARGET_OBJECTS:${name}> ${arg_OBJECTS})
    target_link_libraries(${name}_link_check PRIVATE ${used})
    target_link_options(${name}_link_check PRIVATE -Wl,--no-undefined)
    set_target_properties(${name}_link_check PROPERTIES LINKER_LANGUAGE C
                          LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/link_check)
  endif()
endfunction()
