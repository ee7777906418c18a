// mass_spring_contact: lengths and velocities after the second contact pass. Compiled once per
// vector width.
#include "sim/solver/methods/spring/mass_spring_simd.h"
#include "sim/solver/segment_contact.h"
#include "sim/solver/simd_dispatch.h"

// Restores lengths of strands with implicit lengths; others are elastic.
void COIF_SIMD(coif_spring_restore_lengths)(const coif_kernels *kernels,
                                            const coif_strand_block *block,
                                            coif_solver_scratch *scratch, const coif_substep *step,
                                            bool keep_contacts)
{
    spring_point *points = points_in(scratch);
    coif_simd_mask taut = {0};
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        taut[lane] = coif_spring_substeps_of(block, lane, step->h).implicit_lengths ? -1 : 0;
    }
    for (int32_t k = 0; k < block->length; ++k) {
        points[k].edge = load3(&scratch->predicted, k);
    }
    if (keep_contacts) {
        kernels->project_lengths_with_contacts(block, scratch);
    } else {
        kernels->project_lengths(block, scratch);
    }
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        store3(&scratch->predicted, k, select3(taut, p, points[k].edge));
    }
}

// A midpoint on its contact plane has no velocity into it.
static void stop_segments(const coif_strand_block *block, coif_solver_scratch *scratch,
                          coif_simd_mask moved, coif_simd rate)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    spring_point *points = points_in(scratch);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 n = load3(&m.normal, k);
        const simd_vec3 speed = scale3(add3(points[k].vel, points[k + 1].vel), coif_simd_all(0.5f));
        const coif_simd off = dot3(n, sub3(speed, scale3(load3(&m.surface_disp, k), rate)));
        const coif_simd_mask stops =
            moved & (((const coif_simd *)m.normal_push)[k] > 0.0f) & (off < 0.0f);
        const coif_simd each = 2.0f * off / (w[k] + w[k + 1] + SIMD_TINY);
        for (int32_t end = k; end <= k + 1; ++end) {
            const simd_vec3 slower = sub3(points[end].vel, scale3(n, each * w[end]));
            points[end].vel = select3(stops, slower, points[end].vel);
        }
    }
}

void COIF_SIMD(coif_spring_after_contact_push)(const coif_strand_block *block,
                                               coif_solver_scratch *scratch,
                                               const coif_substep *step, const coif_soa3 *before)
{
    const coif_simd rate = coif_simd_all(1.0f / step->h);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    spring_point *points = points_in(scratch);
    coif_simd_mask moved = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 disp = sub3(load3(&scratch->predicted, k), load3(before, k));
        const coif_simd_mask moves = (dot3(disp, disp) > 0.0f) & (w[k] > 0.0f);
        points[k].vel = select3(moves, add3(points[k].vel, scale3(disp, rate)), points[k].vel);
        moved |= moves;
    }
    if (scratch->has_segment_contacts) {
        stop_segments(block, scratch, moved, rate);
    }
}
