// routes: what can be asked of the studio, and who answers.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_ROUTES_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_ROUTES_H

#include "tools/studio/server/document/studio.h"

// Takes the lock, finds the route, answers; errors become {"error": "..."} with a status of their
// own. Context is the studio.
void coif_routes_answer(void *context, const coif_request *request, coif_reply *reply);

// What a route is: fills the reply, or fails. The lock is held unless it says otherwise.
typedef coif_status coif_route(coif_studio *studio, const coif_request *request, coif_reply *reply,
                               coif_error *error);

// Shared by the files of routes: a whole reply of JSON text or of bytes, in the reply's arena.
void coif_reply_json(coif_reply *reply, const char *json);
void coif_reply_bytes(coif_reply *reply, const void *data, size_t size);
void coif_reply_error(coif_reply *reply, const coif_error *error, int status);

// The groom or layer that a query names; an error when there is none.
coif_status coif_request_groom(const coif_node **groom, coif_studio *studio,
                               const coif_request *request, coif_error *error);
coif_status coif_request_layer(coif_paint_map **layer, coif_studio *studio,
                               const coif_request *request, coif_error *error);

// routes_scene.c; saving takes the lock itself
coif_route coif_route_state, coif_route_schema, coif_route_aovs, coif_route_edit, coif_route_text,
    coif_route_undo, coif_route_redo, coif_route_save;

// routes_paint.c
coif_route coif_route_mesh, coif_route_candidates, coif_route_roots, coif_route_tiles,
    coif_route_paint;

// routes_layers.c; all take the lock themselves
coif_route coif_route_new_layer, coif_route_import_layer, coif_route_export_layer;

// routes_move.c; all but the last three take the lock themselves
coif_route coif_route_strands, coif_route_live, coif_route_grab, coif_route_live_strands,
    coif_route_pose, coif_route_cached, coif_route_frames;

// routes_picture.c; all take the lock themselves
coif_route coif_route_render, coif_route_cancel, coif_route_picture, coif_route_keep;

#endif
