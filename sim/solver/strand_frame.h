// strand_frame: frames of roots and segments in SIMD lanes: interpolation of root frames (Shoemake
// 1985), and twist-free frames along strands by parallel transport (Bishop 1975).
//
// shape_constraint.c has a transport of its own: it adds a thousandth to 1 + t . t' where this one
// takes a maximum, and rounds differently.
#ifndef COIF_SIM_SOLVER_STRAND_FRAME_H
#define COIF_SIM_SOLVER_STRAND_FRAME_H

#include "core/simd/simd_quat.h"
#include "sim/solver/strand_block.h"

// Direction t of a segment and director u normal to it.
typedef struct strand_frame {
    simd_vec3 t, u;
} strand_frame;

// Sine and cosine for angles up to pi / 2: Taylor series, within one ulp.
static inline coif_simd sin_quadrant(coif_simd a)
{
    const coif_simd y = a * a;
    coif_simd sum = coif_simd_all(-1.0f / 39916800.0f);
    sum = sum * y + 1.0f / 362880.0f;
    sum = sum * y - 1.0f / 5040.0f;
    sum = sum * y + 1.0f / 120.0f;
    sum = sum * y - 1.0f / 6.0f;
    return a + a * (y * sum);
}

static inline coif_simd cos_quadrant(coif_simd a)
{
    const coif_simd y = a * a;
    coif_simd sum = coif_simd_all(1.0f / 479001600.0f);
    sum = sum * y - 1.0f / 3628800.0f;
    sum = sum * y + 1.0f / 40320.0f;
    sum = sum * y - 1.0f / 720.0f;
    sum = sum * y + 1.0f / 24.0f;
    sum = sum * y - 0.5f;
    return 1.0f + y * sum;
}

static inline void root_axes_at(simd_vec3 axes[3], const coif_strand_block *block, float moment)
{
    const coif_simd *begin = (const coif_simd *)block->root_begin + 3;
    const coif_simd *turn = (const coif_simd *)block->root_rotation;
    const coif_simd half = turn[3] * moment;
    const simd_vec3 axis = {turn[0], turn[1], turn[2]};
    const simd_quat q = {scale3(axis, sin_quadrant(half)), cos_quadrant(half)};
    for (int a = 0; a < 3; ++a) {
        axes[a] = rotate(q, (simd_vec3){begin[3 * a], begin[3 * a + 1], begin[3 * a + 2]});
    }
}

// Axes of the root frame at the begin of the frame interval.
static inline const simd_vec3 *root_axes_begin(const coif_strand_block *block)
{
    return (const simd_vec3 *)((const coif_simd *)block->root_begin + 3);
}

// A frame that moves with the root, given in the root frame.
static inline strand_frame clamp_frame_at(const coif_strand_block *block, float moment,
                                          simd_vec3 clamp_t, simd_vec3 clamp_u)
{
    simd_vec3 axes[3];
    root_axes_at(axes, block, moment);
    const simd_vec3 t = normalize3(from_axes3(axes, clamp_t));
    return (strand_frame){t, perpendicular3(from_axes3(axes, clamp_u), t)};
}

// Parallel transport of u from the direction a to b.
static inline simd_vec3 transport3(simd_vec3 u, simd_vec3 a, simd_vec3 b)
{
    const coif_simd chi = coif_simd_max(1.0f + dot3(a, b), coif_simd_all(1e-3f));
    return perpendicular3(sub3(u, scale3(add3(a, b), dot3(u, b) / chi)), b);
}

// The frame before the first segment, in the root frame.
static inline strand_frame initial_rest_frame(void)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd one = coif_simd_all(1.0f);
    return (strand_frame){{zero, zero, one}, {one, zero, zero}};
}

// The frame of segment k of the rest shape; a degenerate segment keeps the direction before it.
// Inverse: 1 / length.
static inline strand_frame next_rest_frame(const coif_strand_block *block, int32_t k,
                                           const strand_frame *before, coif_simd_mask degenerate,
                                           coif_simd *inverse)
{
    const simd_vec3 d = sub3(load3(&block->rest_local, k + 1), load3(&block->rest_local, k));
    const simd_vec3 t = select3(degenerate, before->t, direction3(d, inverse));
    // An animated rest shape also transports the first director, from the root normal, so that it
    // is continuous in time.
    const bool transports = k > 0 || block->rest_animation != NULL;
    return (strand_frame){t, transports ? transport3(before->u, before->t, t)
                                        : perpendicular3(before->u, t)};
}

#endif
