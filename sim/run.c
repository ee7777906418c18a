#include "sim/run.h"

#include "core/cache.h"
#include "core/digest.h"
#include "core/error.h"
#include "core/log.h"
#include "core/text.h"
#include "sim/grow.h"
#include "sim/state.h"

#include <math.h>
#include <string.h>

// Above this share of strands that had to be put back, a frame is not worth keeping.
static const double WORST_SHARE = 0.05;

// Added to damping while hair settles before the first frame, per second.
static const float SETTLE_DAMPING = 6.0f;

typedef struct running {
    coif_shot *shot;
    const coif_groom *groom;
    const coif_node *node; // the entry of "grooms"
    const char *name;
    int32_t body; // index of the one it grows on
    coif_frame_range frames;
    bool *wanted;   // per frame from frames.first on: still to be written
    coif_vary vary; // settings that come from maps and ramps
    coif_solver solver;
    coif_work *works;
    coif_state state;
    coif_strands strands; // shaped like the simulated ones
    coif_poses poses;
    uint64_t digest;     // of all settings but the files of bodies
    double seconds;      // spent in the solver
    double last_seconds; // on the last frame
    coif_text notes;     // a line of JSON per frame
    int32_t frames_stepped;
} running;

// The frames asked for, within what can be reached from the first frame on.
static coif_status choose_frames(running *run, coif_error *error)
{
    const coif_sim_params *params = &run->shot->params;
    run->frames = run->shot->desc->frames;
    if (run->frames.last == 0) {
        run->frames = (coif_frame_range){params->first_frame, params->last_frame, 1};
    }
    run->frames.step = run->frames.step < 1 ? 1 : run->frames.step;
    if (run->frames.first < params->first_frame || run->frames.last < run->frames.first) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "frames %d-%d cannot be simulated: the scene begins at frame %d",
                         run->frames.first, run->frames.last, params->first_frame);
    }
    return COIF_OK;
}

static const char *metadata_of(const running *run, int frame, coif_arena *arena)
{
    return coif_shot_metadata(run->shot, run->groom,
                              coif_shot_settings(run->shot, run->digest, frame), arena);
}

// Whether the file holds this frame, whole and made with the same settings.
static bool frame_is_there(const running *run, int frame)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "frame check");
    const char *path = coif_cache_frame_path(run->shot->desc->folder, run->name, frame, &scratch);
    bool same = false;
    if (coif_path_exists(path)) {
        coif_strands strands;
        coif_cache_desc desc = {.frame = -1};
        coif_error ignored = {0};
        same = coif_cache_load(&strands, &desc, run->groom, path, &scratch, &ignored) == COIF_OK &&
               desc.frame == frame && strcmp(desc.metadata, metadata_of(run, frame, &scratch)) == 0;
    }
    coif_arena_free(&scratch);
    return same;
}

// Reading what is there can take a while, so it may be stopped too.
static coif_status count_wanted(running *run, int *count, coif_error *error)
{
    *count = 0;
    run->wanted = coif_arena_new(run->shot->arena, run->frames.last - run->frames.first + 1, bool);
    for (int f = run->frames.first; f <= run->frames.last; f += run->frames.step) {
        const bool wanted = run->shot->desc->redo || !frame_is_there(run, f);
        run->wanted[f - run->frames.first] = wanted;
        *count += wanted;
        if (coif_progress_cancelled(run->shot->progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "%s: stopped before the first frame",
                             run->name);
        }
    }
    return COIF_OK;
}

static bool is_wanted(const running *run, int frame)
{
    return frame >= run->frames.first && frame <= run->frames.last &&
           run->wanted[frame - run->frames.first];
}

static coif_status save_frame(running *run, int frame, const coif_tally *tally, coif_error *error)
{
    coif_strands *strands = &run->strands;
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const coif_vec3 p = run->state.places[i];
        strands->points[i] = (coif_vec4){p.x, p.y, p.z, strands->points[i].w};
    }
    strands->velocities = run->state.velocities;
    coif_arena scratch;
    coif_arena_init(&scratch, "frame path");
    const coif_cache_desc desc = {.frame = frame,
                                  .time = coif_shot_time(run->shot, frame),
                                  .quantise = run->shot->params.quantise,
                                  .healed_count = tally->healed,
                                  .figures = {.stretch = (double)tally->stretch,
                                              .contacts = (double)tally->contacts,
                                              .not_finite = (double)tally->not_finite},
                                  .metadata = metadata_of(run, frame, &scratch),
                                  .jobs = run->shot->jobs};
    const coif_status status = coif_cache_save(
        strands, run->groom, &desc,
        coif_cache_frame_path(run->shot->desc->folder, run->name, frame, &scratch), error);
    coif_arena_free(&scratch);
    return status;
}

static coif_status save_state(running *run, int frame, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "state path");
    run->state.frame = frame;
    run->state.time = coif_shot_time(run->shot, frame);
    run->state.settings = coif_shot_settings(run->shot, run->digest, frame);
    const coif_status status =
        coif_state_save(&run->state, metadata_of(run, frame, &scratch),
                        coif_cache_state_path(run->shot->desc->folder, run->name, frame, &scratch),
                        run->shot->jobs, error);
    coif_arena_free(&scratch);
    return status;
}

// One frame of motion from begin to end (frame numbers; equal while settling).
static coif_status step(running *run, const coif_sim_params *params, double begin, double end,
                        double time, coif_tally *tally, coif_error *error)
{
    coif_shot *shot = run->shot;
    const double seconds = 1.0 / (double)params->fps;
    for (int32_t f = 0; f < shot->force_count; ++f) {
        COIF_TRY(coif_instance_frame(shot->forces[f], end, time + seconds, error));
    }
    const coif_solver_frame frame = {.params = params,
                                     .begin = &run->poses.begin[run->body],
                                     .end = &run->poses.end[run->body],
                                     .bodies = shot->colliders,
                                     .body_count = shot->collider_count,
                                     .forces = shot->forces,
                                     .force_count = shot->force_count,
                                     .frame_begin = begin,
                                     .frame_end = end,
                                     .time = time,
                                     .seconds = seconds,
                                     .works = run->works};
    coif_solver_report report;
    const double clock = coif_clock_seconds();
    if (coif_solver_step(&run->solver, &frame, &report, shot->jobs, shot->progress) != COIF_OK) {
        return coif_fail(error, COIF_ERR_CANCELLED, "%s: stopped at frame %g", run->name, end);
    }
    run->last_seconds = coif_clock_seconds() - clock;
    run->seconds += run->last_seconds;
    run->frames_stepped += 1;
    if (report.bad_force >= 0) {
        coif_log(COIF_LOG_WARNING, "%s: frame %g: %s gave numbers that are not finite; left out",
                 run->name, end, coif_instance_plugin(shot->forces[report.bad_force])->id);
    }
    *tally = report.tally;
    return COIF_OK;
}

static coif_status check_health(const running *run, int frame, int32_t healed, coif_error *error)
{
    if (healed == 0) {
        return COIF_OK;
    }
    const int32_t count = run->groom->simulated_count;
    if ((double)healed > WORST_SHARE * (double)count) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: frame %d: the numbers of %d of %d strands went wrong; more substeps, "
                         "weaker forces or slower bodies may help",
                         run->name, frame, healed, count);
    }
    coif_log(COIF_LOG_WARNING, "%s: frame %d: %d of %d strands put back to the last good frame",
             run->name, frame, healed, count);
    return COIF_OK;
}

// A line of the file of figures. Seconds are for people: they are nowhere else.
static void note_frame(running *run, int frame, const coif_tally *tally)
{
    coif_text_print(&run->notes,
                    "{\"frame\": %d, \"seconds\": %.4f, \"max_stretch\": %.4g, \"contacts\": %lld, "
                    "\"strands_not_finite\": %d, \"strands_put_back\": %d}\n",
                    frame, run->last_seconds, (double)tally->stretch, (long long)tally->contacts,
                    tally->not_finite, tally->healed);
    coif_log(COIF_LOG_DETAIL, "%s: frame %d: %.3f s, stretch at most %.3g %%, %lld contacts",
             run->name, frame, run->last_seconds, 100.0 * (double)tally->stretch,
             (long long)tally->contacts);
}

static coif_status keep(running *run, int frame, const coif_tally *tally, coif_error *error)
{
    note_frame(run, frame, tally);
    coif_solver_read(&run->solver, run->state.places, run->state.velocities);
    coif_solver_read_state(&run->solver, run->state.method);
    if (is_wanted(run, frame)) {
        COIF_TRY(save_frame(run, frame, tally, error));
    }
    if (frame % run->shot->params.state_every == 0) {
        COIF_TRY(save_state(run, frame, error));
    }
    return COIF_OK;
}

// The rest shape at the first pose, left to itself for a while: the first frame is calm.
static coif_status settle(running *run, coif_error *error)
{
    coif_shot *shot = run->shot;
    const int first = shot->params.first_frame;
    coif_sim_params params = shot->params;
    params.more_damping = SETTLE_DAMPING;
    COIF_TRY(coif_poses_stand(&run->poses, shot, first, error));
    coif_solver_place(&run->solver, &run->poses.end[run->body]);
    const int rounds = (int)ceil((double)params.settle * (double)params.fps);
    coif_tally tally = {0};
    for (int i = rounds; i > 0; --i) {
        const double time = -(double)i / (double)params.fps;
        COIF_TRY(step(run, &params, first, first, time, &tally, error));
        COIF_TRY(check_health(run, first, tally.healed, error));
        run->state.healed += tally.healed;
    }
    return keep(run, first, &tally, error);
}

// The newest state before a frame, put into the solver; 0 when there is none of use.
static bool find_state(running *run, int before, int *frame)
{
    const coif_shot *shot = run->shot;
    for (int f = before - 1; f >= shot->params.first_frame && !shot->desc->redo; --f) {
        coif_arena scratch;
        coif_arena_init(&scratch, "state");
        coif_error ignored = {0};
        const char *path = coif_cache_state_path(shot->desc->folder, run->name, f, &scratch);
        run->state.settings = coif_shot_settings(shot, run->digest, f);
        const bool good = coif_path_exists(path) &&
                          coif_state_load(&run->state, path, &scratch, &ignored) == COIF_OK &&
                          run->state.frame == f;
        coif_arena_free(&scratch);
        if (good) {
            coif_solver_write(&run->solver, run->state.places, run->state.velocities);
            coif_solver_write_state(&run->solver, run->state.method);
            *frame = f;
            return true;
        }
    }
    run->state.healed = 0;
    return false;
}

static coif_status run_frames(running *run, int from, int last, coif_error *error)
{
    coif_shot *shot = run->shot;
    for (int f = from; f <= last; ++f) {
        coif_sim_params params = {0};
        coif_vary_read(shot->sim, f, &params);
        coif_tally tally;
        COIF_TRY(coif_poses_advance(&run->poses, shot, f, error));
        COIF_TRY(step(run, &params, f - 1, f, coif_shot_time(shot, f - 1), &tally, error));
        COIF_TRY(check_health(run, f, tally.healed, error));
        run->state.healed += tally.healed;
        COIF_TRY(keep(run, f, &tally, error));
        if (!coif_progress_step(shot->progress, 1) && f < last) {
            return coif_fail(error, COIF_ERR_CANCELLED, "%s: stopped after frame %d", run->name, f);
        }
    }
    return COIF_OK;
}

// Timings are for people, so they go to the log and to a file of their own that nothing reads.
static coif_status say_how_fast(const running *run, coif_error *error)
{
    const double points = run->state.point_count;
    const double substeps = (double)run->frames_stepped * run->shot->params.substeps;
    const double per_frame = run->frames_stepped > 0 ? run->seconds / run->frames_stepped : 0.0;
    const double rate = run->seconds > 0.0 ? points * substeps / run->seconds * 1e-6 : 0.0;
    coif_log(COIF_LOG_INFO,
             "%s: %d strands, %.0f points, %d frames stepped (settling included), %.3f s per "
             "frame, %.2f million point substeps per second, %s",
             run->name, run->groom->simulated_count, points, run->frames_stepped, per_frame, rate,
             run->shot->kernels->name);
    coif_arena scratch;
    coif_arena_init(&scratch, "stats");
    const char *text = coif_arena_print(
        &scratch,
        "{\"strands\": %d, \"points\": %.0f, \"frames_stepped\": %d, \"substeps\": %d, "
        "\"seconds\": %.3f, \"seconds_per_frame\": %.4f, \"million_point_substeps_per_second\": "
        "%.3f, \"strands_put_back\": %lld, \"kernels\": \"%s\"}\n",
        run->groom->simulated_count, points, run->frames_stepped, run->shot->params.substeps,
        run->seconds, per_frame, rate, (long long)run->state.healed, run->shot->kernels->name);
    const char *name = coif_arena_print(&scratch, "%s.sim.stats.json", run->name);
    const coif_status status = coif_file_save(
        coif_path_join(run->shot->desc->folder, name, &scratch), text, strlen(text), error);
    coif_arena_free(&scratch);
    return status;
}

// One line per frame of this run, also of one that failed half-way.
static coif_status save_notes(const running *run, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "stats");
    const char *name = coif_arena_print(&scratch, "%s.sim.stats.jsonl", run->name);
    const coif_status status =
        coif_file_save(coif_path_join(run->shot->desc->folder, name, &scratch), run->notes.data,
                       run->notes.size, error);
    coif_arena_free(&scratch);
    return status;
}

static coif_status simulate(running *run, int wanted_count, coif_error *error)
{
    coif_shot *shot = run->shot;
    int first = run->frames.first;
    while (!is_wanted(run, first)) {
        ++first;
    }
    int last = run->frames.last;
    while (!is_wanted(run, last)) {
        --last;
    }
    int from;
    if (find_state(run, first, &from)) {
        coif_log(COIF_LOG_INFO, "%s: %d frames to do, going on after frame %d", run->name,
                 wanted_count, from);
        COIF_TRY(coif_poses_stand(&run->poses, shot, from, error));
        coif_progress_begin(shot->progress, run->name, last - from, "frames");
    } else {
        from = shot->params.first_frame;
        coif_progress_begin(shot->progress, run->name, last - from, "frames");
        const coif_status settled = settle(run, error);
        if (settled != COIF_OK) {
            coif_progress_end(shot->progress);
            return settled;
        }
    }
    coif_status status = run_frames(run, from + 1, last, error);
    coif_progress_end(shot->progress);
    if (run->frames_stepped > 0) {
        coif_error ignored = {0};
        const coif_status noted = save_notes(run, status == COIF_OK ? error : &ignored);
        status = status == COIF_OK ? noted : status;
    }
    return status == COIF_OK ? say_how_fast(run, error) : status;
}

static void build_solver(running *run, const coif_body *body, int32_t seed)
{
    coif_shot *shot = run->shot;
    const coif_collider *collider = NULL;
    for (int32_t c = 0; c < shot->collider_count; ++c) {
        if (shot->collider_bodies[c] == run->body) {
            collider = &shot->colliders[c];
            coif_collider_move(&shot->colliders[c], body->rest.positions, body->rest.positions);
        }
    }
    const coif_solver_desc desc = {.groom = run->groom,
                                   .rest = &body->rest,
                                   .body = collider,
                                   .params = &shot->params,
                                   .vary = &run->vary,
                                   .kernels = shot->kernels,
                                   .pinned = coif_method_at(shot->params.solver)->pinned,
                                   .seed = (uint64_t)seed};
    coif_solver_init(&run->solver, &desc, shot->arena, shot->jobs);
    run->works = coif_solver_works(&run->solver, shot->arena, shot->jobs);
}

static coif_status run_groom(running *run, const coif_body *body, int32_t seed, coif_error *error)
{
    coif_shot *shot = run->shot;
    COIF_TRY(choose_frames(run, error));
    const coif_vary_desc vary = {.scene = shot->desc->scene,
                                 .sim = shot->sim,
                                 .groom_node = run->node,
                                 .groom = run->groom,
                                 .rest = &body->rest,
                                 .frame = shot->params.first_frame,
                                 .jobs = shot->jobs};
    COIF_TRY(coif_vary_open(&run->vary, &vary, shot->arena, error));
    run->digest = coif_shot_digest(shot, run->groom);
    if (run->vary.digest != 0) {
        run->digest = coif_digest_more(run->digest, &run->vary.digest, sizeof run->vary.digest);
    }
    int wanted_count;
    COIF_TRY(count_wanted(run, &wanted_count, error));
    if (wanted_count == 0) {
        coif_log(COIF_LOG_INFO, "%s: frames %d-%d are there already", run->name, run->frames.first,
                 run->frames.last);
        return COIF_OK;
    }
    build_solver(run, body, seed);
    coif_text_init(&run->notes, shot->arena);
    coif_state_init(&run->state, &run->solver, shot->arena);
    COIF_TRY(coif_groom_simulated(&run->strands, run->groom, shot->arena, error));
    return simulate(run, wanted_count, error);
}

coif_status coif_run_groom(coif_shot *shot, const coif_groom *groom, const coif_node *node,
                           const coif_body *body, coif_error *error)
{
    coif_groom_params params;
    coif_node_read(node, shot->params.first_frame, &params);
    running run = {.shot = shot,
                   .groom = groom,
                   .node = node,
                   .name = params.name,
                   .body = (int32_t)(body - shot->bodies)};
    coif_poses_open(&run.poses);
    const coif_status status = run_groom(&run, body, params.seed, error);
    coif_poses_close(&run.poses);
    return status;
}
