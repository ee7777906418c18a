// batch_run: frame loop of a groom, and where to restart it.
#include "sim/run/batch_run.h"

#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "sim/run/batch_run_internal.h"

// The requested frames, which must not precede the first frame of the scene.
static coif_status choose_frames(coif_batch_run *run, coif_error *error)
{
    const coif_sim_params *params = &run->sim_scene->params;
    run->frames = run->sim_scene->frames;
    if (!coif_frame_range_given(run->frames)) {
        run->frames = (coif_frame_range){params->first_frame, params->last_frame, 1};
    }
    if (run->frames.first < params->first_frame || run->frames.last < run->frames.first) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "frames %d-%d cannot be simulated: the scene begins at frame %d",
                         run->frames.first, run->frames.last, params->first_frame);
    }
    return COIF_OK;
}

// Cached frames are loaded to check them, so this can be cancelled.
static coif_status find_pending(coif_batch_run *run, int *count, coif_error *error)
{
    *count = 0;
    run->pending =
        coif_arena_new(run->sim_scene->arena, run->frames.last - run->frames.first + 1, bool);
    for (int f = run->frames.first; f <= run->frames.last; f += run->frames.step) {
        const bool pending = run->redo || !coif_batch_run_frame_is_cached(run, f);
        run->pending[f - run->frames.first] = pending;
        *count += pending;
        if (coif_progress_cancelled(run->sim_scene->progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled before the first frame",
                             run->name);
        }
    }
    return COIF_OK;
}

// Loads the newest valid checkpoint before a frame into the solver; false when there is none.
static bool find_checkpoint(coif_batch_run *run, int first, int *frame)
{
    const coif_sim_scene *sim_scene = run->sim_scene;
    for (int f = first - 1; f >= sim_scene->params.first_frame && !run->redo; --f) {
        coif_arena scratch;
        coif_arena_init(&scratch, "state");
        coif_error ignored = {0};
        const char *path = coif_state_file_path(run->folder, run->name, f, &scratch);
        run->checkpoint.settings = coif_sim_scene_settings(sim_scene, run->settings_digest, f);
        const bool valid =
            coif_path_exists(path) &&
            coif_solver_checkpoint_load(&run->checkpoint, path, &scratch, &ignored) == COIF_OK &&
            run->checkpoint.frame == f;
        coif_arena_free(&scratch);
        if (valid) {
            coif_solver_set_points(run->sim.solver.core, run->checkpoint.positions,
                                   run->checkpoint.velocities);
            coif_solver_set_state(run->sim.solver.core, run->checkpoint.method);
            *frame = f;
            return true;
        }
    }
    run->checkpoint.reset_count = 0;
    return false;
}

static coif_status run_frames(coif_batch_run *run, int from, int last, coif_error *error)
{
    coif_sim_scene *sim_scene = run->sim_scene;
    for (int f = from; f <= last; ++f) {
        coif_sim_params params = {0};
        coif_step_stats stats = {0};
        coif_param_fields_read(sim_scene->sim, f, &params);
        const coif_time_span span = {.begin = f - 1,
                                     .end = f,
                                     .time = coif_sim_scene_time(sim_scene, f - 1),
                                     .seconds = coif_frame_seconds(&params)};
        COIF_TRY(
            coif_body_playback_begin_frame(&run->playback, sim_scene, f, params.substeps, error));
        COIF_TRY(coif_groom_sim_set_frame(&run->sim, f, false, error));
        COIF_TRY(coif_batch_run_step(run, &params, &span, &stats, error));
        run->time_scale = params.time_scale;
        COIF_TRY(coif_batch_run_save_frame(run, f, &stats, error));
        if (!coif_progress_step(sim_scene->progress, 1) && f < last) {
            return coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled after frame %d", run->name,
                             f);
        }
    }
    return COIF_OK;
}

static coif_status simulate(coif_batch_run *run, int pending_count, coif_error *error)
{
    coif_sim_scene *sim_scene = run->sim_scene;
    int first = run->frames.first;
    while (!coif_batch_run_frame_requested(run, first)) {
        ++first;
    }
    int last = run->frames.last;
    while (!coif_batch_run_frame_requested(run, last)) {
        --last;
    }
    int from;
    if (find_checkpoint(run, first, &from)) {
        coif_log(COIF_LOG_INFO, "%s: %d frames to simulate, restarting after frame %d", run->name,
                 pending_count, from);
        COIF_TRY(coif_body_playback_hold_pose(&run->playback, sim_scene, from, error));
        COIF_TRY(coif_groom_sim_set_frame(&run->sim, from, true, error));
        coif_progress_begin(sim_scene->progress, run->name, last - from, "frames");
    } else {
        from = sim_scene->params.first_frame;
        coif_progress_begin(sim_scene->progress, run->name, last - from, "frames");
        const coif_status started = coif_batch_run_start(run, error);
        if (started != COIF_OK) {
            coif_progress_end(sim_scene->progress);
            return started;
        }
    }
    coif_status status = run_frames(run, from + 1, last, error);
    coif_progress_end(sim_scene->progress);
    if (run->frames_stepped > 0) {
        coif_error ignored = {0};
        const coif_status written =
            coif_batch_run_write_frame_stats(run, status == COIF_OK ? error : &ignored);
        status = status == COIF_OK ? written : status;
    }
    return status == COIF_OK ? coif_batch_run_write_summary(run, error) : status;
}

static void extend_digest(uint64_t *digest, uint64_t other)
{
    if (other != 0) {
        *digest = coif_hash64_extend(*digest, &other, sizeof other);
    }
}

static coif_status run_groom(coif_batch_run *run, coif_error *error)
{
    coif_sim_scene *sim_scene = run->sim_scene;
    COIF_TRY(choose_frames(run, error));
    COIF_TRY(coif_groom_sim_open_fields(&run->sim, sim_scene->arena, error));
    uint64_t start;
    COIF_TRY(coif_batch_run_start_digest(&start, run, error));
    run->input_digest = coif_sim_scene_digest(sim_scene, run->sim.groom, run->sim.node);
    run->settings_digest = run->input_digest;
    extend_digest(&run->settings_digest, start);
    extend_digest(&run->settings_digest, run->sim.fields.digest);
    int pending_count;
    COIF_TRY(find_pending(run, &pending_count, error));
    if (pending_count == 0) {
        coif_log(COIF_LOG_INFO, "%s: frames %d-%d are up to date", run->name, run->frames.first,
                 run->frames.last);
        return COIF_OK;
    }
    coif_groom_sim_create_solver(&run->sim, sim_scene->arena);
    coif_strbuf_init(&run->stats_lines, sim_scene->arena);
    coif_solver_checkpoint_init(&run->checkpoint, run->sim.solver.core, sim_scene->arena);
    return simulate(run, pending_count, error);
}

coif_status coif_run_groom(coif_sim_scene *sim_scene, const coif_batch_run_desc *desc,
                           coif_error *error)
{
    coif_groom_params params;
    coif_node_read(desc->node, sim_scene->params.first_frame, &params);
    coif_batch_run run = {.sim_scene = sim_scene,
                          .name = params.name,
                          .folder = desc->folder,
                          .redo = desc->redo,
                          .time_scale = 1.0f};
    coif_body_playback_open(&run.playback);
    coif_groom_sim_open(&run.sim, sim_scene, desc->node, desc->groom,
                        (int32_t)(desc->body - sim_scene->bodies));
    const coif_status status = run_groom(&run, error);
    coif_groom_sim_close(&run.sim);
    coif_body_playback_close(&run.playback);
    return status;
}
