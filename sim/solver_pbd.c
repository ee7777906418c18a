// solver_pbd: plain Position Based Dynamics, the constraints swept from the scalp outwards.
//
// Sweeps alone stretch long strands by tens of percent at any affordable number of rounds, so the
// lengths are made exact at the end, in one direct solve per strand (see length_pass).
#include "sim/solver.h"

static void make_lengths_exact(const coif_kernels *kernels, const coif_block *block,
                               coif_work *work, const coif_substep *step)
{
    if (step->length_pass == COIF_LENGTH_DIRECT) {
        kernels->project_lengths(block, work);
    } else if (step->length_pass == COIF_LENGTH_FTL) {
        kernels->follow_leader(block, work);
    }
}

static void solve(const coif_kernels *kernels, const coif_block *block, coif_work *work,
                  const coif_substep *step)
{
    // Goals act once per substep: their strength is stated per second, not per round.
    kernels->project_position(block, work, step);
    for (int32_t i = 0; i < step->iterations; ++i) {
        kernels->project_stretch(block, work, step);
        kernels->project_bend(block, work, step);
        kernels->project_shape(block, work, step);
        if (work->touching) {
            kernels->project_contact(block, work, 0.0f);
        }
    }
    if (work->touching) {
        kernels->project_friction(block, work, step);
    }
    // Lengths and contacts pull at each other; the distance kept leaves room to give way, and not
    // being inside a body wins. Both rounds run for every block, touching or not: a strand must not
    // feel which others it shares a block with.
    make_lengths_exact(kernels, block, work, step);
    if (work->touching) {
        kernels->project_contact(block, work, 0.0f);
    }
    make_lengths_exact(kernels, block, work, step);
    if (work->touching) {
        kernels->project_contact(block, work, 0.75f);
    }
}

const coif_method COIF_METHOD_PBD = {.name = "pbd", .pinned = 2, .solve = solve};
