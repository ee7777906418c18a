#include "tools/cli/export_groom.h"

#include "core/base/error.h"
#include "core/body/body_interpolate.h"
#include "core/hair/child_interpolation.h"
#include "core/hair/frame_cache.h"
#include "render/build/strand_time.h"
#include "sim/run/simulate.h"

#include <string.h>

static coif_status find_groom(const coif_node **node, const coif_scene *scene, const char *name,
                              coif_error *error)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    if (name == NULL && grooms->child_count == 1) {
        *node = &grooms->children[0];
        return COIF_OK;
    }
    if (name == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s has %d grooms; select one with --groom",
                         scene->path, grooms->child_count);
    }
    for (int32_t i = 0; i < grooms->child_count; ++i) {
        coif_groom_params params;
        coif_node_read(&grooms->children[i], 0.0, &params);
        if (strcmp(params.name, name) == 0) {
            *node = &grooms->children[i];
            return COIF_OK;
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "%s has no groom '%s'", scene->path, name);
}

coif_status coif_export_groom_open(coif_export_groom *source, coif_app *app, const char *scene,
                                   const char *cache, const char *name, coif_error *error)
{
    coif_scene *loaded;
    COIF_TRY(coif_app_load_scene(&loaded, app, scene, error));
    *source = (coif_export_groom){.scene = loaded, .cache = cache};
    COIF_TRY(find_groom(&source->node, loaded, name, error));
    coif_node_read(source->node, 0.0, &source->params);
    return coif_groom_load(&source->groom,
                           coif_groom_file_path(cache, source->params.name, &app->arena),
                           &app->arena, error);
}

coif_status coif_export_groom_load_bodies(coif_export_groom *source, coif_arena *arena,
                                          coif_error *error)
{
    COIF_TRY(coif_bodies_load(&source->bodies, &source->body_count, source->scene, arena, error));
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
