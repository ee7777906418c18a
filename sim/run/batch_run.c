#include "sim/run/batch_run.h"

#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "sim/groom/groom_generate.h"
#include "sim/run/batch_run_internal.h"

// The frames asked for, within what can be reached from the first frame on.
static coif_status choose_frames(coif_batch_run *run, coif_error *error)
{
    const coif_sim_params *params = &run->shot->params;
    run->frames = run->shot->desc->frames;
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

// Reading what is there can take a while, so it may be stopped too.
static coif_status count_wanted(coif_batch_run *run, int *count, coif_error *error)
{
    *count = 0;
    run->wanted = coif_arena_new(run->shot->arena, run->frames.last - run->frames.first + 1, bool);
    for (int f = run->frames.first; f <= run->frames.last; f += run->frames.step) {
        const bool wanted = run->shot->desc->redo || !coif_batch_run_frame_is_cached(run, f);
        run->wanted[f - run->frames.first] = wanted;
        *count += wanted;
        if (coif_progress_cancelled(run->shot->progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "%s: stopped before the first frame",
                             run->name);
        }
    }
    return COIF_OK;
}

// The newest state before a frame, put into the solver; 0 when there is none of use.
static bool find_state(coif_batch_run *run, int before, int *frame)
{
    const coif_sim_scene *shot = run->shot;
    for (int f = before - 1; f >= shot->params.first_frame && !shot->desc->redo; --f) {
        coif_arena scratch;
        coif_arena_init(&scratch, "state");
        coif_error ignored = {0};
        const char *path = coif_state_file_path(shot->desc->folder, run->name, f, &scratch);
        run->state.settings = coif_sim_scene_settings(shot, run->digest, f);
        const bool good =
            coif_path_exists(path) &&
            coif_solver_checkpoint_load(&run->state, path, &scratch, &ignored) == COIF_OK &&
            run->state.frame == f;
        coif_arena_free(&scratch);
        if (good) {
            coif_solver_set_points(&run->solver.core, run->state.places, run->state.velocities);
            coif_solver_set_state(&run->solver.core, run->state.method);
            *frame = f;
            return true;
        }
    }
    run->state.healed = 0;
    return false;
}

static coif_status run_frames(coif_batch_run *run, int from, int last, coif_error *error)
{
    coif_sim_scene *shot = run->shot;
    for (int f = from; f <= last; ++f) {
        coif_sim_params params = {0};
        coif_step_stats stats = {0};
        coif_param_fields_read(shot->sim, f, &params);
        const coif_time_span stretch = {.begin = f - 1,
                                        .end = f,
                                        .time = coif_sim_scene_time(shot, f - 1),
                                        .seconds = coif_frame_seconds(&params)};
        COIF_TRY(coif_body_playback_begin_frame(&run->poses, shot, f, params.substeps, error));
        if (run->grows) {
            COIF_TRY(coif_groom_animation_to(&run->regrow, f, false, shot->jobs, error));
        }
        COIF_TRY(coif_batch_run_step(run, &params, &stretch, &stats, error));
        COIF_TRY(coif_batch_run_check(run, f, stats.reset_strands, error));
        run->state.healed += stats.reset_strands;
        run->speed = params.time_scale;
        COIF_TRY(coif_batch_run_save_frame(run, f, &stats, error));
        if (!coif_progress_step(shot->progress, 1) && f < last) {
            return coif_fail(error, COIF_ERR_CANCELLED, "%s: stopped after frame %d", run->name, f);
        }
    }
    return COIF_OK;
}

static coif_status simulate(coif_batch_run *run, int wanted_count, coif_error *error)
{
    coif_sim_scene *shot = run->shot;
    int first = run->frames.first;
    while (!coif_batch_run_frame_requested(run, first)) {
        ++first;
    }
    int last = run->frames.last;
    while (!coif_batch_run_frame_requested(run, last)) {
        --last;
    }
    int from;
    if (find_state(run, first, &from)) {
        coif_log(COIF_LOG_INFO, "%s: %d frames to do, going on after frame %d", run->name,
                 wanted_count, from);
        COIF_TRY(coif_body_playback_hold_pose(&run->poses, shot, from, error));
        if (run->grows) {
            COIF_TRY(coif_groom_animation_to(&run->regrow, from, true, shot->jobs, error));
        }
        coif_progress_begin(shot->progress, run->name, last - from, "frames");
    } else {
        from = shot->params.first_frame;
        coif_progress_begin(shot->progress, run->name, last - from, "frames");
        const coif_status settled = coif_batch_run_start(run, error);
        if (settled != COIF_OK) {
            coif_progress_end(shot->progress);
            return settled;
        }
    }
    coif_status status = run_frames(run, from + 1, last, error);
    coif_progress_end(shot->progress);
    if (run->frames_stepped > 0) {
        coif_error ignored = {0};
        const coif_status noted =
            coif_batch_run_write_frame_stats(run, status == COIF_OK ? error : &ignored);
        status = status == COIF_OK ? noted : status;
    }
    return status == COIF_OK ? coif_batch_run_write_summary(run, error) : status;
}

static void build_solver(coif_batch_run *run, const coif_body *body, int32_t seed)
{
    coif_sim_scene *shot = run->shot;
    const coif_collider *collider = NULL;
    for (int32_t c = 0; c < shot->collider_count; ++c) {
        if (shot->collider_bodies[c] == run->body) {
            collider = &shot->colliders[c];
            coif_collider_refit(&shot->colliders[c], body->rest.positions, body->rest.positions);
        }
    }
    if (run->grows) {
        // The shot's own goes where the body goes.
        collider = collider != NULL ? &run->body_collider : NULL;
        coif_collider_build(&run->body_collider, &body->rest, shot->arena);
        run->regrow.desc.body_collider = &run->body_collider;
    }
    const coif_groom_solver_desc desc = {
        .groom = run->groom,
        .rest = &body->rest,
        .body = collider,
        .params = &shot->params,
        .vary = &run->vary,
        .kernels = shot->kernels,
        .grows = run->grows,
        .pinned = coif_solver_vtable_at(shot->params.solver)->pinned_points,
        .seed = (uint64_t)seed};
    coif_groom_solver_init(&run->solver, &desc, shot->arena, shot->jobs);
    run->regrow.solver = &run->solver;
}

static coif_status run_groom(coif_batch_run *run, const coif_body *body, int32_t seed,
                             coif_error *error)
{
    coif_sim_scene *shot = run->shot;
    COIF_TRY(choose_frames(run, error));
    const coif_param_fields_desc vary = {.scene = shot->desc->scene,
                                         .sim = shot->sim,
                                         .groom_node = run->node,
                                         .groom = run->groom,
                                         .rest = &body->rest,
                                         .frame = shot->params.first_frame,
                                         .jobs = shot->jobs};
    COIF_TRY(coif_param_fields_open(&run->vary, &vary, shot->arena, error));
    run->inputs = coif_sim_scene_digest(shot, run->groom, run->node);
    run->digest = run->inputs;
    uint64_t start;
    COIF_TRY(coif_batch_run_start_digest(&start, run, error));
    if (start != 0) {
        run->digest = coif_hash64_extend(run->digest, &start, sizeof start);
    }
    if (run->vary.digest != 0) {
        run->digest = coif_hash64_extend(run->digest, &run->vary.digest, sizeof run->vary.digest);
    }
    int wanted_count;
    COIF_TRY(count_wanted(run, &wanted_count, error));
    if (wanted_count == 0) {
        coif_log(COIF_LOG_INFO, "%s: frames %d-%d are there already", run->name, run->frames.first,
                 run->frames.last);
        return COIF_OK;
    }
    build_solver(run, body, seed);
    coif_strbuf_init(&run->notes, shot->arena);
    coif_solver_checkpoint_init(&run->state, &run->solver.core, shot->arena);
    COIF_TRY(coif_groom_simulated(&run->strands, run->groom, shot->arena, error));
    return simulate(run, wanted_count, error);
}

coif_status coif_run_groom(coif_sim_scene *shot, const coif_groom *groom, const coif_node *node,
                           const coif_body *body, coif_error *error)
{
    coif_groom_params params;
    coif_node_read(node, shot->params.first_frame, &params);
    coif_batch_run run = {.shot = shot,
                          .groom = groom,
                          .node = node,
                          .name = params.name,
                          .body = (int32_t)(body - shot->bodies),
                          .grows = coif_groom_is_animated(node),
                          .speed = 1.0f};
    const coif_groom_generate_desc again = {.scene = shot->desc->scene,
                                            .node = node,
                                            .body = body,
                                            .sim = &shot->params,
                                            .frame = shot->params.first_frame,
                                            .progress = shot->progress};
    coif_body_playback_open(&run.poses);
    coif_groom_animation_open(&run.regrow, &again, groom);
    const coif_status status = run_groom(&run, body, params.seed, error);
    coif_groom_animation_close(&run.regrow);
    coif_body_playback_close(&run.poses);
    return status;
}
