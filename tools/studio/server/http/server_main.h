// server_main: a studio from start to stop: scene lock, token, threads and HTTP server.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_SERVER_MAIN_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_SERVER_MAIN_H

#include "tools/studio/server/document/temp_dir.h"
#include "tools/studio/server/http/routes.h"

typedef struct coif_server_desc {
    coif_studio_desc studio;
    int port; // 0: any free port
    // Opens an HTML file in the browser: it redirects to the URL. NULL: none. A command line is
    // readable by other users, so the token must not be in it.
    void (*open_browser)(const char *path);
    coif_progress *progress;
} coif_server_desc;

enum { COIF_TOKEN_BYTES = 16 };

typedef struct coif_server {
    coif_studio studio;
    coif_services services;
    coif_http *http;
    coif_temp_dir temp;
    bool has_temp, has_studio;
    char token[2 * COIF_TOKEN_BYTES + 1];
    const char *lock_path;
    int lock; // descriptor, -1: none
} coif_server;

// Close also after a failure. Arena must outlive the server.
coif_status coif_server_open(coif_server *server, const coif_server_desc *desc, coif_arena *arena,
                             coif_error *error);
void coif_server_close(coif_server *server);

// Opens a server, prints its URL on stdout and returns after progress is cancelled.
coif_status coif_serve(const coif_server_desc *desc, coif_arena *arena, coif_error *error);

#endif
