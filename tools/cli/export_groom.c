#include "tools/cli/export_groom.h"

#include "core/base/error.h"
#include "core/body/body_interpolate.h"
#include "core/hair/child_interpolation.h"
#include "core/hair/frame_cache.h"
#include "render/build/strand_time.h"
#include "sim/run/simulate.h"

#include <string.h>

// First and number of the nodes of a name, or of all grooms.
static coif_status find_grooms(int32_t *first, int32_t *count, const coif_scene *scene,
                               const char *name, bool all, coif_error *error)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    *first = 0;
    *count = grooms->child_count;
    if (name == NULL && (all || *count == 1)) {
        return COIF_OK;
    }
    if (name == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s has %d grooms; select one with --groom",
                         scene->path, grooms->child_count);
    }
    *count = 1;
    for (; *first < grooms->child_count; ++*first) {
        coif_groom_params params;
        coif_node_read(&grooms->children[*first], 0.0, &params);
        if (strcmp(params.name, name) == 0) {
            return COIF_OK;
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "%s has no groom '%s'", scene->path, name);
}

coif_status coif_export_grooms_open(coif_export_grooms *grooms, coif_app *app, const char *scene,
                                    const char *cache, const char *name, bool all,
                                    coif_error *error)
{
    coif_scene *loaded;
    int32_t first;
    COIF_TRY(coif_app_load_scene(&loaded, app, scene, error));
    COIF_TRY(find_grooms(&first, &grooms->count, loaded, name, all, error));
    grooms->items = coif_arena_new(&app->arena, grooms->count, coif_export_groom);
    for (int32_t i = 0; i < grooms->count; ++i) {
        coif_export_groom *source = &grooms->items[i];
        *source =
            (coif_export_groom){.scene = loaded,
                                .cache = cache,
                                .node = &coif_node_at(loaded->root, "grooms")->children[first + i]};
        coif_node_read(source->node, 0.0, &source->params);
        COIF_TRY(coif_groom_load(&source->groom,
                                 coif_groom_file_path(cache, source->params.name, &app->arena),
                                 &app->arena, error));
    }
    return COIF_OK;
}

static coif_status find_body(coif_export_groom *source, coif_arena *arena, coif_error *error)
{
    source->body = coif_bodies_find(source->bodies, source->body_count, source->params.body);
    if (source->body == NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: groom '%s': no body named '%s'",
                         source->scene->path, source->params.name, source->params.body);
    }
    if (source->body->params.collide &&
        source->groom.simulated_count < source->groom.rest.strand_count) {
        source->collider = coif_arena_new(arena, 1, coif_collider);
        coif_child_collider_build(source->collider, &source->body->rest, arena);
    }
    return COIF_OK;
}

coif_status coif_export_grooms_load_bodies(coif_export_grooms *grooms, coif_arena *arena,
                                           coif_error *error)
{
    coif_body *bodies;
    int32_t count;
    COIF_TRY(coif_bodies_load(&bodies, &count, grooms->items[0].scene, arena, error));
    for (int32_t i = 0; i < grooms->count; ++i) {
        grooms->items[i].bodies = bodies;
        grooms->items[i].body_count = count;
        COIF_TRY(find_body(&grooms->items[i], arena, error));
    }
    return COIF_OK;
}

coif_status coif_export_groom_simulated(coif_strands *strands, const coif_export_groom *source,
                                        double frame, coif_arena *arena, coif_error *error)
{
    const char *cache = source->cache, *name = source->params.name;
    int frames[2];
    const int count = coif_strand_time_frames(frames, frame);
    if (count == 1) {
        const char *path = coif_frame_file_path(cache, name, frames[0], arena);
        return coif_frame_cache_load(strands, NULL, &source->groom, path, arena, error);
    }
    for (int i = 0; i < count; ++i) {
        const char *path = coif_frame_file_path(cache, name, frames[i], arena);
        if (!coif_path_exists(path)) {
            return coif_fail(
                error, COIF_ERR_IO,
                "%s: no such file; frame %.10g is interpolated between two frames of the cache",
                path, frame);
        }
    }
    const coif_strand_time_desc desc = {
        .groom = &source->groom,
        .cache = cache,
        .name = name,
        .frame = frame,
        .time = frame,
        .frame_seconds = 1.0 / coif_timeline_of(source->scene).fps,
        .body = source->body,
        .interpolation = coif_body_interpolation_of(source->scene),
    };
    return coif_strands_at_time(strands, &desc, arena, error);
}

coif_status coif_export_groom_expand(coif_strands *strands, const coif_strands *simulated,
                                     const coif_export_groom *source, double frame,
                                     coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    coif_mesh pose;
    const coif_body_interpolation interpolation = coif_body_interpolation_of(source->scene);
    COIF_TRY(coif_body_pose_interpolated(&pose, source->body, &interpolation, frame, arena, error));
    COIF_TRY(
        coif_interpolate_children(strands, simulated, &source->groom, &pose, arena, jobs, error));
    if (source->collider != NULL) {
        coif_collider_refit_posed(source->collider, &pose, &pose);
        coif_push_children_out(strands, &source->groom, source->collider, 1.0f, jobs);
    }
    return COIF_OK;
}
