// method_pbd: plain Position Based Dynamics, constraints projected in sweeps from root to tip.
//
// Sweeps alone stretch long strands by tens of percent at any affordable number of iterations, so
// lengths are made exact at the end, in one direct solve per strand (see length_constraint).
#include "sim/solver/method.h"
#include "sim/solver/methods/pbd/pbd.h"
#include "sim/solver/solver_internal.h"

// Relative length error that the direct solve may leave; strands with more are laid out from root
// to tip.
static const float MAX_LENGTH_ERROR = 0.02f;

static void init(const coif_solver *solver, coif_strand_block *block, coif_arena *arena)
{
    coif_pbd_init(block, &solver->bend_spans, solver->bend_constraint, arena);
}

static void precompute_rest(const coif_solver *solver, coif_strand_block *block,
                            coif_solver_scratch *scratch)
{
    (void)scratch;
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const coif_strand_material *material = &solver->materials[block->strands[lane]];
        const float *along = material->stiffness_along;
        for (int32_t k = 0; k < block->length; ++k) {
            coif_pbd_of(block)->stiffness[(int64_t)k * block->lanes + lane] =
                material->stiffness * (along != NULL ? along[k] : 1.0f);
        }
    }
    solver->kernels->pbd->precompute_rest(block);
}

static void solve(const coif_kernels *kernels, coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_pbd_kernels *pbd = kernels->pbd;
    // Goals act once per substep: their strength is a rate, not a fraction per iteration.
    kernels->project_goal(block, scratch, step);
    for (int32_t i = 0; i < step->iterations; ++i) {
        coif_pbd_iterate(pbd, block, scratch, step);
        if (step->shape_stiffness > 0.0f) {
            kernels->project_shape(block, scratch, step);
        }
        if (scratch->has_contacts) {
            kernels->project_contact(block, scratch, 0.0f);
        }
    }
    if (scratch->has_contacts) {
        kernels->project_friction(block, scratch, step);
    }
    coif_method_finish(kernels, block, scratch, step, MAX_LENGTH_ERROR);
}

const coif_solver_vtable COIF_METHOD_PBD = {.name = "pbd",
                                            .pinned_points = 2,
                                            .init = init,
                                            .precompute_rest = precompute_rest,
                                            .update_params = coif_pbd_update_params,
                                            .solve = solve,
                                            .max_length_error = 0.02f,
                                            .restore_lengths = coif_method_restore_lengths};
