// server_main: a studio from start to stop: token, HTTP server, and a scene at a time with its lock
// and threads. Without a scene the page is the start page.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_SERVER_MAIN_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_SERVER_MAIN_H

#include "tools/studio/server/document/temp_dir.h"
#include "tools/studio/server/http/routes.h"

typedef struct coif_server_desc {
    coif_studio_desc studio; // path NULL: no scene yet
    coif_project project;
    int port; // 0: any free port
    // Opens an HTML file in the browser: it redirects to the URL. NULL: none. A command line is
    // readable by other users, so the token must not be in it.
    void (*open_browser)(const char *path);
    coif_progress *progress;
} coif_server_desc;

enum { COIF_TOKEN_BYTES = 16 };

typedef struct coif_server {
    const coif_studio_desc *desc;
    coif_error problem; // why the scene that was to be opened in place of another one is not open
    coif_studio studio;
    coif_services services;
    pthread_rwlock_t scene_lock; // held for writing while a scene is opened or closed
    coif_broadcast broadcast;
    coif_http *http;
    coif_temp_dir temp;
    coif_arena scene_arena; // of the open scene
    bool has_temp, has_scene, has_studio;
    char token[2 * COIF_TOKEN_BYTES + 1];
    const char *lock_path;
    int lock; // descriptor, -1: none
} coif_server;

// Close also after a failure. Desc and arena must outlive the server.
coif_status coif_server_open(coif_server *server, const coif_server_desc *desc, coif_arena *arena,
                             coif_error *error);
void coif_server_close(coif_server *server);

// With scene_lock held for writing, or before the first request. After a failure no scene is open.
coif_status coif_server_open_scene(coif_server *server, const char *path, coif_error *error);
void coif_server_close_scene(coif_server *server);

// Opens a server, prints its URL on stdout and returns after progress is cancelled.
coif_status coif_serve(const coif_server_desc *desc, coif_arena *arena, coif_error *error);

#endif
