// solver_pbd: plain Position Based Dynamics, the constraints swept from the scalp outwards.
//
// Sweeps alone stretch long strands by tens of percent at any affordable number of rounds, so the
// lengths are made exact at the end, in one direct solve per strand (see length_pass).
#include "core/base/error.h"
#include "sim/solver/methods/der/der.h"
#include "sim/solver/methods/pbd/pbd.h"
#include "sim/solver/solver.h"

// Share of a segment that the direct pass may leave it off by; more is put right from root to tip.
static const float WORST = 0.02f;

static void init(const coif_solver_desc *desc, coif_strand_block *block, coif_arena *arena)
{
    coif_bend_spans pairs;
    const coif_status status = coif_bend_spans_parse(&pairs, desc->params->bend_spans, NULL);
    COIF_ASSERT(status == COIF_OK); // scenes are checked
    (void)status;
    coif_pbd_init(block, &pairs, desc->params->bend_constraint, arena);
}

static void learn(const coif_solver_desc *desc, coif_strand_block *block,
                  coif_solver_scratch *scratch)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const coif_rod_material material = coif_solver_material(desc, block, scratch, lane);
        for (int32_t k = 0; k < block->length; ++k) {
            block->pbd->stiffness[(int64_t)k * block->lanes + lane] =
                material.stiffness * material.along[k];
        }
    }
    coif_pbd_kernels_of(block->lanes)->rest(block);
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
    const coif_pbd_kernels *pbd = coif_pbd_kernels_of(kernels->lanes);
    // Goals act once per substep: their strength is stated per second, not per round.
    kernels->project_goal(block, scratch, step);
    for (int32_t i = 0; i < step->iterations; ++i) {
        coif_pbd_round(pbd, block, scratch, step);
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
    // Lengths and contacts pull at each other; the distance kept leaves room to give way, and not
    // being inside a body wins. Both rounds run for every block, touching or not: a strand must not
    // feel which others it shares a block with.
    make_lengths_exact(kernels, block, scratch, step);
    if (scratch->has_contacts) {
        kernels->project_contact(block, scratch, 0.0f);
    }
    make_lengths_exact(kernels, block, scratch, step);
    if (step->length_constraint == COIF_LENGTH_DIRECT) {
        kernels->ftl_fallback(block, scratch, WORST);
    }
    if (scratch->has_contacts) {
        kernels->project_contact(block, scratch, 0.75f);
    }
}

const coif_solver_vtable COIF_METHOD_PBD = {.name = "pbd",
                                            .pinned_points = 2,
                                            .scratch_rows =
                                                1, // for what stiffness is along a strand
                                            .init = init,
                                            .precompute_rest = learn,
                                            .validate = coif_solver_check_round,
                                            .solve = solve,
                                            .max_length_error = 0.02f,
                                            .restore_lengths = make_lengths_exact};
