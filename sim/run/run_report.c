#include "sim/run/run_report.h"

#include "core/base/arena.h"
#include "core/base/log.h"

#include <string.h>

// Stretch at the end of a run that is worth a warning.
static const float MAX_STRETCH = 0.2f;

void coif_run_report_add(coif_run_report *run, double frame, const coif_solver_report *step)
{
    const int32_t resets = step->stats.reset_strands;
    if (resets > 0 && run->reset_frames++ == 0) {
        run->first_reset_frame = frame;
    }
    if (step->bad_force >= 0 && run->bad_frames++ == 0) {
        run->first_bad_frame = frame;
        run->bad_force = step->bad_force;
    }
    run->max_resets = resets > run->max_resets ? resets : run->max_resets;
    coif_step_stats_add(&run->stats, &step->stats);
    run->stats.stretch = step->stats.stretch;
}

static bool is_solver(const coif_sim_params *params, const char *name)
{
    return strcmp(COIF_METHOD_NAMES[params->solver], name) == 0;
}

// What makes the constraints of the solver converge.
static const char *convergence_cure(const coif_sim_params *params, coif_arena *arena)
{
    const int substeps = params->substeps;
    if (is_solver(params, "pbd") || is_solver(params, "xpbd")) {
        return coif_arena_print(arena, "raise sim/substeps (%d) or sim/iterations (%d)%s", substeps,
                                params->iterations,
                                params->length_constraint == COIF_LENGTH_NONE
                                    ? ", or set sim/length_constraint to direct"
                                    : "");
    }
    if (is_solver(params, "ftl")) {
        return coif_arena_print(arena,
                                "raise sim/substeps (%d) or lower sim/ftl_velocity_correction (%g)",
                                substeps, (double)params->ftl_velocity_correction);
    }
    if (is_solver(params, "spring")) {
        return coif_arena_print(arena,
                                "raise sim/max_inner_steps (%d) or sim/substeps (%d), or lower "
                                "sim/stiffness (%g)",
                                params->max_inner_steps, substeps, (double)params->stiffness);
    }
    return coif_arena_print(arena, "raise sim/substeps (%d) or sim/bending_damping_time (%g)",
                            substeps, (double)params->bending_damping_time);
}

const char *coif_divergence_cure(const coif_step_stats *stats, const coif_sim_params *params,
                                 coif_arena *arena)
{
    int cause = 0;
    for (int i = 1; i < COIF_DIVERGED_CAUSES; ++i) {
        cause = stats->causes[i] > stats->causes[cause] ? i : cause;
    }
    switch (cause) {
    case COIF_DIVERGED_BODY:
        return coif_arena_print(arena,
                                "roots move at up to %.0f m/s: check keys and units of the body, "
                                "or raise sim/substeps (%d)",
                                (double)stats->body_speed, params->substeps);
    case COIF_DIVERGED_WIND:
        return coif_arena_print(arena,
                                "wind blows at up to %.0f m/s: lower its velocity or sim/drag (%g)",
                                (double)stats->wind_speed, (double)params->drag);
    case COIF_DIVERGED_FORCE:
        return coif_arena_print(arena,
                                "forces accelerate hair by up to %.3g m/s2: lower forces, "
                                "sim/gravity or sim/tip_force, or raise sim/substeps (%d)",
                                (double)stats->force_accel, params->substeps);
    case COIF_DIVERGED_INTERACTION:
        return coif_arena_print(arena,
                                "hair pushes hair: lower sim/interaction_stiffness (%g), "
                                "sim/cohesion (%g) or sim/interaction_interval (%d)",
                                (double)params->interaction_stiffness, (double)params->cohesion,
                                params->interaction_interval);
    case COIF_DIVERGED_CONTACT:
        return coif_arena_print(arena,
                                "bodies squeeze or drag hair: raise sim/substeps (%d), lower "
                                "sim/friction (%g) or sim/contact_margin (%g), or limit "
                                "sim/max_depenetration_speed (%g)",
                                params->substeps, (double)params->friction,
                                (double)params->contact_margin,
                                (double)params->max_depenetration_speed);
    default:
        return coif_arena_print(arena, "constraints have not converged: %s",
                                convergence_cure(params, arena));
    }
}

static bool may_stretch(const coif_sim_params *params)
{
    return ((is_solver(params, "pbd") || is_solver(params, "xpbd")) &&
            params->length_constraint == COIF_LENGTH_NONE) ||
           is_solver(params, "spring");
}

void coif_run_report_log(const coif_run_report *run, const char *name, const char *force,
                         int32_t strand_count, const coif_sim_params *params)
{
    COIF_SCOPED_ARENA(arena, "run report");
    if (run->bad_frames > 0) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s returned values that are not finite in %d %s, first in frame %g; ignored",
                 name, force, run->bad_frames, run->bad_frames == 1 ? "frame" : "frames",
                 run->first_bad_frame);
    }
    if (run->reset_frames > 0) {
        coif_log(COIF_LOG_WARNING,
                 "%s: up to %d of %d strands diverged and were reset in %d %s, first in frame %g; "
                 "%s",
                 name, run->max_resets, strand_count, run->reset_frames,
                 run->reset_frames == 1 ? "frame" : "frames", run->first_reset_frame,
                 coif_divergence_cure(&run->stats, params, &arena));
    }
    if (run->stats.stretch > MAX_STRETCH && may_stretch(params)) {
        coif_log(COIF_LOG_WARNING,
                 "%s: segments are stretched by up to %.0f %% in the last frame; "
                 "%s",
                 name, 100.0 * (double)run->stats.stretch,
                 is_solver(params, "spring")
                     ? coif_arena_print(&arena, "raise sim/spring_stretch_force (%g)",
                                        (double)params->spring_stretch_force)
                     : convergence_cure(params, &arena));
    }
}
