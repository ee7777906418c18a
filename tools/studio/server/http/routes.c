#include "tools/studio/server/http/routes.h"

#include "core/base/log.h"
#include "core/json/json.h"
#include "tools/studio/server/document/growth_surface.h"
#include "tools/studio/server/http/static_files.h"
#include "tools/studio/server/render/render_job.h"

#include <string.h>

typedef struct entry {
    const char *method, *path;
    coif_route *route;
    bool changes; // pages are told afterwards
    bool alone;   // it takes the lock itself, for as long as it needs it
} entry;

static const entry ENTRIES[] = {
    {"GET", "/api/state", coif_route_state, false, false},
    {"GET", "/api/schema", coif_route_schema, false, false},
    {"GET", "/api/aovs", coif_route_aovs, false, false},
    {"POST", "/api/edit", coif_route_edit, true, false},
    {"PUT", "/api/text", coif_route_text, true, false},
    {"POST", "/api/undo", coif_route_undo, true, false},
    {"POST", "/api/redo", coif_route_redo, true, false},
    {"POST", "/api/save", coif_route_save, true, true},
    {"GET", "/api/mesh", coif_route_mesh, false, false},
    {"GET", "/api/root_candidates", coif_route_candidates, false, false},
    {"GET", "/api/roots", coif_route_roots, false, false},
    {"GET", "/api/tiles", coif_route_tiles, false, false},
    {"PUT", "/api/tiles", coif_route_paint, true, false},
    {"POST", "/api/layers", coif_route_new_layer, true, true},
    {"PUT", "/api/layers", coif_route_import_layer, true, true},
    {"GET", "/api/layers", coif_route_export_layer, false, true},
    {"GET", "/api/strands", coif_route_strands, false, true},
    {"GET", "/api/pose", coif_route_pose, false, false},
    {"POST", "/api/live", coif_route_live, false, true},
    {"PUT", "/api/body_drag", coif_route_grab, false, true},
    {"GET", "/api/live", coif_route_live_strands, false, true},
    {"GET", "/api/cache_frame", coif_route_cached, false, false},
    {"GET", "/api/cache", coif_route_frames, false, false},
    {"POST", "/api/render", coif_route_render, false, true},
    {"POST", "/api/cancel", coif_route_cancel, false, true},
    {"GET", "/api/image", coif_route_picture, false, true},
    {"POST", "/api/image", coif_route_keep, false, true},
};

void coif_reply_json(coif_reply *reply, const char *json)
{
    reply->status = 200;
    reply->type = "application/json";
    reply->data = json;
    reply->size = strlen(json);
}

void coif_reply_bytes(coif_reply *reply, const void *data, size_t size)
{
    reply->status = 200;
    reply->type = "application/octet-stream";
    reply->data = data;
    reply->size = size;
}

void coif_reply_error(coif_reply *reply, const coif_error *error, int status)
{
    const char *text = coif_arena_print(reply->arena, "{\"error\": %s}",
                                        coif_json_quote(error->text, reply->arena));
    coif_reply_json(reply, text);
    reply->status = status;
}

coif_status coif_request_groom(const coif_node **groom, coif_studio *studio,
                               const coif_request *request, coif_error *error)
{
    return coif_studio_groom(groom, studio, coif_request_number(request, "groom", 0, -1, INT32_MAX),
                             error);
}

coif_status coif_request_layer(coif_paint_map **layer, coif_studio *studio,
                               const coif_request *request, coif_error *error)
{
    const int64_t index = coif_request_number(request, "layer", -1, -1, INT32_MAX);
    if (index < 0 || index >= studio->layer_count) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "layer=%lld: there are %d", (long long)index,
                         studio->layer_count);
    }
    *layer = &studio->layers[index];
    return (*layer)->refusal == NULL ? COIF_OK
                                     : coif_fail(error, COIF_ERR_ARGUMENT, "%s", (*layer)->refusal);
}

static int http_status(coif_status status)
{
    switch (status) {
    case COIF_ERR_ARGUMENT:
    case COIF_ERR_SCENE:
    case COIF_ERR_FORMAT:
    case COIF_ERR_PLUGIN:
        return 422;
    default:
        return 500;
    }
}

static void run(const entry *found, coif_studio *studio, const coif_request *request,
                coif_reply *reply)
{
    coif_error error = {0};
    if (!found->alone) {
        pthread_mutex_lock(&studio->lock);
    }
    if (found->route(studio, request, reply, &error) != COIF_OK) {
        coif_reply_error(reply, &error, http_status(error.status));
    }
    if (found->alone && found->changes) {
        pthread_mutex_lock(&studio->lock);
    }
    if (found->changes) {
        coif_studio_broadcast_state(studio);
        coif_render_job_invalidate(studio->picture);
    }
    if (found->changes || !found->alone) {
        pthread_mutex_unlock(&studio->lock);
    }
}

void coif_routes_answer(void *context, const coif_request *request, coif_reply *reply)
{
    coif_studio *studio = context;
    for (size_t i = 0; i < COIF_COUNT_OF(ENTRIES); ++i) {
        if (strcmp(ENTRIES[i].path, request->path) == 0) {
            if (strcmp(ENTRIES[i].method, request->method) == 0) {
                run(&ENTRIES[i], studio, request, reply);
                return;
            }
            reply->status = 405;
            reply->data = "{\"error\": \"not with this method\"}";
            reply->size = strlen(reply->data);
        }
    }
    if (strcmp(request->method, "GET") == 0) {
        coif_static_files_answer(request->path, reply);
    }
}
