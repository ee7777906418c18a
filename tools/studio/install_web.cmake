# cmake -P install_web.cmake NPM, run in the directory of package.json.
# Node only trusts its built-in certificate authorities; add those of the system.
if(NOT DEFINED ENV{NODE_EXTRA_CA_CERTS} AND EXISTS /etc/ssl/certs/ca-certificates.crt)
  set(ENV{NODE_EXTRA_CA_CERTS} /etc/ssl/certs/ca-certificates.crt)
endif()
execute_process(COMMAND ${CMAKE_ARGV3} ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
                        --fetch-retries=2
                RESULT_VARIABLE result ERROR_VARIABLE errors OUTPUT_QUIET)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "npm could not install the dependencies of the studio's web page:\n${errors}")
endif()
