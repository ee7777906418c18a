# tinyobj_loader_c.h is not packaged by Debian. A copy on the include path (or in
# TINYOBJ_LOADER_C_INCLUDE_DIR) is used; otherwise it is extracted from an npm package and checked
# against the digest below.
set(TINYOBJ_SHA256 e986577663c5fc8da9240ca6705ce2ae14b5bead50224d484d81acc3919973b5)
set(TINYOBJ_MEMBER package/vendor/raylib/src/external/tinyobj_loader_c.h)

find_path(TINYOBJ_LOADER_C_INCLUDE_DIR tinyobj_loader_c.h PATHS ${CMAKE_BINARY_DIR}/third_party)
if(NOT TINYOBJ_LOADER_C_INCLUDE_DIR)
  find_program(COIF_NPM npm)
  if(NOT COIF_NPM)
    message(FATAL_ERROR "tinyobj_loader_c.h was not found, and npm, which fetches it, is missing. "
                        "Install npm, or set TINYOBJ_LOADER_C_INCLUDE_DIR to the folder that holds it.")
  endif()
  set(fetched ${CMAKE_BINARY_DIR}/third_party)
  file(MAKE_DIRECTORY ${fetched})
  message(STATUS "Fetching tinyobj_loader_c.h")
  # Also trust the certificate authorities of the system.
  if(NOT DEFINED ENV{NODE_EXTRA_CA_CERTS} AND EXISTS /etc/ssl/certs/ca-certificates.crt)
    set(ENV{NODE_EXTRA_CA_CERTS} /etc/ssl/certs/ca-certificates.crt)
  endif()
  execute_process(COMMAND ${COIF_NPM} pack --loglevel=error --fetch-retries=1 raylib@0.8.1
                  WORKING_DIRECTORY ${fetched} OUTPUT_QUIET ERROR_VARIABLE output
                  RESULT_VARIABLE result)
  if(result EQUAL 0)
    execute_process(COMMAND ${CMAKE_COMMAND} -E tar xf raylib-0.8.1.tgz ${TINYOBJ_MEMBER}
                    WORKING_DIRECTORY ${fetched} RESULT_VARIABLE result)
  endif()
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "tinyobj_loader_c.h could not be fetched with npm. Check the network, or set "
                        "TINYOBJ_LOADER_C_INCLUDE_DIR to a folder that holds the header.\n${output}")
  endif()
  file(SHA256 ${fetched}/${TINYOBJ_MEMBER} digest)
  if(NOT digest STREQUAL TINYOBJ_SHA256)
    file(REMOVE_RECURSE ${fetched})
    message(FATAL_ERROR "tinyobj_loader_c.h has digest ${digest}, expected ${TINYOBJ_SHA256}")
  endif()
  file(RENAME ${fetched}/${TINYOBJ_MEMBER} ${fetched}/tinyobj_loader_c.h)
  file(REMOVE_RECURSE ${fetched}/package ${fetched}/raylib-0.8.1.tgz)
  set(TINYOBJ_LOADER_C_INCLUDE_DIR ${fetched} CACHE PATH "folder of tinyobj_loader_c.h" FORCE)
endif()
