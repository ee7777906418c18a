// static_files: the built web page, from ../share/coif/studio relative to the program or from
// COIF_STUDIO_PAGE.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_STATIC_FILES_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_STATIC_FILES_H

#include "tools/studio/server/http/http.h"

// Fails when the page was not built.
coif_status coif_static_files_check(coif_error *error);

// "/", "/studio.js" and "/studio.css"; other paths leave the reply unchanged.
void coif_static_files_handle(const char *path, coif_reply *reply);

#endif
