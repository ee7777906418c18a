#include "sim/run/simulate.h"

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "sim/collision/collider.h"
#include "sim/groom/groom_generate.h"
#include "sim/run/batch_run.h"
#include "sim/run/sim_scene.h"

#include <string.h>

coif_timeline coif_timeline_of(const coif_scene *scene)
{
    coif_sim_params params;
    coif_node_read(coif_node_at(scene->root, "sim"), 0.0, &params);
    return (coif_timeline){params.first_frame, params.last_frame, (double)params.fps};
}

// Whether the file holds this very groom. Any trouble with it means no.
static bool groom_is_there(const coif_groom *groom, uint64_t digest, const char *path)
{
    if (!coif_path_exists(path)) {
        return false;
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "groom check");
    coif_groom there;
    coif_error ignored = {0};
    const bool same = coif_groom_load(&there, path, &scratch, &ignored) == COIF_OK &&
                      there.digest == digest && strcmp(there.metadata, groom->metadata) == 0;
    coif_arena_free(&scratch);
    return same;
}

// The skin of a body at rest, made once for all grooms on it. NULL: each makes its own, and gives
// it back before anything moves.
static const coif_collider *skin_of(coif_collider *skins, const coif_sim_scene *shot,
                                    const coif_body *body)
{
    coif_collider *skin = skins != NULL ? &skins[body - shot->bodies] : NULL;
    if (skin != NULL && skin->nodes == NULL) {
        coif_collider_build(skin, &body->rest, shot->arena);
    }
    return skin;
}

static coif_status grow_one(coif_groom *groom, const coif_sim_scene *shot, const coif_node *node,
                            const coif_body *body, const coif_collider *skin, coif_error *error)
{
    const double begin = coif_clock_seconds();
    coif_groom_params params;
    const double frame =
        shot->desc->moment != NULL ? *shot->desc->moment : shot->params.first_frame;
    coif_node_read(node, frame, &params);
    const coif_groom_generate_desc desc = {.scene = shot->desc->scene,
                                           .node = node,
                                           .body = body,
                                           .body_collider = skin,
                                           .sim = &shot->params,
                                           .frame = frame,
                                           .progress = shot->progress};
    COIF_TRY(coif_groom_generate(groom, &desc, shot->arena, shot->jobs, error));

    const char *path = coif_groom_file_path(shot->desc->folder, params.name, shot->arena);
    uint64_t digest;
    COIF_TRY(coif_groom_digest(&digest, groom, error));
    const bool there =
        !coif_progress_cancelled(shot->progress) && groom_is_there(groom, digest, path);
    if (coif_progress_cancelled(shot->progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "%s: stopped before it was saved", params.name);
    }
    groom->digest = digest;
    if (!there) {
        COIF_TRY(coif_groom_save(groom, path, error));
    }
    coif_log(COIF_LOG_INFO, "%s: %d strands, %d simulated, %d points, grown in %.2f s%s",
             params.name, groom->rest.strand_count, groom->simulated_count, groom->rest.point_count,
             coif_clock_seconds() - begin, there ? " (file is up to date)" : "");
    return COIF_OK;
}

static coif_status groom_all(coif_sim_scene *shot, bool simulate, coif_error *error)
{
    COIF_TRY(coif_path_make_directory(shot->desc->folder, error));
    COIF_TRY(coif_sim_scene_open(shot, error));
    if (simulate) {
        COIF_TRY(coif_sim_scene_prepare(shot, error));
    }
    const coif_node *list = coif_node_at(shot->desc->scene->root, "grooms");
    coif_collider *skins =
        simulate ? NULL : coif_arena_new(shot->arena, shot->body_count, coif_collider);
    for (int32_t g = 0; g < list->child_count; ++g) {
        if (coif_progress_cancelled(shot->progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "stopped before growing %s",
                             list->children[g].path);
        }
        const coif_body *body;
        coif_groom groom;
        COIF_TRY(coif_sim_scene_body(&body, shot, &list->children[g], error));
        const coif_collider *skin = skin_of(skins, shot, body);
        const coif_arena_mark mark = coif_arena_mark_here(shot->arena);
        COIF_TRY(grow_one(&groom, shot, &list->children[g], body, skin, error));
        if (simulate) {
            COIF_TRY(coif_run_groom(shot, &groom, &list->children[g], body, error));
        }
        coif_arena_rewind(shot->arena, mark);
    }
    return COIF_OK;
}

static coif_status with_shot(const coif_simulate_desc *desc, bool simulate, coif_jobs *jobs,
                             coif_progress *progress, coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "shot");
    coif_sim_scene shot = {.desc = desc, .arena = &arena, .jobs = jobs, .progress = progress};
    const coif_status status = groom_all(&shot, simulate, error);
    coif_arena_free(&arena);
    return status;
}

coif_status coif_simulate_groom(const coif_simulate_desc *desc, coif_jobs *jobs,
                                coif_progress *progress, coif_error *error)
{
    return with_shot(desc, false, jobs, progress, error);
}

coif_status coif_simulate(const coif_simulate_desc *desc, coif_jobs *jobs, coif_progress *progress,
                          coif_error *error)
{
    return with_shot(desc, true, jobs, progress, error);
}
