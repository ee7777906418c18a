// live_export: writes the current frame of a live session as a cache.
#include "core/base/error.h"
#include "core/hair/frame_cache.h"
#include "sim/run/live_session_internal.h"

static coif_status save_frame(coif_live *live, const char *folder, const char *name,
                              coif_arena *scratch, coif_error *error)
{
    const coif_groom *groom = &live->animation.current;
    coif_strands strands;
    COIF_TRY(coif_groom_simulated(&strands, groom, scratch, error));
    coif_vec3 *positions = coif_arena_new(scratch, strands.point_count + 1, coif_vec3);
    strands.velocities = coif_arena_new(scratch, strands.point_count + 1, coif_vec3);
    coif_solver_get_points(live->solver.core, positions, strands.velocities);
    for (int32_t i = 0; i < strands.point_count; ++i) {
        const coif_vec3 p = positions[i];
        strands.points[i] = (coif_vec4){p.x, p.y, p.z, strands.points[i].w};
    }
    if (live->animated && groom->simulated_count < groom->rest.strand_count) {
        strands.rest = groom->rest.points;
    }
    const coif_frame_cache_desc desc = {
        .frame = live->frame, .time = live->time, .metadata = "", .jobs = live->sim_scene.jobs};
    return coif_frame_cache_save(&strands, &live->groom, &desc,
                                 coif_frame_file_path(folder, name, live->frame, scratch), error);
}

coif_status coif_live_export(coif_live *live, const char *folder, coif_error *error)
{
    coif_groom_params params;
    coif_node_read(live->node, live->frame, &params);
    coif_arena scratch;
    coif_arena_init(&scratch, "live frame");
    coif_status status =
        coif_groom_save(&live->groom, coif_groom_file_path(folder, params.name, &scratch), error);
    if (status == COIF_OK) {
        status = save_frame(live, folder, params.name, &scratch, error);
    }
    coif_arena_free(&scratch);
    return status;
}
