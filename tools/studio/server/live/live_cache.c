#include "tools/studio/server/live/live_cache.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/frame_cache.h"
#include "sim/groom/groom_generate.h"

// Strands of the groom that get a simulated shape; the others are interpolated.
static const double MAX_GUIDES = 3000.0;

// The scene with up to MAX_GUIDES strands of the groom simulated.
coif_status coif_live_full_scene(coif_scene *scene, coif_studio *studio,
                                 const coif_overrides *overrides, int32_t groom, coif_arena *arena,
                                 coif_error *error)
{
    COIF_TRY(coif_studio_snapshot(scene, NULL, studio, overrides, arena, error));
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    if (groom >= grooms->child_count) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "the groom being simulated was removed from the scene");
    }
    coif_growth_surface surface;
    pthread_mutex_lock(&studio->lock);
    const coif_status status =
        coif_studio_growth_surface(&surface, studio, &grooms->children[groom], error);
    const double strands = status == COIF_OK ? coif_growth_surface_max_roots(&surface) : 0.0;
    pthread_mutex_unlock(&studio->lock);
    COIF_TRY(status);
    const int32_t count = overrides->count;
    const char **items = coif_arena_new(arena, count + 2, const char *);
    for (int32_t i = 0; i < count; ++i) {
        items[i] = overrides->items[i];
    }
    items[count] = coif_arena_print(arena, "grooms/%d/sim/simulated_fraction=%.6g", groom,
                                    strands > MAX_GUIDES ? MAX_GUIDES / strands : 1.0);
    items[count + 1] = coif_arena_print(arena, "grooms/%d/simulated_fraction=1", groom);
    return coif_studio_snapshot(scene, NULL, studio, &(coif_overrides){items, count + 2}, arena,
                                error);
}

coif_status coif_live_rest_groom(coif_groom *groom, const coif_scene *scene, const coif_node *node,
                                 const coif_body *body, int frame, coif_arena *arena,
                                 coif_jobs *jobs, coif_error *error)
{
    const coif_child_params children = {.simulated_fraction = 0.0f};
    const coif_groom_generate_desc desc = {
        .scene = scene, .node = node, .body = body, .children = &children, .frame = frame};
    return coif_groom_generate(groom, &desc, arena, jobs, error);
}

coif_status coif_live_rest_frame_save(const coif_groom *groom, const char *name, int frame,
                                      const char *folder, coif_jobs *jobs, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "rest frame");
    coif_strands none;
    COIF_TRY(coif_groom_simulated(&none, groom, &scratch, error));
    const coif_frame_cache_desc cache = {.frame = frame, .metadata = "", .jobs = jobs};
    return coif_frame_cache_save(&none, groom, &cache,
                                 coif_frame_file_path(folder, name, frame, &scratch), error);
}
