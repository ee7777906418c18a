#include "sim/solver/methods/pbd/pbd.h"

#include "core/base/arena.h"

#include <math.h>

void coif_pbd_init(coif_strand_block *block, const coif_bend_spans *spans, int32_t bending,
                   coif_arena *arena)
{
    const int64_t floats = (int64_t)block->length * block->lanes;
    coif_pbd *pbd = coif_arena_new(arena, 1, coif_pbd);
    pbd->bending = bending;
    pbd->spans = coif_arena_new(arena, spans->count, coif_pbd_span);
    for (int32_t i = 0; i < spans->count && bending != COIF_BEND_DIHEDRAL; ++i) {
        const coif_bend_span *span = &spans->spans[i];
        const coif_bend_pairs pairs = coif_bend_pairs_of(span, block->length);
        const int64_t count = (int64_t)(pairs.end - pairs.begin) * block->lanes;
        if (count > 0) {
            pbd->spans[pbd->span_count++] =
                (coif_pbd_span){.pairs = pairs,
                                .scale = span->scale,
                                .stiffness = span->stiffness,
                                .rest = coif_arena_new(arena, count, float)};
        }
    }
    // Own rows, where the stiffness of the block varies from point to point.
    const bool varies = block->param_scale[COIF_FIELD_BEND_STIFFNESS] != NULL;
    for (int32_t i = 0; i < pbd->span_count; ++i) {
        pbd->spans[i].k_rows =
            varies && pbd->spans[i].stiffness != 1.0f ? coif_arena_new(arena, floats, float) : NULL;
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

// The factor of a span acts on k, before it is scaled to one iteration.
void coif_pbd_update_params(coif_strand_block *block, const coif_solver_params *params)
{
    const coif_pbd *pbd = coif_pbd_of(block);
    const float *factor = block->param_scale[COIF_FIELD_BEND_STIFFNESS];
    for (int32_t s = 0; s < pbd->span_count; ++s) {
        coif_pbd_span *span = &pbd->spans[s];
        const float k = params->bend_stiffness * span->stiffness;
        span->k = coif_iteration_stiffness(params, fminf(k, 1.0f));
        for (int64_t i = 0; span->k_rows != NULL && i < (int64_t)block->length * block->lanes;
             ++i) {
            span->k_rows[i] = coif_iteration_stiffness(params, fminf(k * factor[i], 1.0f));
        }
    }
}

void coif_pbd_iterate(const coif_pbd_kernels *kernels, const coif_strand_block *block,
                      coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_pbd *pbd = coif_pbd_of(block);
    const bool distances = pbd->bending == COIF_BEND_DISTANCE;
    int32_t done = 0;
    if (step->attachment_stiffness > 0.0f) {
        kernels->project_attachment(block, scratch, step->attachment_stiffness);
    }
    if (distances && step->bend_stiffness > 0.0f && pbd->span_count > 0 &&
        pbd->spans[0].pairs.span == 2 && pbd->spans[0].pairs.end == block->length - 2) {
        kernels->project_stretch_bend(block, scratch, &pbd->spans[0], step);
        done = 1;
    } else {
        kernels->project_stretch(block, scratch, step);
    }
    for (int32_t i = done; i < pbd->span_count && step->bend_stiffness > 0.0f; ++i) {
        (distances ? kernels->project_bend_distances
                   : kernels->project_bend_angles)(block, scratch, &pbd->spans[i], step);
    }
    if (pbd->rest_dihedrals != NULL && step->bend_stiffness > 0.0f) {
        kernels->project_dihedrals(block, scratch, pbd->rest_dihedrals, step->bend_stiffness);
    }
}
