// solver_xpbd: strands as Cosserat rods with quaternions, constraints with compliance swept from
// root to tip and back.
//
// Knows the same material as the rod and says in SI units how stiff a joint is; but a sweep carries
// a moment one joint further, and a hair is so stiff that its root would have to know of its tip.
// So hair comes out softer than it is until substeps and iterations are very many. Kept as the
// method that others use, to compare with.
#include "sim/solver/methods/xpbd/cosserat_rod.h"
#include "sim/solver/solver.h"

static void init(const coif_solver_desc *desc, coif_strand_block *block, coif_arena *arena)
{
    (void)desc;
    coif_cosserat_init(block, arena);
}

static void learn(const coif_solver_desc *desc, coif_strand_block *block,
                  coif_solver_scratch *scratch)
{
    const coif_cosserat_kernels *kernels = coif_cosserat_kernels_of(block->lanes);
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const coif_rod_material material = coif_solver_material(desc, block, scratch, lane);
        coif_cosserat_fill(block, lane, &material);
    }
    kernels->rest(block, scratch);
}

static void place(const coif_kernels *kernels, coif_strand_block *block)
{
    coif_cosserat_kernels_of(kernels->lanes)->place(block);
}

static void make_lengths_exact(const coif_kernels *kernels, const coif_strand_block *block,
                               coif_solver_scratch *scratch, const coif_substep *step)
{
    if (step->length_constraint == COIF_LENGTH_DIRECT) {
        kernels->project_lengths(block, scratch);
    } else if (step->length_constraint == COIF_LENGTH_FTL) {
        kernels->ftl_project(block, scratch);
    }
}

static void solve(const coif_kernels *kernels, const coif_strand_block *block,
                  coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_cosserat_kernels *rod = coif_cosserat_kernels_of(kernels->lanes);
    // Lengths come first and after every round: quaternions that turn towards a stretched strand
    // would fling it about.
    const bool exact = step->length_constraint != COIF_LENGTH_NONE;
    rod->begin(block, scratch, step);
    if (exact) {
        kernels->project_lengths(block, scratch);
    }
    for (int32_t i = 0; i < step->iterations; ++i) {
        rod->sweep(block, scratch, step);
        if (exact) {
            kernels->project_lengths(block, scratch);
        }
        if (scratch->has_contacts) {
            kernels->project_contact(block, scratch, 0.0f);
        }
    }
    rod->end(block, scratch, step);
    if (exact) {
        rod->tame(block, scratch);
    }
    if (scratch->has_contacts) {
        kernels->project_friction(block, scratch, step);
    }
    // As in pbd: both rounds for every block, and not being inside a body wins.
    make_lengths_exact(kernels, block, scratch, step);
    if (scratch->has_contacts) {
        kernels->project_contact(block, scratch, 0.0f);
    }
    make_lengths_exact(kernels, block, scratch, step);
    if (scratch->has_contacts) {
        kernels->project_contact(block, scratch, 0.75f);
    }
}

const coif_solver_vtable COIF_METHOD_XPBD = {.name = "xpbd",
                                             .pinned_points = 1,
                                             .scratch_rows = COIF_COSSERAT_SCRATCH_ROWS,
                                             .init = init,
                                             .precompute_rest = learn,
                                             .reset_to_rest = place,
                                             .solve = solve,
                                             .max_length_error = 0.02f,
                                             .restore_lengths = make_lengths_exact};
