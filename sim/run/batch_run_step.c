// batch_run_step: steps a groom over one frame, interval by interval.
#include "core/base/error.h"
#include "core/base/log.h"
#include "sim/run/batch_run_internal.h"

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

// Fails when too many strands diverged, warns about a few.
static coif_status check_resets(const coif_batch_run *run, double frame, int32_t reset_strands,
                                coif_error *error)
{
    if (reset_strands == 0) {
        return COIF_OK;
    }
    const int32_t count = run->sim.groom->simulated_count;
    if ((double)reset_strands > MAX_RESET_FRACTION * (double)count) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: frame %g: %d of %d strands diverged; more substeps, weaker "
                         "forces or slower bodies may help",
                         run->name, frame, reset_strands, count);
    }
    coif_log(COIF_LOG_WARNING, "%s: frame %g: %d of %d strands diverged and were reset", run->name,
             frame, reset_strands, count);
    return COIF_OK;
}

coif_status coif_batch_run_step(coif_batch_run *run, const coif_sim_params *params,
                                const coif_time_span *span, coif_step_stats *stats,
                                coif_error *error)
{
    COIF_TRY(coif_groom_sim_begin_forces(&run->sim, span, error));
    coif_solver_report report = {.bad_force = -1};
    run->frame_seconds = 0.0;
    COIF_TRY(step_intervals(run, params, span, &report, error));
    run->seconds += run->frame_seconds;
    run->frames_stepped += 1;
    if (report.bad_force >= 0) {
        coif_log(COIF_LOG_WARNING, "%s: frame %g: %s returned values that are not finite; ignored",
                 run->name, span->end,
                 coif_plugin_instance_plugin(run->sim_scene->forces[report.bad_force])->id);
    }
    *stats = report.stats;
    run->checkpoint.reset_count += stats->reset_strands;
    return check_resets(run, span->end, stats->reset_strands, error);
}
