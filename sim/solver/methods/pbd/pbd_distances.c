// pbd_distances: distance constraints along a strand. Compiled once per vector width.
//
// Every lane is a strand of its own, so no kernel branches on data and no graph colouring is
// needed: two lanes never share a point. A sweep is a dependency chain of divisions and square
// roots, and its latency is the cost; so points stay in registers, and independent work is
// interleaved.
#include "sim/solver/methods/pbd/pbd_simd.h"

// Keeps two points at their rest distance:
//
//   C(a, b) = |b - a| - rest            n = (b - a) / |b - a|
//   a += k wa / (wa + wb) C n           b -= k wb / (wa + wb) C n
static inline void pull(simd_vec3 *a, simd_vec3 *b, coif_simd wa, coif_simd wb, coif_simd rest,
                        coif_simd k)
{
    const simd_vec3 d = sub3(*b, *a);
    const coif_simd length = coif_simd_sqrt(dot3(d, d)) + SIMD_TINY;
    const coif_simd push = k * (length - rest) / ((wa + wb + SIMD_TINY) * length);
    *a = add3(*a, scale3(d, wa * push));
    *b = sub3(*b, scale3(d, wb * push));
}

void COIF_SIMD(coif_project_stretch)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                     const coif_substep *step)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    simd_vec3 a = load3(&scratch->predicted, 0);
    for (int32_t i = 0; i + 1 < block->length; ++i) {
        simd_vec3 b = load3(&scratch->predicted, i + 1);
        pull(&a, &b, w[i], w[i + 1], rest[i],
             iteration_stiffness_at(block, COIF_ITERATION_STRETCH, i, step->stretch_stiffness));
        store3(&scratch->predicted, i, a);
        a = b;
    }
    store3(&scratch->predicted, block->length - 1, a);
}

void COIF_SIMD(coif_project_bend_distances)(const coif_strand_block *block,
                                            coif_solver_scratch *scratch, int32_t span,
                                            const float *distances, float k)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)distances;
    for (int32_t i = 0; i + span < block->length; ++i) {
        simd_vec3 a = load3(&scratch->predicted, i);
        simd_vec3 b = load3(&scratch->predicted, i + span);
        pull(&a, &b, w[i], w[i + span], rest[i], bend_at(block, i + span / 2, k));
        store3(&scratch->predicted, i, a);
        store3(&scratch->predicted, i + span, b);
    }
}

// No segment after (i, i + 1) touches point i, so the span (i - 2, i) can be projected here, in
// parallel with the chain of segments.
void COIF_SIMD(coif_project_stretch_bend)(const coif_strand_block *block,
                                          coif_solver_scratch *scratch, const float *distances,
                                          const coif_substep *step)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd *far = (const coif_simd *)distances;
    const int32_t last = block->length - 1;
    simd_vec3 a = load3(&scratch->predicted, 0);
    simd_vec3 before[2] = {a, a}; // points i - 2 and i - 1
    for (int32_t i = 0; i < last; ++i) {
        simd_vec3 b = load3(&scratch->predicted, i + 1);
        pull(&a, &b, w[i], w[i + 1], rest[i],
             iteration_stiffness_at(block, COIF_ITERATION_STRETCH, i, step->stretch_stiffness));
        if (i >= 2) {
            pull(&before[0], &a, w[i - 2], w[i], far[i - 2],
                 bend_at(block, i - 1, step->bend_stiffness));
            store3(&scratch->predicted, i - 2, before[0]);
        }
        before[0] = before[1];
        before[1] = a;
        a = b;
    }
    if (last >= 2) {
        pull(&before[0], &a, w[last - 2], w[last], far[last - 2],
             bend_at(block, last - 1, step->bend_stiffness));
        store3(&scratch->predicted, last - 2, before[0]);
    }
    store3(&scratch->predicted, last - 1, before[1]);
    store3(&scratch->predicted, last, a);
}

// Long-range attachment (Kim et al. 2012): no point is farther from the root than the arc length up
// to it. One-sided, and effective in one iteration however long the strand.
void COIF_SIMD(coif_project_attachment)(const coif_strand_block *block,
                                        coif_solver_scratch *scratch, float k)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    simd_vec3 root = load3(&scratch->predicted, 0);
    coif_simd arc_length = coif_simd_all(0.0f);
    for (int32_t i = 1; i < block->length; ++i) {
        arc_length += rest[i - 1];
        const simd_vec3 p = load3(&scratch->predicted, i);
        const simd_vec3 d = sub3(p, root);
        const coif_simd length = coif_simd_sqrt(dot3(d, d)) + SIMD_TINY;
        const coif_simd push = iteration_stiffness_at(block, COIF_ITERATION_ATTACH, i, k) *
                               (length - arc_length) / ((w[0] + w[i] + SIMD_TINY) * length);
        const coif_simd_mask outside = length > arc_length;
        root = select3(outside, add3(root, scale3(d, w[0] * push)), root);
        store3(&scratch->predicted, i, select3(outside, sub3(p, scale3(d, w[i] * push)), p));
    }
    store3(&scratch->predicted, 0, root);
}
