#include "tools/studio/server/http/routes.h"

#include "tools/studio/server/http/static_files.h"

#include <math.h>
#include <string.h>

// Whether the table or the route locks the studio. Routes of the project need no open scene; those
// that switch it wait until no other request is running.
typedef enum locking { LOCKED, LOCKS_ITSELF, PROJECT, SWITCHES_SCENE } locking;

static const size_t KIB = 1024, MIB = 1024 * 1024;

typedef struct route_entry {
    const char *method, *path;
    coif_route *route;
    bool changes; // the document: a "state" event is sent afterwards
    locking lock;
} route_entry;

static const route_entry ROUTES[] = {
    {"GET", "/api/state", coif_route_state, false, LOCKED},
    {"GET", "/api/schema", coif_route_schema, false, LOCKED},
    {"GET", "/api/aovs", coif_route_aovs, false, LOCKED},
    {"GET", "/api/preset", coif_route_preset, false, LOCKED},
    {"POST", "/api/edit", coif_route_edit, true, LOCKED},
    {"POST", "/api/undo", coif_route_undo, true, LOCKED},
    {"POST", "/api/redo", coif_route_redo, true, LOCKED},
    {"POST", "/api/save", coif_route_save, true, LOCKS_ITSELF},
    {"GET", "/api/mesh", coif_route_mesh, false, LOCKED},
    {"GET", "/api/root_candidates", coif_route_candidates, false, LOCKED},
    {"GET", "/api/roots", coif_route_roots, false, LOCKED},
    {"GET", "/api/tiles", coif_route_tiles, false, LOCKED},
    {"PUT", "/api/tiles", coif_route_paint, true, LOCKED},
    {"POST", "/api/layers", coif_route_new_layer, true, LOCKS_ITSELF},
    {"POST", "/api/map_layers", coif_route_new_stack_layer, true, LOCKS_ITSELF},
    {"GET", "/api/thumbnail", coif_route_thumbnail, false, LOCKED},
    {"PUT", "/api/layers", coif_route_import_layer, true, LOCKS_ITSELF},
    {"GET", "/api/layers", coif_route_export_layer, false, LOCKS_ITSELF},
    {"GET", "/api/strands", coif_route_strands, false, LOCKS_ITSELF},
    {"GET", "/api/brush", coif_route_brushed_strands, false, LOCKS_ITSELF},
    {"PUT", "/api/brush", coif_route_brush, true, LOCKS_ITSELF},
    {"GET", "/api/pose", coif_route_pose, false, LOCKED},
    {"POST", "/api/live", coif_route_live, false, LOCKS_ITSELF},
    {"PUT", "/api/body_drag", coif_route_body_drag, false, LOCKS_ITSELF},
    {"GET", "/api/live", coif_route_live_frame, false, LOCKS_ITSELF},
    {"GET", "/api/cache_frame", coif_route_cache_frame, false, LOCKED},
    {"GET", "/api/cache", coif_route_cache, false, LOCKED},
    {"POST", "/api/render", coif_route_render, false, LOCKS_ITSELF},
    {"POST", "/api/cancel", coif_route_cancel, false, LOCKS_ITSELF},
    {"GET", "/api/image", coif_route_image, false, LOCKS_ITSELF},
    {"POST", "/api/image", coif_route_save_image, false, LOCKS_ITSELF},
    {"GET", "/api/project", coif_route_project, false, PROJECT},
    {"GET", "/api/project/picture", coif_route_picture, false, PROJECT},
    {"GET", "/api/project/files", coif_route_files, false, PROJECT},
    {"PUT", "/api/project/mesh", coif_route_upload_mesh, false, PROJECT},
    {"GET", "/api/project/mesh", coif_route_project_mesh, false, PROJECT},
    {"POST", "/api/project/open", coif_route_open_scene, false, SWITCHES_SCENE},
    {"POST", "/api/project/close", coif_route_close_scene, false, SWITCHES_SCENE},
    {"POST", "/api/project/new", coif_route_new_scene, false, SWITCHES_SCENE},
};

size_t coif_routes_body_limit(const char *method, const char *path)
{
    const bool put = strcmp(method, "PUT") == 0;
    if (put && strcmp(path, "/api/project/mesh") == 0) {
        return 1024 * MIB;
    }
    if (put && strcmp(path, "/api/layers") == 0) {
        return 1024 * MIB; // an 8192 x 8192 float image of three channels is 768 MiB
    }
    if (put && strcmp(path, "/api/tiles") == 0) {
        return 256 * MIB; // all texels of an 8192 x 8192 map are 136 MiB
    }
    if (strcmp(path, "/api/edit") == 0 || strcmp(path, "/api/brush") == 0 ||
        strcmp(path, "/api/project/new") == 0) {
        return 16 * MIB;
    }
    return 64 * KIB;
}

// ---- replies

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
    coif_reply_json(reply, coif_error_json(error, reply->arena));
    reply->status = status;
}

// ---- requests

coif_status coif_request_groom(const coif_node **groom, const coif_studio *studio,
                               const coif_request *request, coif_error *error)
{
    return coif_studio_groom(groom, studio, coif_request_number(request, "groom", 0, -1, INT32_MAX),
                             error);
}

coif_status coif_request_layer(coif_paint_map **map, coif_studio *studio,
                               const coif_request *request, coif_error *error)
{
    const int64_t index = coif_request_number(request, "layer", -1, -1, INT32_MAX);
    if (index < 0 || index >= studio->maps.count) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "layer=%lld: the scene has %d layers",
                         (long long)index, studio->maps.count);
    }
    *map = &studio->maps.items[index];
    const char *reason = (*map)->read_only_reason;
    return reason == NULL ? COIF_OK : coif_fail(error, COIF_ERR_ARGUMENT, "%s", reason);
}

coif_status coif_request_object(coif_json **object, const coif_request *request, const char *name,
                                coif_arena *arena, coif_error *error)
{
    COIF_TRY(coif_json_parse(object, name, request->body, request->body_size, arena, error));
    return (*object)->kind == COIF_JSON_OBJECT
               ? COIF_OK
               : coif_fail(error, COIF_ERR_FORMAT, "%s: expected an object, found %s", name,
                           coif_json_kind_name(*object));
}

coif_status coif_json_read_bool(bool *value, const coif_json *object, const char *key,
                                coif_error *error)
{
    const coif_json *member = coif_json_find(object, key);
    if (member == NULL) {
        return COIF_OK;
    }
    if (member->kind != COIF_JSON_BOOL) {
        return coif_fail(error, COIF_ERR_FORMAT, "\"%s\": expected true or false, found %s", key,
                         coif_json_kind_name(member));
    }
    *value = member->number != 0.0;
    return COIF_OK;
}

coif_status coif_json_read_text(const char **value, const coif_json *object, const char *key,
                                coif_error *error)
{
    const coif_json *member = coif_json_find(object, key);
    if (member == NULL || member->kind == COIF_JSON_NULL) {
        return COIF_OK;
    }
    if (member->kind != COIF_JSON_STRING) {
        return coif_fail(error, COIF_ERR_FORMAT, "\"%s\": expected a string, found %s", key,
                         coif_json_kind_name(member));
    }
    *value = member->text;
    return COIF_OK;
}

static coif_status read_int(int32_t *value, const coif_json *member, const char *key, int32_t low,
                            int32_t high, coif_error *error)
{
    const double number = member->number;
    if (member->kind != COIF_JSON_NUMBER || !(number >= low && number <= high) ||
        number != floor(number)) {
        return coif_fail(error, COIF_ERR_FORMAT, "\"%s\": expected an integer from %d to %d", key,
                         low, high);
    }
    *value = (int32_t)number;
    return COIF_OK;
}

coif_status coif_json_read_int(int32_t *value, const coif_json *object, const char *key,
                               int32_t low, int32_t high, coif_error *error)
{
    const coif_json *member = coif_json_find(object, key);
    return member != NULL ? read_int(value, member, key, low, high, error) : COIF_OK;
}

static coif_status check_array(const coif_json *array, const char *key, int32_t count,
                               coif_error *error)
{
    return array != NULL && array->kind == COIF_JSON_ARRAY && array->child_count == count
               ? COIF_OK
               : coif_fail(error, COIF_ERR_FORMAT, "\"%s\": expected an array of %d numbers", key,
                           count);
}

coif_status coif_json_read_ints(int32_t *values, int32_t count, const coif_json *object,
                                const char *key, int32_t low, int32_t high, coif_error *error)
{
    const coif_json *array = coif_json_find(object, key);
    if (array == NULL) {
        return COIF_OK;
    }
    COIF_TRY(check_array(array, key, count, error));
    for (int32_t i = 0; i < count; ++i) {
        COIF_TRY(read_int(&values[i], coif_json_element(array, i), key, low, high, error));
    }
    return COIF_OK;
}

coif_status coif_json_read_floats(float *values, int32_t count, const coif_json *object,
                                  const char *key, double limit, coif_error *error)
{
    const coif_json *array = coif_json_find(object, key);
    COIF_TRY(check_array(array, key, count, error));
    for (int32_t i = 0; i < count; ++i) {
        const coif_json *number = coif_json_element(array, i);
        if (number->kind != COIF_JSON_NUMBER || !(fabs(number->number) <= limit)) {
            return coif_fail(error, COIF_ERR_FORMAT, "\"%s\": expected numbers from -%g to %g", key,
                             limit, limit);
        }
        values[i] = (float)number->number;
    }
    return COIF_OK;
}

// ---- dispatch

static int http_status(coif_status status)
{
    switch (status) {
    case COIF_ERR_FORMAT:
        return 400;
    case COIF_ERR_ARGUMENT:
    case COIF_ERR_SCENE:
    case COIF_ERR_PLUGIN:
        return 422;
    default:
        return 500;
    }
}

static void run_on_scene(const route_entry *entry, const coif_services *services,
                         const coif_request *request, coif_reply *reply)
{
    coif_studio *studio = services->studio;
    coif_error error = {0};
    if (entry->lock == LOCKED) {
        pthread_mutex_lock(&studio->lock);
    }
    if (entry->route(services, request, reply, &error) != COIF_OK) {
        coif_reply_error(reply, &error, http_status(error.status));
    }
    if (entry->lock == LOCKS_ITSELF && entry->changes) {
        pthread_mutex_lock(&studio->lock);
    }
    if (entry->changes) {
        coif_studio_broadcast_state(studio);
        coif_render_job_invalidate(services->render);
    }
    if (entry->changes || entry->lock == LOCKED) {
        pthread_mutex_unlock(&studio->lock);
    }
}

static void run(const route_entry *entry, const coif_services *services,
                const coif_request *request, coif_reply *reply)
{
    coif_error error = {0};
    if (entry->lock == SWITCHES_SCENE) {
        pthread_rwlock_wrlock(services->scene_lock);
    } else {
        pthread_rwlock_rdlock(services->scene_lock);
    }
    if (entry->lock == PROJECT || entry->lock == SWITCHES_SCENE) {
        const coif_status status = entry->route(services, request, reply, &error);
        if (status != COIF_OK) {
            coif_reply_error(reply, &error, http_status(status));
        }
    } else if (services->studio != NULL) {
        run_on_scene(entry, services, request, reply);
    } else {
        coif_reply_json(reply, "{\"error\": \"no scene is open\"}");
        reply->status = 409;
    }
    pthread_rwlock_unlock(services->scene_lock);
}

void coif_routes_handle(void *context, const coif_request *request, coif_reply *reply)
{
    const coif_services *services = context;
    for (size_t i = 0; i < COIF_COUNT_OF(ROUTES); ++i) {
        if (strcmp(ROUTES[i].path, request->path) == 0) {
            if (strcmp(ROUTES[i].method, request->method) == 0) {
                run(&ROUTES[i], services, request, reply);
                return;
            }
            coif_reply_json(reply, "{\"error\": \"method not allowed\"}");
            reply->status = 405;
        }
    }
    if (strcmp(request->method, "GET") == 0) {
        coif_static_files_handle(request->path, reply);
    }
}
