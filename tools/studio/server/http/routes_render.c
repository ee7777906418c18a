// Routes of preview and final renders.
#include "core/base/fs.h"
#include "tools/studio/server/http/routes.h"
#include "tools/studio/server/render/aov_preview.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FRAME = 1000000, MAX_PIXELS = 1 << 20 };

static coif_status read_overrides(coif_render_request *to, const coif_json *body, coif_error *error)
{
    const coif_json *list = coif_json_find(body, "overrides");
    if (list == NULL) {
        return COIF_OK;
    }
    if (list->kind != COIF_JSON_ARRAY || list->child_count > COIF_MAX_OVERRIDES) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "\"overrides\": expected an array of at most %d strings",
                         COIF_MAX_OVERRIDES);
    }
    for (const coif_json *item = list->child; item != NULL; item = item->next) {
        if (item->kind != COIF_JSON_STRING) {
            return coif_fail(error, COIF_ERR_FORMAT, "\"overrides\": expected strings, found %s",
                             coif_json_kind_name(item));
        }
        to->overrides[to->override_count++] = item->text;
    }
    return COIF_OK;
}

// {"overrides": ["image/width=640", ...], "crop": [x, y, w, h], "aovs": "N Z", "final": true,
// "draft": true, "frame": 1, "cache": true, "live": true}
coif_status coif_route_render(const coif_services *services, const coif_request *request,
                              coif_reply *reply, coif_error *error)
{
    coif_studio *studio = services->studio;
    coif_json *body;
    coif_render_request render = {.frame = 1};
    bool cache = false;
    COIF_TRY(coif_request_object(&body, request, "render", reply->arena, error));
    COIF_TRY(read_overrides(&render, body, error));
    COIF_TRY(coif_json_read_ints(render.crop, 4, body, "crop", 0, MAX_PIXELS, error));
    COIF_TRY(coif_json_read_int(&render.frame, body, "frame", 0, MAX_FRAME, error));
    COIF_TRY(coif_json_read_text(&render.aovs, body, "aovs", error));
    COIF_TRY(coif_json_read_bool(&render.final, body, "final", error));
    COIF_TRY(coif_json_read_bool(&render.draft, body, "draft", error));
    COIF_TRY(coif_json_read_bool(&render.live, body, "live", error));
    COIF_TRY(coif_json_read_bool(&cache, body, "cache", error));
    render.cache = cache ? studio->cache : NULL;
    // Invalid overrides are reported now, not by the render thread.
    coif_scene scene;
    pthread_mutex_lock(&studio->lock);
    const coif_status status = coif_studio_scene(
        &scene, studio, &(coif_overrides){render.overrides, render.override_count}, reply->arena,
        error);
    pthread_mutex_unlock(&studio->lock);
    COIF_TRY(status);
    coif_render_job_start(services->render, &render);
    coif_reply_json(reply, "{\"started\": true}");
    return COIF_OK;
}

coif_status coif_route_cancel(const coif_services *services, const coif_request *request,
                              coif_reply *reply, coif_error *error)
{
    (void)request, (void)error;
    coif_render_job_cancel(services->render);
    coif_reply_json(reply, "{\"cancelled\": true}");
    return COIF_OK;
}

// bob.0012.png for frame 12 of bob.json; with an AOV bob.0012.N.png.
static const char *image_name(const coif_services *services, const char *aov, const char *extension,
                              coif_arena *arena)
{
    const char *scene = coif_path_name(services->studio->path);
    const bool has_aov = aov != NULL && aov[0] != '\0';
    return coif_arena_print(arena, "%.*s.%04d%s%s.%s", (int)strcspn(scene, "."), scene,
                            coif_render_job_frame(services->render), has_aov ? "." : "",
                            has_aov ? aov : "", extension);
}

// The EXR file of the last final render of the full image, or with which=region of a region.
static coif_status find_exr(const char **path, const coif_services *services,
                            const coif_request *request, coif_arena *arena, coif_error *error)
{
    const char *which = coif_request_query(request, "which");
    const bool region = which != NULL && strcmp(which, "region") == 0;
    *path = coif_render_job_file(services->render,
                                 region ? COIF_RENDER_REGION_EXR : COIF_RENDER_EXR, arena);
    return *path != NULL ? COIF_OK
                         : coif_fail(error, COIF_ERR_ARGUMENT,
                                     "EXR files and AOVs are written by a final render: start one "
                                     "of the %s first",
                                     region ? "region" : "full image");
}

// ?exposure=1.5&which=current, region, previous or composite (the region in the
// current image)&denoised=0
static coif_status read_view(coif_render_view *view, const coif_request *request,
                             const char *exposure, coif_error *error)
{
    static const char *const slots[] = {"current", "region", "previous", "composite"};
    const char *which = coif_request_query(request, "which");
    for (size_t i = 0; i < COIF_COUNT_OF(slots) && which != NULL; ++i) {
        view->slot = strcmp(which, slots[i]) == 0 ? (coif_render_slot)i : view->slot;
    }
    char *end;
    const double stops = strtod(exposure, &end);
    if (end == exposure || *end != '\0' || !(stops >= -30.0 && stops <= 30.0)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "exposure=%s: expected stops from -30 to 30",
                         exposure);
    }
    view->stops = (float)stops;
    view->denoised = coif_request_number(request, "denoised", 1, 0, 1) > 0;
    return COIF_OK;
}

// PNG of the last render as displayed: an AOV, another exposure, or the file of a final render.
static coif_status encode_png(char **data, size_t *size, const coif_services *services,
                              const coif_request *request, coif_arena *arena, coif_error *error)
{
    const char *aov = coif_request_query(request, "aov"), *path;
    if (aov != NULL && aov[0] != '\0') {
        COIF_TRY(find_exr(&path, services, request, arena, error));
        return coif_aov_preview(data, size, path, aov, arena, error);
    }
    const char *exposure = coif_request_query(request, "exposure");
    coif_render_view view = {.latest = exposure == NULL};
    path = coif_render_job_file(services->render, COIF_RENDER_PNG, arena);
    if (exposure == NULL && path != NULL) {
        return coif_file_load(data, size, path, arena, error);
    }
    if (exposure != NULL) {
        COIF_TRY(read_view(&view, request, exposure, error));
    }
    return coif_render_history_encode(data, size, coif_render_job_history(services->render), &view,
                                      arena, error);
}

// The last render: ?aov=N, ?exposure=1&which=previous, ?format=exr, or PNG; with &download=1 as a
// download.
coif_status coif_route_image(const coif_services *services, const coif_request *request,
                             coif_reply *reply, coif_error *error)
{
    char *data;
    size_t size;
    const char *format = coif_request_query(request, "format");
    const bool exr = format != NULL && strcmp(format, "exr") == 0;
    if (exr) {
        const char *path;
        COIF_TRY(find_exr(&path, services, request, reply->arena, error));
        COIF_TRY(coif_file_load(&data, &size, path, reply->arena, error));
    } else {
        COIF_TRY(encode_png(&data, &size, services, request, reply->arena, error));
    }
    coif_reply_bytes(reply, data, size);
    reply->type = exr ? "image/x-exr" : "image/png";
    if (exr || coif_request_query(request, "download") != NULL) {
        reply->file_name = image_name(services, coif_request_query(request, "aov"),
                                      exr ? "exr" : "png", reply->arena);
    }
    return COIF_OK;
}

// renders/bob.0012.png, or renders/bob.0012_2.png where that exists.
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

// The image as for coif_route_image, as renders/bob.0012.png in the scene's folder, or at ?name=.
coif_status coif_route_save_image(const coif_services *services, const coif_request *request,
                                  coif_reply *reply, coif_error *error)
{
    const coif_studio *studio = services->studio;
    const char *name = coif_request_query(request, "name");
    if (name == NULL) {
        const char *aov = coif_request_query(request, "aov");
        name =
            coif_path_join("renders", image_name(services, aov, "png", reply->arena), reply->arena);
    }
    if (coif_path_escapes(name)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "name=%s: expected a path inside the scene's folder", name);
    }
    COIF_TRY(coif_route_image(services, request, reply, error));
    name = free_name(studio, name, reply->arena);
    const char *path = coif_path_join(studio->folder, name, reply->arena);
    COIF_TRY(coif_path_make_directory(coif_path_folder(path, reply->arena), error));
    COIF_TRY(coif_file_save(path, reply->data, reply->size, error));
    reply->file_name = NULL;
    coif_reply_json(reply, coif_arena_print(reply->arena, "{\"name\": %s}",
                                            coif_json_quote(name, reply->arena)));
    return COIF_OK;
}
