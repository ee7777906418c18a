// serve: a studio from start to stop: the lock that keeps a second one out, the token, the server,
// the browser.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_SERVER_MAIN_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_SERVER_MAIN_H

#include "tools/studio/server/document/studio.h"

typedef struct coif_serve_desc {
    coif_studio_desc studio;
    int port;  // 0: one that is free
    bool open; // the address in the user's browser
    coif_progress *progress;
} coif_serve_desc;

// Prints the address on stdout and returns when somebody asks to stop.
coif_status coif_serve(const coif_serve_desc *desc, coif_arena *arena, coif_error *error);

#endif
