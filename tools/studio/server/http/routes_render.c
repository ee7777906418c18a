// Pictures by the real renderer.
#include "core/json/json.h"
#include "tools/studio/server/http/request_auth.h"
#include "tools/studio/server/http/routes.h"
#include "tools/studio/server/render/aov_preview.h"
#include "tools/studio/server/render/render_history.h"
#include "tools/studio/server/render/render_job.h"

#include <stdlib.h>
#include <string.h>

static bool truth_of(const coif_json *object, const char *key)
{
    const coif_json *value = coif_json_find(object, key);
    return value != NULL && value->kind == COIF_JSON_BOOL && value->number != 0.0;
}

// {"overrides": ["image/width=640", ...], "crop": [x, y, w, h], "aovs": "N Z", "final": true,
// "draft": true, "frame": 1, "cache": true, "live": true}
coif_status coif_route_render(coif_studio *studio, const coif_request *request, coif_reply *reply,
                              coif_error *error)
{
    coif_json *root;
    COIF_TRY(
        coif_json_parse(&root, "render", request->body, request->body_size, reply->arena, error));
    coif_render_job_request wanted = {.full = truth_of(root, "final"),
                                      .sketch = truth_of(root, "draft"),
                                      .live = truth_of(root, "live"),
                                      .frame = 1,
                                      .cache = truth_of(root, "cache") ? studio->cache : NULL};
    const coif_json *sets = coif_json_find(root, "overrides");
    for (const coif_json *set = sets != NULL ? sets->child : NULL;
         set != NULL && wanted.set_count < COIF_PICTURE_SETS - 8; set = set->next) {
        if (set->kind == COIF_JSON_STRING) {
            wanted.sets[wanted.set_count++] = set->text;
        }
    }
    const coif_json *crop = coif_json_find(root, "crop");
    for (int32_t i = 0; i < 4 && crop != NULL; ++i) {
        const coif_json *number = coif_json_element(crop, i);
        wanted.crop[i] = number != NULL ? (int32_t)number->number : 0;
    }
    const coif_json *aovs = coif_json_find(root, "aovs");
    wanted.aovs = aovs != NULL && aovs->kind == COIF_JSON_STRING ? aovs->text : NULL;
    const coif_json *frame = coif_json_find(root, "frame");
    wanted.frame = frame != NULL && frame->kind == COIF_JSON_NUMBER ? (int)frame->number : 1;
    // What is wrong is said at once, not when the thread comes to it.
    coif_scene scene;
    pthread_mutex_lock(&studio->lock);
    const coif_status status = coif_studio_scene(&scene, studio, wanted.sets, wanted.set_count,
                                                 &studio->pictures, reply->arena, error);
    pthread_mutex_unlock(&studio->lock);
    COIF_TRY(status);
    coif_render_job_ask(studio->picture, &wanted);
    coif_reply_json(reply, "{\"begun\": true}");
    return COIF_OK;
}

coif_status coif_route_cancel(coif_studio *studio, const coif_request *request, coif_reply *reply,
                              coif_error *error)
{
    (void)request, (void)error;
    coif_render_job_cancel(studio->picture);
    coif_reply_json(reply, "{\"cancelled\": true}");
    return COIF_OK;
}

static coif_status load_newest(char **data, size_t *size, coif_studio *studio,
                               const coif_request *request, coif_reply *reply, coif_error *error)
{
    const char *format = coif_request_query(request, "format");
    const bool exr = format != NULL && strcmp(format, "exr") == 0;
    const char *path = coif_render_job_newest(studio->picture, exr ? "exr" : "png", reply->arena);
    if (path == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         exr ? "an EXR file is written by a final render: start one first"
                             : "nothing has been rendered yet: press Preview first");
    }
    return coif_file_load(data, size, path, reply->arena, error);
}

// One layer of the newest EXR, to be looked at.
static coif_status answer_layer(coif_studio *studio, const char *layer, coif_reply *reply,
                                coif_error *error)
{
    const char *exr = coif_render_job_newest(studio->picture, "exr", reply->arena);
    if (exr == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "AOVs are written by a final render: start one first");
    }
    char *data;
    size_t size;
    COIF_TRY(coif_paint_map_view(&data, &size, exr, layer, reply->arena, error));
    coif_reply_bytes(reply, data, size);
    reply->type = "image/png";
    return COIF_OK;
}

// ?exposure=1.5 stops of ?which=current, region or previous.
static coif_status answer_exposed(coif_studio *studio, const coif_request *request,
                                  const char *stops, coif_reply *reply, coif_error *error)
{
    static const char *const kinds[] = {"current", "region", "previous"};
    const char *which = coif_request_query(request, "which");
    coif_hdr_snapshot_kind kind = COIF_NEGATIVE_NOW;
    for (int32_t i = 0; i < COIF_NEGATIVES && which != NULL; ++i) {
        kind = strcmp(which, kinds[i]) == 0 ? (coif_hdr_snapshot_kind)i : kind;
    }
    const double wanted = strtod(stops, NULL);
    if (!(wanted >= -30.0 && wanted <= 30.0)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "exposure=%s: stops from -30 to 30", stops);
    }
    char *data;
    size_t size;
    COIF_TRY(coif_render_history_print(&data, &size, coif_render_job_negatives(studio->picture),
                                       kind, (float)wanted, reply->arena, error));
    coif_reply_bytes(reply, data, size);
    reply->type = "image/png";
    return COIF_OK;
}

// ?format=exr, ?download=1, ?aov=N, or ?exposure=1.
coif_status coif_route_picture(coif_studio *studio, const coif_request *request, coif_reply *reply,
                               coif_error *error)
{
    char *data;
    size_t size;
    const char *layer = coif_request_query(request, "aov");
    if (layer != NULL && layer[0] != '\0') {
        return answer_layer(studio, layer, reply, error);
    }
    const char *stops = coif_request_query(request, "exposure");
    if (stops != NULL) {
        return answer_exposed(studio, request, stops, reply, error);
    }
    COIF_TRY(load_newest(&data, &size, studio, request, reply, error));
    coif_reply_bytes(reply, data, size);
    const char *format = coif_request_query(request, "format");
    const bool exr = format != NULL && strcmp(format, "exr") == 0;
    reply->type = exr ? "image/x-exr" : "image/png";
    reply->file = exr || coif_request_query(request, "download") != NULL
                      ? (exr ? "render.exr" : "render.png")
                      : NULL;
    return COIF_OK;
}

// renders/bob.png, or renders/bob_2.png where that is there already.
static const char *free_name(const coif_studio *studio, const char *name, coif_arena *arena)
{
    const char *dot = strrchr(coif_path_name(name), '.');
    const int stem = (int)(dot != NULL ? dot - name : (ptrdiff_t)strlen(name));
    const char *free = name;
    for (int i = 2; coif_path_exists(coif_path_join(studio->folder, free, arena)); ++i) {
        free = coif_arena_print(arena, "%.*s_%d%s", stem, name, i, dot != NULL ? dot : "");
    }
    return free;
}

// ?name=renders/bob.png: within the scene's folder; which picture, as above.
coif_status coif_route_keep(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    const char *name = coif_request_query(request, "name");
    if (name == NULL || coif_path_escapes(name)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "name=%s: a name within the scene's folder is wanted",
                         name != NULL ? name : "");
    }
    COIF_TRY(coif_route_picture(studio, request, reply, error));
    name = free_name(studio, name, reply->arena);
    const char *path = coif_path_join(studio->folder, name, reply->arena);
    COIF_TRY(coif_path_make_directory(coif_path_folder(path, reply->arena), error));
    COIF_TRY(coif_file_save(path, reply->data, reply->size, error));
    reply->file = NULL;
    coif_reply_json(reply, coif_arena_print(reply->arena, "{\"name\": %s}",
                                            coif_json_quote(name, reply->arena)));
    return COIF_OK;
}
