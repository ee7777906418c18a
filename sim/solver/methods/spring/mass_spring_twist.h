// mass_spring_twist: twist of the frames along a strand.
//
// Hair twists far faster than it moves, so twist is always in equilibrium. The frame after segment
// k is twisted against the one before it by the angle d_k; the torques c_k d_k of this twist and of
// the next balance T of the bending spring in that frame:
//
//   c_k d_k - c_k+1 d_k+1 + T_k+1 = 0        T = t . (edge x force)
//
// One Newton step for the angles of all frames per inner step, a scalar tridiagonal system; T grows
// by bend |target across t|^2 per radian.
#ifndef COIF_SIM_SOLVER_METHODS_SPRING_MASS_SPRING_TWIST_H
#define COIF_SIM_SOLVER_METHODS_SPRING_MASS_SPRING_TWIST_H

#include "sim/solver/methods/spring/mass_spring_simd.h"

// Twist of segment k, radians.
static inline coif_simd *twist_at(coif_strand_block *block, int32_t k)
{
    return (coif_simd *)block->state + (int64_t)k * block->state_rows + block->state_rows - 1;
}

// Rotates the frame about the centreline, with tan(d / 2) approximated by d / 2.
static inline void twist_frame(strand_frame *frame, coif_simd d)
{
    const coif_simd half = 0.5f * d;
    const coif_simd inverse = 1.0f / (1.0f + half * half);
    const simd_vec3 v = cross3(frame->t, frame->u);
    frame->u =
        add3(scale3(frame->u, (1.0f - half * half) * inverse), scale3(v, 2.0f * half * inverse));
}

static inline coif_simd twist_torque(const spring_stepping *ctx, int32_t k)
{
    const spring_rest *rest = &springs_of(ctx->block)[k];
    return ctx->softness * (rest->twist * *twist_at(ctx->block, k) - rest->moment);
}

// Forward elimination: the frame of segment k, k > 0, and its bending force are known.
static inline void twist_forward(const spring_stepping *ctx, int32_t k, simd_vec3 t)
{
    const spring_rest *rest = &springs_of(ctx->block)[k];
    const coif_simd c = ctx->softness * rest[-1].twist;
    const coif_simd next = ctx->softness * rest->twist;
    const coif_simd across = roll_of(ctx->block, rest);
    spring_point *point = &ctx->points[k];
    coif_simd diagonal = c + next + ctx->softness * rest->bend * across;
    coif_simd right = twist_torque(ctx, k) - twist_torque(ctx, k - 1) -
                      dot3(t, cross3(point->edge, point->bend_force));
    if (k > 1) {
        diagonal -= c * c * point[-2].twist_inv_diagonal;
        right += c * point[-2].twist_inv_diagonal * point[-2].twist_rhs;
    }
    point[-1].twist_inv_diagonal = 1.0f / (diagonal + SIMD_TINY);
    point[-1].twist_rhs = right;
}

// Back substitution; after: rotation of the next frame.
static inline void twist_backward(const spring_stepping *ctx, int32_t k, coif_simd *after,
                                  coif_simd_mask active)
{
    const int32_t last = ctx->block->length - 2;
    coif_simd turned = coif_simd_all(0.0f);
    if (k < last) {
        const coif_simd next = ctx->softness * springs_of(ctx->block)[k + 1].twist;
        turned = (ctx->points[k].twist_rhs + next * *after) * ctx->points[k].twist_inv_diagonal;
    }
    if (k + 1 < last) {
        coif_simd *d = twist_at(ctx->block, k + 1);
        *d = coif_simd_select(active, *d + (*after - turned), *d);
    }
    if (k == 0) {
        coif_simd *d = twist_at(ctx->block, 0);
        *d = coif_simd_select(active, *d + turned, *d);
    }
    *after = turned;
}

#endif
