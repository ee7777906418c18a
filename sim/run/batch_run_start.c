// batch_run_start: the first frame, from rest after a warm-up or from the checkpoint of another
// run.
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/pack/pack.h"
#include "sim/run/batch_run_internal.h"

#include <math.h>
#include <string.h>

// Additional damping during warm-up, per second.
static const float SETTLE_DAMPING = 6.0f;

// Distances of roots from those of a checkpoint, metres: above the first a warning is logged,
// below the second they count as equal.
static const float ROOT_WARNING = 1e-4f, ROOT_TOLERANCE = 1e-6f;

// Path of the checkpoint to start from, NULL for none. A run of # is replaced by the name of the
// groom.
static const char *start_path(const coif_batch_run *run, coif_arena *arena)
{
    const char *path = run->sim_scene->initial_state;
    const char *hash = path != NULL ? strchr(path, '#') : NULL;
    return hash == NULL ? path
                        : coif_arena_print(arena, "%.*s%s%s", (int)(hash - path), path, run->name,
                                           hash + strspn(hash, "#"));
}

coif_status coif_batch_run_start_digest(uint64_t *digest, const coif_batch_run *run,
                                        coif_error *error)
{
    *digest = 0;
    const char *path = start_path(run, run->sim_scene->arena);
    if (path == NULL) {
        return COIF_OK;
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "start");
    coif_pack pack;
    coif_status status = COIF_OK;
    if (!coif_path_exists(path)) {
        status = coif_fail(error, COIF_ERR_IO, "%s: /sim/initial_state: no such file: %s",
                           run->sim_scene->scene->path, path);
    } else {
        status = coif_pack_peek(&pack, path, &scratch, error);
        *digest = status == COIF_OK ? pack.digest : 0;
    }
    coif_arena_free(&scratch);
    return status;
}

// Translates the strands of a checkpoint to the current roots.
static void move_to_roots(coif_batch_run *run)
{
    const coif_groom *groom = run->sim.groom;
    const coif_mesh *body = &run->playback.end[run->sim.body];
    float largest = 0.0f;
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        const int64_t rest = groom->simulated[s];
        const float *b = groom->root_barycentric + 2 * rest;
        const coif_vec3 root = coif_mesh_at(body, groom->root_triangle[rest], b[0], b[1]).position;
        const int32_t first = coif_solver_first_point(run->sim.solver.core)[s];
        const coif_vec3 shift = coif_sub(root, run->checkpoint.positions[first]);
        largest = fmaxf(largest, coif_length(shift));
        // Rounding is not motion.
        for (int32_t i = first; coif_length(shift) > ROOT_TOLERANCE &&
                                i < coif_solver_first_point(run->sim.solver.core)[s + 1];
             ++i) {
            run->checkpoint.positions[i] = coif_add(run->checkpoint.positions[i], shift);
        }
    }
    if (largest > ROOT_WARNING) {
        coif_log(
            COIF_LOG_WARNING,
            "%s: roots are up to %.4g m from those of the checkpoint; strands are moved with them",
            run->name, (double)largest);
    }
}

static coif_status start_from_checkpoint(coif_batch_run *run, const char *path, coif_error *error)
{
    const int first = run->sim_scene->params.first_frame;
    const coif_step_stats stats = {0};
    coif_arena scratch;
    coif_arena_init(&scratch, "start");
    const char *solver = coif_solver_method_name(run->sim.solver.core);
    const coif_status status =
        coif_solver_checkpoint_restore(&run->checkpoint, path, solver, &scratch, error);
    coif_arena_free(&scratch);
    COIF_TRY(status);
    COIF_TRY(coif_body_playback_hold_pose(&run->playback, run->sim_scene, first, error));
    coif_groom_solver_reset_to_rest(&run->sim.solver, &run->playback.end[run->sim.body]);
    if (run->sim_scene->params.root_boundary != COIF_ROOT_FREE) {
        move_to_roots(run);
    }
    run->checkpoint.reset_count = 0;
    coif_solver_set_points(run->sim.solver.core, run->checkpoint.positions,
                           run->checkpoint.velocities);
    coif_solver_set_state(run->sim.solver.core, run->checkpoint.method);
    coif_log(COIF_LOG_INFO, "%s: starts from %s", run->name, path);
    return coif_batch_run_save_frame(run, first, &stats, error);
}

// One frame of warm-up, `frames_before` frames before the first.
static coif_status warmup_frame(coif_batch_run *run, const coif_sim_params *params,
                                int frames_before, coif_step_stats *stats, coif_error *error)
{
    const int first = params->first_frame;
    const double seconds = 1.0 / (double)params->fps;
    const coif_time_span span = {
        .begin = first, .end = first, .time = -frames_before * seconds, .seconds = seconds};
    return coif_batch_run_step(run, params, &span, stats, error);
}

// Bodies move from the rest pose to their first pose, with zero velocity at both ends
// (smoothstep).
static coif_status preroll(coif_batch_run *run, const coif_sim_params *params, int frames,
                           int warmup_frames, coif_error *error)
{
    const int first = params->first_frame;
    coif_step_stats stats;
    COIF_TRY(coif_body_playback_ramp_from_rest(&run->playback, run->sim_scene, first, 0.0, error));
    coif_groom_solver_reset_to_rest(&run->sim.solver, &run->playback.end[run->sim.body]);
    for (int i = 1; i <= frames; ++i) {
        const double x = (double)i / frames;
        COIF_TRY(coif_body_playback_ramp_from_rest(&run->playback, run->sim_scene, first,
                                                   x * x * (3.0 - 2.0 * x), error));
        COIF_TRY(warmup_frame(run, params, warmup_frames + frames - i + 1, &stats, error));
    }
    return COIF_OK;
}

// The rest shape at the first pose, simulated for a while with damping, so that the first frame
// is at rest.
static coif_status settle(coif_batch_run *run, coif_error *error)
{
    coif_sim_scene *sim_scene = run->sim_scene;
    coif_sim_params params = sim_scene->params;
    const int frames = (int)ceil((double)params.warmup_time * (double)params.fps);
    const int preroll_frames = (int)ceil((double)params.preroll * (double)params.fps);
    if (preroll_frames > 0) {
        COIF_TRY(preroll(run, &params, preroll_frames, frames, error));
    }
    params.warmup_damping = SETTLE_DAMPING;
    COIF_TRY(coif_body_playback_hold_pose(&run->playback, sim_scene, params.first_frame, error));
    if (preroll_frames == 0) {
        coif_groom_solver_reset_to_rest(&run->sim.solver, &run->playback.end[run->sim.body]);
    }
    coif_step_stats stats = {0};
    for (int i = frames; i > 0; --i) {
        COIF_TRY(warmup_frame(run, &params, i, &stats, error));
    }
    return coif_batch_run_save_frame(run, params.first_frame, &stats, error);
}

coif_status coif_batch_run_start(coif_batch_run *run, coif_error *error)
{
    const char *path = start_path(run, run->sim_scene->arena);
    run->time_scale = run->sim_scene->params.time_scale;
    return path != NULL ? start_from_checkpoint(run, path, error) : settle(run, error);
}
