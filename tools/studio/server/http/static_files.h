// page: the files the browser loads, from share/coif/studio beside the program's folder or from
// where COIF_STUDIO_PAGE says.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_STATIC_FILES_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_STATIC_FILES_H

#include "tools/studio/server/http/http.h"

// Fails when the page was not built; says so.
coif_status coif_static_files_find(coif_error *error);

// "/", "/studio.js" and "/studio.css"; leaves the reply alone for other paths.
void coif_static_files_answer(const char *path, coif_reply *reply);

#endif
