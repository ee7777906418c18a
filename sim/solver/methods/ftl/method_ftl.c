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
    return block->w[(int64_t)(block->length - 1) * block->lanes] == 0.0f;
}

static void solve(const coif_kernels *kernels, const coif_strand_block *block,
                  coif_solver_scratch *work, const coif_substep *step)
{
    kernels->project_position(block, work, step);
    for (int32_t i = 0; i < step->iterations && step->shape > 0.0f; ++i) {
        kernels->project_shape(block, work, step);
    }
    if (work->touching) {
        kernels->project_contact(block, work, 0.0f);
        kernels->project_friction(block, work, step);
    }
    if (is_held(block)) {
        kernels->project_lengths(block, work);
        kernels->project_lengths(block, work);
        return;
    }
    kernels->follow_leader(block, work);
}

static void follow(const coif_kernels *kernels, const coif_strand_block *block,
                   coif_solver_scratch *work, const coif_substep *step)
{
    (void)step;
    if (is_held(block)) {
        kernels->project_lengths(block, work);
    } else {
        kernels->follow_leader(block, work);
    }
}

static void finish(const coif_kernels *kernels, coif_strand_block *block, coif_solver_scratch *work,
                   const coif_substep *step)
{
    if (!is_held(block)) {
        kernels->correct_leader(block, work, step);
    }
}

const coif_solver_vtable COIF_METHOD_FTL = {.name = "ftl",
                                            .pinned = 2,
                                            .check = coif_solver_check_round,
                                            .solve = solve,
                                            .lengths = follow,
                                            .lengths_win = true,
                                            .finish = finish};
