// batch_run: steps a groom over a frame range, from rest, from the checkpoint of another run, or
// from its own newest checkpoint.
#include "sim/run/batch_run.h"

#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "core/pack/pack.h"
#include "sim/run/batch_run_internal.h"

#include <math.h>
#include <string.h>

// A frame with more than this fraction of reset strands is an error.
static const double MAX_RESET_FRACTION = 0.05;

// Steps the current interval of the playback.
static coif_status step_interval(coif_batch_run *run, const coif_sim_params *params,
                                 const coif_time_span *interval, coif_solver_report *report,
                                 coif_error *error)
{
    const coif_body_playback *playback = &run->playback;
    coif_groom_solver_frame frame =
        coif_groom_sim_frame(&run->sim, params, interval, playback->begin, playback->end);
    if (playback->interval_count > 0) {
        frame.substeps_before = playback->substep;
        frame.substeps_in_all = playback->frame_substeps;
    }
    const double start = coif_clock_seconds();
    if (coif_groom_solver_step(&run->sim.solver, &frame, report, run->sim_scene->jobs,
                               run->sim_scene->progress) != COIF_OK) {
        return coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled at frame %g", run->name,
                         interval->end);
    }
    run->frame_seconds += coif_clock_seconds() - start;
    return COIF_OK;
}

static int32_t max_of(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// Part of a time span, begin and end as fractions.
static coif_time_span sub_span(const coif_time_span *span, double begin, double end)
{
    const double frames = span->end - span->begin;
    return (coif_time_span){.begin = span->begin + begin * frames,
                            .end = span->begin + end * frames,
                            .time = span->time + begin * span->seconds,
                            .seconds = (end - begin) * span->seconds};
}

void coif_batch_run_add_report(coif_solver_report *frame, const coif_solver_report *interval)
{
    const coif_step_stats before = frame->stats;
    frame->stats = interval->stats;
    frame->stats.reset_strands = max_of(before.reset_strands, interval->stats.reset_strands);
    frame->stats.not_finite = max_of(before.not_finite, interval->stats.not_finite);
    for (int i = 0; i < COIF_DIVERGED_CAUSES; ++i) {
        frame->stats.causes[i] = max_of(before.causes[i], interval->stats.causes[i]);
    }
    frame->stats.body_speed = fmaxf(before.body_speed, interval->stats.body_speed);
    frame->stats.wind_speed = fmaxf(before.wind_speed, interval->stats.wind_speed);
    frame->stats.force_accel = fmaxf(before.force_accel, interval->stats.force_accel);
    frame->bad_force_count += interval->bad_force_count;
    frame->bad_force = frame->bad_force >= 0 ? frame->bad_force : interval->bad_force;
}

static coif_status step_intervals(coif_batch_run *run, const coif_sim_params *params,
                                  const coif_time_span *span, coif_solver_report *report,
                                  coif_error *error)
{
    const coif_body_playback *playback = &run->playback;
    if (playback->interval_count == 0) {
        return step_interval(run, params, span, report, error);
    }
    *report = (coif_solver_report){.bad_force = -1};
    while (coif_body_playback_next_interval(&run->playback, run->sim_scene)) {
        coif_sim_params interval_params = *params;
        interval_params.substeps = playback->substeps;
        const double substeps = params->substeps;
        const coif_time_span interval =
            sub_span(span, playback->substep / substeps,
                     (playback->substep + playback->substeps) / substeps);
        coif_solver_report part;
        COIF_TRY(step_interval(run, &interval_params,
                               playback->interval_count == 1 ? span : &interval, &part, error));
        coif_batch_run_add_report(report, &part);
    }
    return COIF_OK;
}

coif_status coif_batch_run_check_resets(const coif_batch_run *run, const coif_sim_params *params,
                                        double frame, const coif_step_stats *stats,
                                        coif_error *error)
{
    const int32_t count = run->sim.groom->simulated_count;
    if ((double)stats->reset_strands <= MAX_RESET_FRACTION * (double)count) {
        return COIF_OK;
    }
    return coif_fail(error, COIF_ERR_SCENE, "%s: frame %g: %d of %d strands diverged; %s",
                     run->name, frame, stats->reset_strands, count,
                     coif_divergence_cure(stats, params, run->sim_scene->arena));
}

// Steps a frame, in the intervals of the playback.
static coif_status step_frame(coif_batch_run *run, const coif_sim_params *params,
                              const coif_time_span *span, coif_step_stats *stats, coif_error *error)
{
    COIF_TRY(coif_groom_sim_begin_span(&run->sim, span, error));
    coif_solver_report report = {.bad_force = -1};
    run->frame_seconds = 0.0;
    COIF_TRY(step_intervals(run, params, span, &report, error));
    run->seconds += run->frame_seconds;
    run->frames_stepped += 1;
    *stats = report.stats;
    run->checkpoint.reset_count += stats->reset_strands;
    COIF_TRY(coif_batch_run_check_resets(run, params, span->end, stats, error));
    coif_run_report_add(&run->report, span->end, &report);
    return COIF_OK;
}

// Additional damping during warm-up, per second.
static const float SETTLE_DAMPING = 6.0f;

// Distances of roots from those of a checkpoint, metres: above the first a warning is logged,
// below the second they count as equal.
static const float ROOT_WARNING = 1e-4f, ROOT_TOLERANCE = 1e-6f;

// Path of the checkpoint to start from, NULL for none. A run of # is replaced by the name of the
// groom.
static const char *start_path(const coif_batch_run *run, coif_arena *arena)
{
    const char *path = run->sim.params.enabled ? run->sim_scene->initial_state : NULL;
    const char *hash = path != NULL ? strchr(path, '#') : NULL;
    return hash == NULL ? path
                        : coif_arena_print(arena, "%.*s%s%s", (int)(hash - path), path,
                                           run->cache_name, hash + strspn(hash, "#"));
}

// Digest of the checkpoint that the run starts from, 0 when it starts from rest.
static coif_status start_digest(uint64_t *digest, const coif_batch_run *run, coif_error *error)
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
    if (run->sim.params.root_boundary != COIF_ROOT_FREE) {
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
    return step_frame(run, params, &span, stats, error);
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
    coif_sim_params params = run->sim.params;
    const double fps = params.enabled ? (double)params.fps : 0.0; // rigid strands are at rest
    const int frames = (int)ceil((double)params.warmup_time * fps);
    const int preroll_frames = (int)ceil((double)params.preroll * fps);
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

// The first frame, from rest or from the checkpoint of another run.
static coif_status start_run(coif_batch_run *run, coif_error *error)
{
    const char *path = start_path(run, run->sim_scene->arena);
    run->time_scale = run->sim_scene->params.time_scale;
    return path != NULL ? start_from_checkpoint(run, path, error) : settle(run, error);
}

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

static bool load_checkpoint(coif_batch_run *run, const char *folder, const char *name, int frame)
{
    COIF_SCOPED_ARENA(scratch, "state");
    coif_error ignored = {0};
    const char *path = coif_state_file_path(folder, name, frame, &scratch);
    run->checkpoint.settings = coif_sim_scene_settings(run->sim_scene, run->settings_digest, frame);
    return coif_path_exists(path) &&
           coif_solver_checkpoint_load(&run->checkpoint, path, &scratch, &ignored) == COIF_OK &&
           run->checkpoint.frame == frame;
}

// Loads the newest valid checkpoint before a frame into the solver; false when there is none.
static bool find_checkpoint(coif_batch_run *run, int first, int *frame)
{
    const coif_sim_scene *sim_scene = run->sim_scene;
    for (int f = first - 1; f >= sim_scene->params.first_frame && !run->redo; --f) {
        if (load_checkpoint(run, run->folder, run->name, f) ||
            (run->partition.index > 0 &&
             load_checkpoint(run, run->cache_folder, run->cache_name, f))) {
            coif_solver_set_points(run->sim.solver.core, run->checkpoint.positions,
                                   run->checkpoint.velocities);
            coif_solver_set_state(run->sim.solver.core, run->checkpoint.method);
            coif_constraints_restore(&run->sim.constraints, f);
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
        coif_param_fields_read(run->sim.settings, f, &params);
        const coif_time_span span = {.begin = f - 1,
                                     .end = f,
                                     .time = coif_sim_scene_time(sim_scene, f - 1),
                                     .seconds = coif_frame_seconds(&params)};
        COIF_TRY(
            coif_body_playback_begin_frame(&run->playback, sim_scene, f, params.substeps, error));
        COIF_TRY(coif_groom_sim_set_frame(&run->sim, f, false, error));
        COIF_TRY(step_frame(run, &params, &span, &stats, error));
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
        const coif_status started = start_run(run, error);
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
    COIF_TRY(start_digest(&start, run, error));
    run->input_digest = coif_sim_scene_digest(sim_scene, run->sim.groom, run->sim.node);
    run->settings_digest = run->input_digest;
    extend_digest(&run->settings_digest, start);
    extend_digest(&run->settings_digest, run->sim.fields.digest);
    int pending_count;
    COIF_TRY(find_pending(run, &pending_count, error));
    if (pending_count == 0) {
        coif_log(COIF_LOG_INFO, "%s: frames %d-%d are up to date", run->name, run->frames.first,
                 run->frames.last);
        coif_batch_run_clean(run);
        return COIF_OK;
    }
    if (run->partition.count > 0 && run->partition.index == 0) {
        return coif_batch_run_join(run, error);
    }
    COIF_TRY(coif_groom_sim_create_solver(&run->sim, sim_scene->arena, error));
    coif_strbuf_init(&run->stats_lines, sim_scene->arena);
    coif_solver_checkpoint_init(&run->checkpoint, run->sim.solver.core, sim_scene->arena);
    run->checkpoint.constraint_count = run->sim.constraints.state_count;
    run->checkpoint.constraint_state = run->sim.constraints.state;
    return simulate(run, pending_count, error);
}

static void log_report(const coif_batch_run *run)
{
    const coif_sim_scene *sim_scene = run->sim_scene;
    const char *force =
        run->report.bad_frames > 0
            ? coif_plugin_instance_plugin(sim_scene->forces[run->report.bad_force])->id
            : "";
    coif_run_report_log(&run->report, run->name, force, run->sim.groom->simulated_count,
                        &run->sim.params);
}

coif_status coif_run_groom(coif_sim_scene *sim_scene, const coif_batch_run_desc *desc,
                           coif_error *error)
{
    coif_groom_params params;
    coif_node_read(desc->node, sim_scene->params.first_frame, &params);
    coif_batch_run run = {.sim_scene = sim_scene,
                          .name = params.name,
                          .folder = desc->folder,
                          .cache_name = params.name,
                          .cache_folder = desc->folder,
                          .partition = desc->partition,
                          .redo = desc->redo,
                          .time_scale = 1.0f};
    if (desc->partition.index > 0) {
        run.name = coif_partition_name(params.name, desc->partition, sim_scene->arena);
        run.folder = coif_partition_folder(desc->folder, sim_scene->arena);
        COIF_TRY(coif_path_make_directory(run.folder, error));
    }
    coif_body_playback_open(&run.playback);
    coif_groom_sim_open(&run.sim, sim_scene, desc->node, desc->groom,
                        (int32_t)(desc->body - sim_scene->bodies));
    if (desc->partition.index > 0) {
        run.sim.partition = desc->partition;
    }
    const coif_status status = run_groom(&run, error);
    log_report(&run);
    coif_groom_sim_close(&run.sim);
    coif_body_playback_close(&run.playback);
    return status;
}
