// run, step: a groom over one frame or a piece of it.
#include "core/base/error.h"
#include "core/base/log.h"
#include "sim/run/batch_run_internal.h"

// Above this share of strands that had to be put back, a frame is not worth keeping.
static const double WORST_SHARE = 0.05;

// The piece of a stretch that the poses are at.
static coif_status step_piece(coif_batch_run *run, const coif_sim_params *params,
                              const coif_time_span *piece, coif_solver_report *report,
                              coif_error *error)
{
    coif_sim_scene *shot = run->shot;
    const coif_groom_solver_frame frame = {
        .params = params,
        .begin = &run->poses.begin[run->body],
        .end = &run->poses.end[run->body],
        .bodies = shot->colliders,
        .body_count = shot->collider_count,
        .forces = shot->forces,
        .force_count = shot->force_count,
        .frame_begin = piece->begin,
        .frame_end = piece->end,
        .time = piece->time,
        .seconds = piece->seconds,
        .substeps_before = run->poses.piece_count > 0 ? run->poses.substep : 0,
        .substeps_in_all = run->poses.piece_count > 0 ? run->poses.all_substeps : 0};
    const double clock = coif_clock_seconds();
    if (coif_groom_solver_step(&run->solver, &frame, report, shot->jobs, shot->progress) !=
        COIF_OK) {
        return coif_fail(error, COIF_ERR_CANCELLED, "%s: stopped at frame %g", run->name,
                         piece->end);
    }
    run->last_seconds += coif_clock_seconds() - clock;
    return COIF_OK;
}

// A share of a stretch, from one substep to another.
static coif_time_span part_of(const coif_time_span *all, double begin, double end)
{
    const double frames = all->end - all->begin;
    return (coif_time_span){.begin = all->begin + begin * frames,
                            .end = all->begin + end * frames,
                            .time = all->time + begin * all->seconds,
                            .seconds = (end - begin) * all->seconds};
}

static coif_status step_pieces(coif_batch_run *run, const coif_sim_params *params,
                               const coif_time_span *all, coif_solver_report *report,
                               coif_error *error)
{
    const coif_body_playback *poses = &run->poses;
    if (poses->piece_count == 0) {
        return step_piece(run, params, all, report, error);
    }
    int32_t healed = 0;
    while (coif_body_playback_next_interval(&run->poses, run->shot)) {
        coif_sim_params own = *params;
        own.substeps = poses->substeps;
        const double whole = params->substeps;
        const coif_time_span piece =
            part_of(all, poses->substep / whole, (poses->substep + poses->substeps) / whole);
        COIF_TRY(step_piece(run, &own, poses->piece_count == 1 ? all : &piece, report, error));
        // The same strand may go wrong in every piece; the others are as they are at the end.
        healed = report->stats.reset_strands > healed ? report->stats.reset_strands : healed;
        report->stats.reset_strands = healed;
    }
    return COIF_OK;
}

coif_status coif_batch_run_step(coif_batch_run *run, const coif_sim_params *params,
                                const coif_time_span *stretch, coif_step_stats *stats,
                                coif_error *error)
{
    const coif_sim_scene *shot = run->shot;
    for (int32_t f = 0; f < shot->force_count; ++f) {
        COIF_TRY(coif_plugin_begin_frame(shot->forces[f], stretch->end,
                                         stretch->time + stretch->seconds, error));
    }
    coif_solver_report report = {.bad_force = -1};
    run->last_seconds = 0.0;
    COIF_TRY(step_pieces(run, params, stretch, &report, error));
    run->seconds += run->last_seconds;
    run->frames_stepped += 1;
    if (report.bad_force >= 0) {
        coif_log(COIF_LOG_WARNING, "%s: frame %g: %s gave numbers that are not finite; left out",
                 run->name, stretch->end,
                 coif_plugin_instance_plugin(shot->forces[report.bad_force])->id);
    }
    *stats = report.stats;
    return COIF_OK;
}

coif_status coif_batch_run_check(const coif_batch_run *run, int frame, int32_t healed,
                                 coif_error *error)
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
