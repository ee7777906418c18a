// solver_ftl: dynamic follow-the-leader, the cheapest way to lengths that do not change at all.
//
// Hair falls, hangs and lies on bodies at its exact length after one pass. It swings more slowly
// and dies out sooner than real hair, since each point leads as if nothing hung on it: a preview.
// The rest shape is kept by goals and waves as in "pbd"; bending has no say.
#include "sim/solver/solver.h"

// A tip that is held leads as well as the root does, and one pass cannot follow both: such strands
// get their lengths from the direct solve.
static bool is_held(const coif_strand_block *block)
{
    return block->inv_mass[(int64_t)(block->length - 1) * block->lanes] == 0.0f;
}

static void solve(const coif_kernels *kernels, const coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step)
{
    kernels->project_goal(block, scratch, step);
    for (int32_t i = 0; i < step->iterations && step->shape_stiffness > 0.0f; ++i) {
        kernels->project_shape(block, scratch, step);
    }
    if (scratch->has_contacts) {
        kernels->project_contact(block, scratch, 0.0f);
        kernels->project_friction(block, scratch, step);
    }
    if (is_held(block)) {
        kernels->project_lengths(block, scratch);
        kernels->project_lengths(block, scratch);
        return;
    }
    kernels->ftl_project(block, scratch);
}

static void follow(const coif_kernels *kernels, const coif_strand_block *block,
                   coif_solver_scratch *scratch, const coif_substep *step)
{
    (void)step;
    if (is_held(block)) {
        kernels->project_lengths(block, scratch);
    } else {
        kernels->ftl_project(block, scratch);
    }
}

static void finish(const coif_kernels *kernels, coif_strand_block *block,
                   coif_solver_scratch *scratch, const coif_substep *step)
{
    if (!is_held(block)) {
        kernels->ftl_velocity_correction(block, scratch, step);
    }
}

const coif_solver_vtable COIF_METHOD_FTL = {.name = "ftl",
                                            .pinned_points = 2,
                                            .validate = coif_solver_check_round,
                                            .solve = solve,
                                            .restore_lengths = follow,
                                            .lengths_override_contacts = true,
                                            .end_substep = finish};
