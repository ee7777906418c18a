// Targets of goals: springs towards the rest shape or positions of a cache.
#include "core/base/arena.h"
#include "sim/run/goals.h"
#include "sim/run/solver_setup.h"

enum { GRAIN = 64 };

typedef struct strength_ctx {
    const coif_groom_solver *solver;
    const coif_sim_params *params;
    const int32_t *first_point;
    float *strength;
} strength_ctx;

// A root stays on the body.
static void fill_strength(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const strength_ctx *ctx = context;
    const coif_param_fields *fields = ctx->solver->desc.fields;
    const bool free_root = ctx->params->root_boundary == COIF_ROOT_FREE;
    for (int64_t s = begin; s < end; ++s) {
        const float own =
            ctx->params->goal_amount *
            coif_param_fields_value(fields, COIF_FIELD_GOAL_STRENGTH, ctx->params, (int32_t)s);
        const int32_t first = ctx->first_point[s];
        const int32_t last = ctx->first_point[s + 1] - first - 1;
        for (int32_t k = 0; k <= last; ++k) {
            const float along =
                coif_param_fields_along(fields, COIF_FIELD_GOAL_STRENGTH, (float)k / (float)last);
            ctx->strength[first + k] = k == 0 && !free_root ? 0.0f : own * along;
        }
    }
}

void coif_goals_begin_step(coif_groom_solver *solver, const coif_groom_solver_frame *frame,
                           coif_jobs *jobs)
{
    const bool cached = frame->goal_begin != NULL;
    const float strength = frame->params->goal_strength * frame->params->goal_amount;
    const float seconds = (float)coif_frame_seconds(frame->params);
    const bool same = strength == solver->goal_strength &&
                      (strength <= 0.0f || (seconds == solver->goal_frame_seconds && !cached));
    if (frame->substeps_before > 0 || same) {
        return;
    }
    solver->goal_strength = strength;
    solver->goal_frame_seconds = seconds;
    if (strength <= 0.0f) {
        coif_solver_set_targets(solver->core, COIF_TARGETS_GOAL, NULL, jobs);
        return;
    }
    const int32_t count = coif_solver_strand_count(solver->core);
    strength_ctx ctx = {.solver = solver,
                        .params = frame->params,
                        .first_point = coif_solver_first_point(solver->core)};
    coif_arena temporary;
    coif_arena_init(&temporary, "goals");
    ctx.strength = coif_arena_new(&temporary, ctx.first_point[count], float);
    coif_parallel_for(jobs, count, GRAIN, fill_strength, &ctx);
    const coif_point_targets targets = {.begin = frame->goal_begin,
                                        .end = frame->goal_end,
                                        .strength = ctx.strength,
                                        .frame_seconds = seconds};
    coif_solver_set_targets(solver->core, COIF_TARGETS_GOAL, &targets, jobs);
    coif_arena_free(&temporary);
}
