// routes: the HTTP API, see docs/reference/http_api.md.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_ROUTES_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_ROUTES_H

#include "core/json/json.h"
#include "tools/studio/server/document/mesh_import.h"
#include "tools/studio/server/http/http.h"
#include "tools/studio/server/live/brush_session.h"
#include "tools/studio/server/live/cache_playback.h"
#include "tools/studio/server/live/live_sim.h"
#include "tools/studio/server/render/render_job.h"

struct coif_server;

// The modules that handle requests.
typedef struct coif_services {
    struct coif_server *server;
    const coif_project *project;
    const char *upload_folder;    // of uploaded meshes, in the temporary folder
    pthread_rwlock_t *scene_lock; // of the fields below
    coif_studio *studio;          // NULL: no scene is open
    coif_live_sim *live;
    coif_render_job *render;
    coif_cache_playback *playback;
    coif_brush_session *brush;
} coif_services;

// Handles a request; context is coif_services. Errors are {"error": "..."} with status 400 for
// malformed requests, 422 for invalid values and 500 for failures of the server.
void coif_routes_handle(void *context, const coif_request *request, coif_reply *reply);

// Largest request body of a route, bytes.
size_t coif_routes_body_limit(const char *method, const char *path);

// A route fills the reply or fails. The table in routes.c says whether the studio is locked.
typedef coif_status coif_route(const coif_services *services, const coif_request *request,
                               coif_reply *reply, coif_error *error);

// ---- shared by the route files

void coif_reply_json(coif_reply *reply, const char *json);
void coif_reply_bytes(coif_reply *reply, const void *data, size_t size);
void coif_reply_error(coif_reply *reply, const coif_error *error, int status);

// The groom or layer that a query parameter selects.
coif_status coif_request_groom(const coif_node **groom, const coif_studio *studio,
                               const coif_request *request, coif_error *error);
coif_status coif_request_layer(coif_paint_map **map, coif_studio *studio,
                               const coif_request *request, coif_error *error);

// The body as a JSON object. Malformed bodies are COIF_ERR_FORMAT, here and below.
coif_status coif_request_object(coif_json **object, const coif_request *request, const char *name,
                                coif_arena *arena, coif_error *error);

// Members of it; absent ones leave the value unchanged, only floats are required.
coif_status coif_json_read_bool(bool *value, const coif_json *object, const char *key,
                                coif_error *error);
coif_status coif_json_read_text(const char **value, const coif_json *object, const char *key,
                                coif_error *error);
coif_status coif_json_read_int(int32_t *value, const coif_json *object, const char *key,
                               int32_t low, int32_t high, coif_error *error);
coif_status coif_json_read_ints(int32_t *values, int32_t count, const coif_json *object,
                                const char *key, int32_t low, int32_t high, coif_error *error);
coif_status coif_json_read_floats(float *values, int32_t count, const coif_json *object,
                                  const char *key, double limit, coif_error *error);

// routes_scene.c
coif_route coif_route_state, coif_route_schema, coif_route_aovs, coif_route_edit, coif_route_undo,
    coif_route_redo, coif_route_save, coif_route_preset;

// routes_project.c: without a scene too. Those of the second row open or close one.
coif_route coif_route_project, coif_route_picture, coif_route_files;
coif_route coif_route_open_scene, coif_route_close_scene, coif_route_new_scene;

// routes_mesh_import.c
coif_route coif_route_upload_mesh, coif_route_project_mesh;

// The member "mesh" of a request for a new scene.
coif_status coif_mesh_import_read(coif_mesh_import *import, const coif_json *mesh,
                                  const coif_services *services, coif_arena *arena,
                                  coif_error *error);

// routes_paint.c
coif_route coif_route_mesh, coif_route_candidates, coif_route_roots, coif_route_tiles,
    coif_route_paint, coif_route_new_layer, coif_route_new_stack_layer, coif_route_thumbnail,
    coif_route_import_layer, coif_route_export_layer;

// routes_simulation.c
coif_route coif_route_strands, coif_route_live, coif_route_body_drag, coif_route_live_frame,
    coif_route_pose, coif_route_cache_frame, coif_route_cache;

// routes_brush.c
coif_route coif_route_brushed_strands, coif_route_brush;

// routes_render.c
coif_route coif_route_render, coif_route_cancel, coif_route_image, coif_route_save_image;

#endif
