// live, saving: hair that moves as one frame of a cache.
#include "core/base/error.h"
#include "core/hair/frame_cache.h"
#include "sim/run/live_session_internal.h"

static coif_status save_frame(coif_live *live, const char *folder, const char *name,
                              coif_arena *scratch, coif_error *error)
{
    const coif_groom *now = &live->regrow.now;
    coif_strands strands;
    COIF_TRY(coif_groom_simulated(&strands, now, scratch, error));
    coif_vec3 *places = coif_arena_new(scratch, strands.point_count + 1, coif_vec3);
    strands.velocities = coif_arena_new(scratch, strands.point_count + 1, coif_vec3);
    coif_solver_get_points(&live->solver.core, places, strands.velocities);
    for (int32_t i = 0; i < strands.point_count; ++i) {
        const coif_vec3 p = places[i];
        strands.points[i] = (coif_vec4){p.x, p.y, p.z, strands.points[i].w};
    }
    if (live->grows && now->simulated_count < now->rest.strand_count) {
        strands.rest = now->rest.points;
    }
    const coif_frame_cache_desc desc = {
        .frame = live->frame, .time = live->time, .metadata = "", .jobs = live->shot.jobs};
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
