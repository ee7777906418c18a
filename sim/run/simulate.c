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

// Whether the file contains this groom. Any error means no.
static bool groom_is_cached(const coif_groom *groom, uint64_t digest, const char *path)
{
    if (!coif_path_exists(path)) {
        return false;
    }
    COIF_SCOPED_ARENA(scratch, "groom check");
    coif_groom cached;
    coif_error ignored = {0};
    return coif_groom_load(&cached, path, &scratch, &ignored) == COIF_OK &&
           cached.digest == digest && strcmp(cached.metadata, groom->metadata) == 0;
}

// Collider of a body at rest, shared by all grooms on it. NULL: each groom builds its own and
// frees it before the simulation.
static const coif_collider *collider_of(coif_collider *colliders, const coif_sim_scene *sim_scene,
                                        const coif_body *body)
{
    coif_collider *collider = colliders != NULL ? &colliders[body - sim_scene->bodies] : NULL;
    if (collider != NULL && collider->nodes == NULL) {
        coif_collider_build(collider, &body->rest, sim_scene->arena);
    }
    return collider;
}

static coif_status generate_groom(coif_groom *groom, const coif_simulate_desc *simulate,
                                  const coif_sim_scene *sim_scene, const coif_node *node,
                                  const coif_body *body, const coif_collider *collider,
                                  coif_error *error)
{
    const double begin = coif_clock_seconds();
    coif_groom_params params;
    coif_groom_generate_desc desc = coif_sim_scene_groom_desc(sim_scene, node, body);
    desc.body_collider = collider;
    desc.frame = simulate->moment != NULL ? *simulate->moment : desc.frame;
    coif_node_read(node, desc.frame, &params);
    COIF_TRY(coif_groom_generate(groom, &desc, sim_scene->arena, sim_scene->jobs, error));

    const char *path = coif_groom_file_path(simulate->folder, params.name, sim_scene->arena);
    uint64_t digest;
    COIF_TRY(coif_groom_digest(&digest, groom, error));
    const bool cached =
        !coif_progress_cancelled(sim_scene->progress) && groom_is_cached(groom, digest, path);
    if (coif_progress_cancelled(sim_scene->progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled before saving", params.name);
    }
    groom->digest = digest;
    if (!cached) {
        COIF_TRY(coif_groom_save(groom, path, error));
    }
    coif_log(COIF_LOG_INFO, "%s: %d strands, %d simulated, %d points, generated in %.2f s%s",
             params.name, groom->rest.strand_count, groom->simulated_count, groom->rest.point_count,
             coif_clock_seconds() - begin, cached ? " (file is up to date)" : "");
    return COIF_OK;
}

static coif_status with_sim_scene(const coif_simulate_desc *desc, bool simulate, coif_jobs *jobs,
                                  coif_progress *progress, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "simulation");
    coif_sim_scene sim_scene = {.scene = desc->scene,
                                .frames = desc->frames,
                                .initial_state = desc->from,
                                .kernel = desc->kernel,
                                .arena = &arena,
                                .jobs = jobs,
                                .progress = progress};
    COIF_TRY(coif_path_make_directory(desc->folder, error));
    COIF_TRY(coif_sim_scene_open(&sim_scene, error));
    if (simulate) {
        COIF_TRY(coif_sim_scene_prepare(&sim_scene, error));
    }
    const coif_node *list = coif_node_at(desc->scene->root, "grooms");
    coif_collider *colliders =
        simulate ? NULL : coif_arena_new(sim_scene.arena, sim_scene.body_count, coif_collider);
    for (int32_t g = 0; g < list->child_count; ++g) {
        const coif_node *node = &list->children[g];
        if (coif_progress_cancelled(sim_scene.progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "cancelled before %s", node->path);
        }
        const coif_body *body;
        coif_groom groom;
        COIF_TRY(coif_sim_scene_body(&body, &sim_scene, node, error));
        const coif_collider *collider = collider_of(colliders, &sim_scene, body);
        const coif_arena_mark mark = coif_arena_mark_here(sim_scene.arena);
        COIF_TRY(generate_groom(&groom, desc, &sim_scene, node, body, collider, error));
        if (simulate) {
            const coif_batch_run_desc run = {.folder = desc->folder,
                                             .redo = desc->redo,
                                             .groom = &groom,
                                             .node = node,
                                             .body = body};
            COIF_TRY(coif_run_groom(&sim_scene, &run, error));
        }
        coif_arena_rewind(sim_scene.arena, mark);
    }
    return COIF_OK;
}

coif_status coif_simulate_groom(const coif_simulate_desc *desc, coif_jobs *jobs,
                                coif_progress *progress, coif_error *error)
{
    return with_sim_scene(desc, false, jobs, progress, error);
}

coif_status coif_simulate(const coif_simulate_desc *desc, coif_jobs *jobs, coif_progress *progress,
                          coif_error *error)
{
    return with_sim_scene(desc, true, jobs, progress, error);
}
