// root_frame: root frames within a frame interval, by spherical linear interpolation (Shoemake
// 1985).
#ifndef COIF_SIM_SOLVER_ROOT_FRAME_H
#define COIF_SIM_SOLVER_ROOT_FRAME_H

#include "sim/simd/simd_quat.h"
#include "sim/solver/strand_block.h"

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

#endif
