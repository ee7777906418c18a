// run, begin: hair at the first frame, calm at rest or as another run left it.
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/pack/pack.h"
#include "sim/run/batch_run_internal.h"

#include <math.h>
#include <string.h>

// Added to damping while hair settles before the first frame, per second.
static const float SETTLE_DAMPING = 6.0f;

// Roots of a state that are further than this from where they are now are worth a word, metres.
static const float FAR = 1e-4f, NEAR = 1e-6f;

// The file to begin from, NULL for none. A run of # stands for the name of the groom.
static const char *start_path(const coif_batch_run *run, coif_arena *arena)
{
    const char *path =
        run->shot->desc->from != NULL ? run->shot->desc->from : run->shot->params.initial_state;
    if (path == NULL || path[0] == '\0') {
        return NULL;
    }
    const char *mark = strchr(path, '#');
    return mark == NULL ? path
                        : coif_arena_print(arena, "%.*s%s%s", (int)(mark - path), path, run->name,
                                           mark + strspn(mark, "#"));
}

coif_status coif_batch_run_start_digest(uint64_t *digest, const coif_batch_run *run,
                                        coif_error *error)
{
    *digest = 0;
    const char *path = start_path(run, run->shot->arena);
    if (path == NULL) {
        return COIF_OK;
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "start");
    coif_pack pack;
    coif_status status = COIF_OK;
    if (!coif_path_exists(path)) {
        status = coif_fail(error, COIF_ERR_IO, "%s: /sim/initial_state: there is no file %s",
                           run->shot->desc->scene->path, path);
    } else {
        status = coif_pack_peek(&pack, path, &scratch, error);
        *digest = status == COIF_OK ? pack.digest : 0;
    }
    coif_arena_free(&scratch);
    return status;
}

// Strands of the state stand where its bodies were; they go along to where the roots are now.
static void carry_to_roots(coif_batch_run *run)
{
    const coif_groom *groom = run->groom;
    const coif_mesh *body = &run->poses.end[run->body];
    float most = 0.0f;
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        const int64_t rest = groom->simulated[s];
        const float *b = groom->root_barycentric + 2 * rest;
        const coif_vec3 root = coif_mesh_at(body, groom->root_triangle[rest], b[0], b[1]).position;
        const int32_t first = run->solver.core.first_point[s];
        const coif_vec3 shift = coif_sub(root, run->state.places[first]);
        most = fmaxf(most, coif_length(shift));
        // Rounding is no motion.
        for (int32_t i = first;
             coif_length(shift) > NEAR && i < run->solver.core.first_point[s + 1]; ++i) {
            run->state.places[i] = coif_add(run->state.places[i], shift);
        }
    }
    if (most > FAR) {
        coif_log(
            COIF_LOG_WARNING,
            "%s: roots are up to %.4g m from where the state has them; strands are moved there",
            run->name, (double)most);
    }
}

static coif_status start_from(coif_batch_run *run, const char *path, coif_error *error)
{
    const int first = run->shot->params.first_frame;
    const coif_step_stats stats = {0};
    coif_arena scratch;
    coif_arena_init(&scratch, "start");
    const char *solver = run->solver.core.method->name;
    const coif_status status =
        coif_solver_checkpoint_restore(&run->state, path, solver, &scratch, error);
    coif_arena_free(&scratch);
    COIF_TRY(status);
    COIF_TRY(coif_body_playback_hold_pose(&run->poses, run->shot, first, error));
    coif_groom_solver_reset_to_rest(&run->solver, &run->poses.end[run->body]);
    if (run->shot->params.root_boundary != COIF_ROOT_FREE) {
        carry_to_roots(run);
    }
    run->state.healed = 0;
    coif_solver_set_points(&run->solver.core, run->state.places, run->state.velocities);
    coif_solver_set_state(&run->solver.core, run->state.method);
    coif_log(COIF_LOG_INFO, "%s: begins from %s", run->name, path);
    return coif_batch_run_save_frame(run, first, &stats, error);
}

// One frame's time before the first frame, so many of them before it.
static coif_status wait(coif_batch_run *run, const coif_sim_params *params, int before,
                        coif_step_stats *stats, coif_error *error)
{
    const int first = params->first_frame;
    const double seconds = 1.0 / (double)params->fps;
    const coif_time_span stretch = {
        .begin = first, .end = first, .time = -before * seconds, .seconds = seconds};
    COIF_TRY(coif_batch_run_step(run, params, &stretch, stats, error));
    COIF_TRY(coif_batch_run_check(run, first, stats->reset_strands, error));
    run->state.healed += stats->reset_strands;
    return COIF_OK;
}

// Bodies begin at rest, where hair grew, and come to their first pose slow at both ends.
static coif_status roll_in(coif_batch_run *run, const coif_sim_params *params, int rounds,
                           int settling, coif_error *error)
{
    const int first = params->first_frame;
    coif_step_stats stats;
    COIF_TRY(coif_body_playback_ramp_from_rest(&run->poses, run->shot, first, 0.0, error));
    coif_groom_solver_reset_to_rest(&run->solver, &run->poses.end[run->body]);
    for (int i = 1; i <= rounds; ++i) {
        const double x = (double)i / rounds;
        COIF_TRY(coif_body_playback_ramp_from_rest(&run->poses, run->shot, first,
                                                   x * x * (3.0 - 2.0 * x), error));
        COIF_TRY(wait(run, params, settling + rounds - i + 1, &stats, error));
    }
    return COIF_OK;
}

// The rest shape at the first pose, left to itself for a while: the first frame is calm.
static coif_status settle(coif_batch_run *run, coif_error *error)
{
    coif_sim_scene *shot = run->shot;
    coif_sim_params params = shot->params;
    const int rounds = (int)ceil((double)params.warmup_time * (double)params.fps);
    const int rolling = (int)ceil((double)params.preroll * (double)params.fps);
    if (rolling > 0) {
        COIF_TRY(roll_in(run, &params, rolling, rounds, error));
    }
    params.more_damping = SETTLE_DAMPING;
    COIF_TRY(coif_body_playback_hold_pose(&run->poses, shot, params.first_frame, error));
    if (rolling == 0) {
        coif_groom_solver_reset_to_rest(&run->solver, &run->poses.end[run->body]);
    }
    coif_step_stats stats = {0};
    for (int i = rounds; i > 0; --i) {
        COIF_TRY(wait(run, &params, i, &stats, error));
    }
    return coif_batch_run_save_frame(run, params.first_frame, &stats, error);
}

coif_status coif_batch_run_start(coif_batch_run *run, coif_error *error)
{
    const char *path = start_path(run, run->shot->arena);
    run->speed = run->shot->params.time_scale;
    return path != NULL ? start_from(run, path, error) : settle(run, error);
}
