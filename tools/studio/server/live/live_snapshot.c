#include "tools/studio/server/live/live_snapshot.h"

#include "core/hair/frame_cache.h"
#include "tools/studio/server/live/live_cache.h"

static coif_status export_simulated(coif_live_snapshot *snapshot, const coif_scene *scene,
                                    int32_t groom, const char *folder, coif_live_sim *sim,
                                    coif_jobs *jobs, coif_arena *arena, coif_error *error)
{
    coif_live *live = NULL;
    coif_status status = coif_live_open(&live, scene, groom, NULL, arena, jobs, error);
    if (status == COIF_OK) {
        status = coif_live_sim_transfer_to(sim, live, error);
    }
    if (status == COIF_OK) {
        snapshot->frame = coif_live_frame(live);
        coif_live_get_body_drag(live, snapshot->drag.translate, snapshot->drag.rotate);
        status = coif_live_export(live, folder, error);
    }
    if (live != NULL) {
        coif_live_close(live);
    }
    return status;
}

static coif_status export_others(const coif_scene *scene, int32_t simulated, int frame,
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
        if (g != simulated && body != NULL) {
            coif_groom groom;
            COIF_TRY(coif_live_rest_groom(&groom, scene, node, body, frame, arena, jobs, error));
            COIF_TRY(
                coif_groom_save(&groom, coif_groom_file_path(folder, params.name, arena), error));
            COIF_TRY(coif_live_rest_frame_save(&groom, params.name, frame, folder, jobs, error));
        }
    }
    return COIF_OK;
}

coif_status coif_live_snapshot_make(coif_live_snapshot *snapshot, const char *folder,
                                    coif_live_sim *sim, coif_studio *studio,
                                    const coif_overrides *overrides, coif_jobs *jobs,
                                    coif_arena *arena, coif_error *error)
{
    int32_t groom;
    COIF_TRY(coif_live_sim_current(sim, &groom, &snapshot->frame, error));
    COIF_TRY(coif_path_make_directory(folder, error));
    coif_scene scene;
    COIF_SCOPED_ARENA(scratch, "live snapshot");
    COIF_TRY(coif_live_full_scene(&scene, studio, overrides, groom, &scratch, error));
    COIF_TRY(export_simulated(snapshot, &scene, groom, folder, sim, jobs, &scratch, error));
    coif_groom_params params;
    const coif_node *grooms = coif_node_at(scene.root, "grooms");
    coif_node_read(&grooms->children[groom], snapshot->frame, &params);
    snapshot->drag.body = coif_arena_copy_text(arena, params.body);
    scene.drag = &snapshot->drag;
    return export_others(&scene, groom, snapshot->frame, folder, jobs, &scratch, error);
}
