#include "sim/solver/methods/pbd/pbd.h"

#include "core/base/arena.h"

void coif_pbd_init(coif_strand_block *block, const coif_bend_spans *spans, int32_t bending,
                   coif_arena *arena)
{
    const int64_t floats = (int64_t)block->length * block->lanes;
    coif_pbd *pbd = coif_arena_new(arena, 1, coif_pbd);
    pbd->bending = bending;
    for (int32_t i = 0; i < spans->count && bending != COIF_BEND_DIHEDRAL; ++i) {
        const int32_t span = spans->segments[i] > 0 ? spans->segments[i] : block->length - 1;
        if (span >= 2 && span < block->length) {
            const int32_t own = pbd->spans.count++;
            pbd->spans.segments[own] = span;
            pbd->spans.scales[own] = spans->scales[i];
            pbd->rest_values[own] = coif_arena_new(arena, floats, float);
        }
    }
    if (bending == COIF_BEND_DIHEDRAL || bending == COIF_BEND_BOTH) {
        pbd->rest_dihedrals = coif_arena_new(arena, floats, float);
    }
    pbd->stiffness = coif_arena_new(arena, floats, float);
    for (int64_t i = 0; i < floats; ++i) {
        pbd->stiffness[i] = 1.0f;
    }
    block->method_data = pbd;
}

void coif_pbd_iterate(const coif_pbd_kernels *kernels, const coif_strand_block *block,
                      coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_pbd *pbd = coif_pbd_of(block);
    const coif_bend_spans *spans = &pbd->spans;
    const bool distances = pbd->bending == COIF_BEND_DISTANCE;
    int32_t done = 0;
    if (step->attachment_stiffness > 0.0f) {
        kernels->project_attachment(block, scratch, step->attachment_stiffness);
    }
    if (distances && step->bend_stiffness > 0.0f && spans->count > 0 && spans->segments[0] == 2) {
        kernels->project_stretch_bend(block, scratch, pbd->rest_values[0], step);
        done = 1;
    } else {
        kernels->project_stretch(block, scratch, step);
    }
    for (int32_t i = done; i < spans->count && step->bend_stiffness > 0.0f; ++i) {
        (distances ? kernels->project_bend_distances : kernels->project_bend_angles)(
            block, scratch, spans->segments[i], pbd->rest_values[i], step->bend_stiffness);
    }
    if (pbd->rest_dihedrals != NULL && step->bend_stiffness > 0.0f) {
        kernels->project_dihedrals(block, scratch, pbd->rest_dihedrals, step->bend_stiffness);
    }
}
