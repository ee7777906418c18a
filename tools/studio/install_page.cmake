# install_page: cmake -P install_page.cmake NPM, in the folder of package.json.
# Node knows the usual authorities; a site that adds its own to the system's list is heard too.
if(NOT DEFINED ENV{NODE_EXTRA_CA_CERTS} AND EXISTS /etc/ssl/certs/ca-certificates.crt)
  set(ENV{NODE_EXTRA_CA_CERTS} /etc/ssl/certs/ca-certificates.crt)
endif()
execute_process(COMMAND ${CMAKE_ARGV3} ci --ignore-scripts --no-audit --no-fund --loglevel=error
                        --fetch-retries=2
                RESULT_VARIABLE result ERROR_VARIABLE talk OUTPUT_QUIET)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "what the studio's page is made of could not be installed with npm:\n${talk}")
endif()
