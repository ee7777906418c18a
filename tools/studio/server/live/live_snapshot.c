#include "tools/studio/server/live/live_snapshot.h"

#include "core/hair/frame_cache.h"
#include "sim/groom/groom_generate.h"
#include "sim/run/live_session.h"
#include "tools/studio/server/live/live_sim.h"

// Of a groom that take the shapes of those that move; the others follow them.
static const double LED = 3000.0;

// Of a head; only to guess how many strands a number per area will give.
static const double SCALP_CM2 = 600.0;

static double strands_of(const coif_node *groom)
{
    coif_groom_params params;
    coif_node_read(groom, 0.0, &params);
    return params.strands_per_cm2 > 0.0f ? (double)params.strands_per_cm2 * SCALP_CM2
                                         : params.count;
}

// The scene with so many strands of a groom led.
static coif_status take(coif_scene *scene, coif_studio *studio, const coif_sets *sets,
                        int32_t groom, coif_arena *arena, coif_error *error)
{
    COIF_TRY(coif_studio_snapshot(scene, NULL, studio, sets, arena, error));
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    if (groom >= grooms->child_count) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "the groom that moves is no more");
    }
    const double strands = strands_of(&grooms->children[groom]);
    const char **items = coif_arena_new(arena, sets->count + 2, const char *);
    for (int32_t i = 0; i < sets->count; ++i) {
        items[i] = sets->items[i];
    }
    const double share = strands > LED ? LED / strands : 1.0;
    items[sets->count] = coif_arena_print(arena, "sim/simulated_fraction=%.6g", share);
    items[sets->count + 1] = coif_arena_print(arena, "grooms/%d/simulated_fraction=1", groom);
    const coif_sets all = {items, sets->count + 2};
    return coif_studio_snapshot(scene, NULL, studio, &all, arena, error);
}

// The groom that moves; frozen gets where it is.
static coif_status freeze(coif_live_snapshot *frozen, const coif_scene *scene, int32_t groom,
                          const char *folder, coif_studio *studio, coif_jobs *jobs,
                          coif_arena *arena, coif_error *error)
{
    coif_live *live = NULL;
    coif_status status = coif_live_open(&live, scene, groom, NULL, arena, jobs, error);
    if (status == COIF_OK) {
        status = coif_live_sim_lend(studio->motion, live, error);
    }
    if (status == COIF_OK) {
        frozen->frame = coif_live_frame(live);
        coif_live_get_body_drag(live, frozen->hand.translate, frozen->hand.rotate);
        status = coif_live_export(live, folder, error);
    }
    if (live != NULL) {
        coif_live_close(live);
    }
    return status;
}

// Another one: none of its strands is simulated, so all go with their roots.
static coif_status stand(const coif_scene *scene, const coif_node *node, const coif_body *body,
                         int frame, const char *folder, coif_jobs *jobs, coif_arena *arena,
                         coif_error *error)
{
    coif_groom_params params;
    coif_node_read(node, frame, &params);
    const coif_child_params children = {.simulated_fraction = 0.0f};
    const coif_groom_generate_desc desc = {
        .scene = scene, .node = node, .body = body, .children = &children, .frame = frame};
    coif_groom groom;
    COIF_TRY(coif_groom_generate(&groom, &desc, arena, jobs, error));
    COIF_TRY(coif_groom_save(&groom, coif_groom_file_path(folder, params.name, arena), error));
    coif_strands none;
    COIF_TRY(coif_groom_simulated(&none, &groom, arena, error));
    const coif_frame_cache_desc cache = {.frame = frame, .metadata = "", .jobs = jobs};
    return coif_frame_cache_save(&none, &groom, &cache,
                                 coif_frame_file_path(folder, params.name, frame, arena), error);
}

static coif_status stand_others(const coif_scene *scene, int32_t moving, int frame,
                                const char *folder, coif_jobs *jobs, coif_arena *arena,
                                coif_error *error)
{
    coif_body *bodies;
    int32_t body_count;
    COIF_TRY(coif_bodies_load(&bodies, &body_count, scene, arena, error));
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_node *node = &grooms->children[g];
        coif_groom_params params;
        coif_node_read(node, frame, &params);
        const coif_body *body = coif_bodies_find(bodies, body_count, params.body);
        if (g != moving && body != NULL) {
            COIF_TRY(stand(scene, node, body, frame, folder, jobs, arena, error));
        }
    }
    return COIF_OK;
}

coif_status coif_live_snapshot_make(coif_live_snapshot *frozen, const char *folder,
                                    coif_studio *studio, const coif_sets *sets, coif_jobs *jobs,
                                    coif_arena *arena, coif_error *error)
{
    int32_t moving;
    COIF_TRY(coif_live_sim_where(studio->motion, &moving, &frozen->frame, error));
    COIF_TRY(coif_path_make_directory(folder, error));
    coif_arena scratch;
    coif_scene scene;
    coif_arena_init(&scratch, "frozen hair");
    coif_status status = take(&scene, studio, sets, moving, &scratch, error);
    if (status == COIF_OK) {
        status = freeze(frozen, &scene, moving, folder, studio, jobs, &scratch, error);
    }
    if (status == COIF_OK) {
        coif_groom_params params;
        const coif_node *grooms = coif_node_at(scene.root, "grooms");
        coif_node_read(&grooms->children[moving], frozen->frame, &params);
        frozen->hand.body = coif_arena_copy_text(arena, params.body);
        scene.drag = &frozen->hand;
        status = stand_others(&scene, moving, frozen->frame, folder, jobs, &scratch, error);
    }
    coif_arena_free(&scratch);
    return status;
}
