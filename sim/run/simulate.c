#include "sim/run/simulate.h"

#include "core/base/claim.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/collision/collider.h"
#include "core/hair/frame_cache.h"
#include "sim/groom/groom_generate.h"
#include "sim/run/batch_run.h"
#include "sim/run/batch_run_internal.h"
#include "sim/run/sim_scene.h"
#include "sim/run/tied_strands.h"

#include <string.h>

const char *coif_simulate_coupling(const coif_scene *scene, const coif_node *groom,
                                   coif_frame_range frames, coif_arena *arena)
{
    const coif_node *constraints = coif_node_find(groom, COIF_CONSTRAINTS_SECTION.name);
    const coif_node *own = coif_node_find(groom, COIF_GROOM_SIM_SECTION.name);
    const coif_node *sim = own != NULL ? own : coif_node_at(scene->root, "sim");
    const coif_timeline timeline = coif_timeline_of(scene);
    const int last = coif_frame_range_given(frames) ? frames.last : timeline.last;
    coif_groom_params groom_params;
    coif_node_read(groom, timeline.first, &groom_params);
    const bool imported = groom_params.file[0] != '\0';
    if (constraints != NULL && constraints->child_count > 0) {
        return "its constraints hold points of several strands";
    }
    for (int frame = timeline.first; frame <= last; ++frame) {
        coif_sim_params params;
        coif_param_fields_read(sim, frame, &params);
        const struct {
            const char *name;
            float value;
        } couplings[] = {{"interaction_friction", params.interaction_friction},
                         {"interaction_stiffness", params.interaction_stiffness},
                         {"wind_attenuation", params.wind_attenuation},
                         {"cohesion", coif_cohesion_of(&params, imported)}};
        for (size_t i = 0; i < COIF_COUNT_OF(couplings) && params.enabled; ++i) {
            if (couplings[i].value > 0.0f) {
                return coif_arena_print(arena, "%s/%s is above 0 at frame %d: strands interact",
                                        sim->path, couplings[i].name, frame);
            }
        }
    }
    return NULL;
}

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
    coif_groom_find_ties(groom, node, desc.frame, sim_scene->arena);

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

// A simulation of a scene, and the colliders of its bodies for the grooms, or NULL.
typedef struct scene_run {
    const coif_simulate_desc *desc;
    coif_sim_scene *sim_scene;
    coif_collider *colliders;
    bool simulates;
} scene_run;

// Each process of a partition generates the groom.
static coif_status generate_claimed(coif_groom *groom, const scene_run *run, const coif_node *node,
                                    const coif_body *body, const coif_collider *collider,
                                    coif_error *error)
{
    coif_sim_scene *sim_scene = run->sim_scene;
    const char *name = coif_values_find(&node->values, "name")->text;
    coif_claim claim;
    COIF_TRY(coif_claim_wait(&claim,
                             coif_groom_file_path(run->desc->folder, name, sim_scene->arena),
                             sim_scene->progress, error));
    const coif_status status =
        generate_groom(groom, run->desc, sim_scene, node, body, collider, error);
    coif_claim_release(&claim);
    return status;
}

static coif_status check_partition(const scene_run *run, const coif_node *node, int32_t strands,
                                   coif_error *error)
{
    const coif_scene *scene = run->desc->scene;
    const int32_t count = run->desc->partition.count;
    const char *name = coif_values_find(&node->values, "name")->text;
    const char *coupling =
        coif_simulate_coupling(scene, node, run->desc->frames, run->sim_scene->arena);
    if (coupling != NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: groom %s has no partitions: %s; simulate it in one process",
                         scene->path, name, coupling);
    }
    return count <= strands
               ? COIF_OK
               : coif_fail(error, COIF_ERR_ARGUMENT,
                           "%s: groom %s has %d simulated strands, fewer than %d partitions",
                           scene->path, name, strands, count);
}

static coif_status run_groom(const scene_run *run, const coif_node *node, const coif_body *body,
                             const coif_collider *collider, coif_error *error)
{
    const coif_simulate_desc *desc = run->desc;
    coif_groom groom;
    COIF_TRY(desc->partition.index > 0
                 ? generate_claimed(&groom, run, node, body, collider, error)
                 : generate_groom(&groom, desc, run->sim_scene, node, body, collider, error));
    if (desc->partition.count > 0) {
        COIF_TRY(check_partition(run, node, groom.simulated_count, error));
    }
    const coif_batch_run_desc batch = {.folder = desc->folder,
                                       .redo = desc->redo,
                                       .groom = &groom,
                                       .node = node,
                                       .body = body,
                                       .partition = desc->partition};
    return run->simulates ? coif_run_groom(run->sim_scene, &batch, error) : COIF_OK;
}

// What is claimed: the groom, or one of its partitions.
static coif_status claimed_path(const char **path, const scene_run *run, const char *name,
                                coif_error *error)
{
    const coif_simulate_desc *desc = run->desc;
    coif_arena *arena = run->sim_scene->arena;
    if (desc->partition.index == 0) {
        *path = coif_groom_file_path(desc->folder, name, arena);
        return COIF_OK;
    }
    const char *folder = coif_partition_folder(desc->folder, arena);
    *path = coif_path_join(folder, coif_partition_name(name, desc->partition, arena), arena);
    return coif_path_make_directory(folder, error);
}

// Runs a groom that no other process runs at the same time. *busy: another one does; with wait its
// end is awaited instead.
static coif_status run_claimed(const scene_run *run, const coif_node *node, bool wait, bool *busy,
                               coif_error *error)
{
    coif_sim_scene *sim_scene = run->sim_scene;
    *busy = false;
    if (coif_progress_cancelled(sim_scene->progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "cancelled before %s", node->path);
    }
    const coif_body *body;
    COIF_TRY(coif_sim_scene_body(&body, sim_scene, node, error));
    const coif_collider *collider = collider_of(run->colliders, sim_scene, body);
    const coif_arena_mark mark = coif_arena_mark_here(sim_scene->arena);
    const char *name = coif_values_find(&node->values, "name")->text;
    const char *path;
    COIF_TRY(claimed_path(&path, run, name, error));
    coif_claim claim;
    if (wait) {
        COIF_TRY(coif_claim_wait(&claim, path, sim_scene->progress, error));
    } else if (!coif_claim_try(&claim, path)) {
        *busy = true;
        return COIF_OK;
    }
    const coif_status status = run_groom(run, node, body, collider, error);
    coif_claim_release(&claim);
    coif_arena_rewind(sim_scene->arena, mark);
    return status;
}

static bool is_chosen(const coif_simulate_desc *desc, const coif_node *groom)
{
    return desc->groom == NULL ||
           strcmp(coif_values_find(&groom->values, "name")->text, desc->groom) == 0;
}

// Runs the chosen grooms: first those that no other process runs, then the others after it.
static coif_status run_grooms(const scene_run *run, coif_error *error)
{
    const coif_node *list = coif_node_at(run->desc->scene->root, "grooms");
    bool *busy = coif_arena_new(run->sim_scene->arena, list->child_count, bool);
    bool found = false;
    for (int32_t g = 0; g < list->child_count; ++g) {
        if (is_chosen(run->desc, &list->children[g])) {
            found = true;
            COIF_TRY(run_claimed(run, &list->children[g], false, &busy[g], error));
        }
    }
    if (!found && run->desc->groom != NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: no groom is named \"%s\"",
                         run->desc->scene->path, run->desc->groom);
    }
    for (int32_t g = 0; g < list->child_count; ++g) {
        if (busy[g]) {
            COIF_TRY(run_claimed(run, &list->children[g], true, &busy[g], error));
        }
    }
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
    const scene_run run = {
        .desc = desc,
        .sim_scene = &sim_scene,
        .colliders = simulate ? NULL : coif_arena_new(&arena, sim_scene.body_count, coif_collider),
        .simulates = simulate};
    return run_grooms(&run, error);
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
