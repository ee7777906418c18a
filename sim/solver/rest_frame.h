// rest_frame: twist-free frames along the rest shape, by parallel transport (Bishop 1975).
#ifndef COIF_SIM_SOLVER_REST_FRAME_H
#define COIF_SIM_SOLVER_REST_FRAME_H

#include "sim/simd/simd_vec3.h"
#include "sim/solver/strand_block.h"

// Direction t and director u of a segment, in the root frame.
typedef struct rest_frame {
    simd_vec3 t, u;
} rest_frame;

static inline rest_frame initial_rest_frame(void)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd one = coif_simd_all(1.0f);
    return (rest_frame){{zero, zero, one}, {one, zero, zero}};
}

// The frame of segment k; a degenerate segment keeps the direction before it. Inverse: 1 / length.
static inline rest_frame next_rest_frame(const coif_strand_block *block, int32_t k,
                                         const rest_frame *before, coif_simd_mask degenerate,
                                         coif_simd *inverse)
{
    const simd_vec3 d = sub3(load3(&block->rest_local, k + 1), load3(&block->rest_local, k));
    rest_frame frame;
    frame.t = select3(degenerate, before->t, direction3(d, inverse));
    simd_vec3 u = before->u;
    // An animated rest shape also transports the first director, from the root normal, so that it
    // is continuous in time.
    if (k > 0 || block->rest_animation != NULL) {
        const coif_simd chi = coif_simd_max(1.0f + dot3(before->t, frame.t), coif_simd_all(1e-3f));
        u = sub3(u, scale3(add3(before->t, frame.t), dot3(u, frame.t) / chi));
    }
    frame.u = perpendicular3(u, frame.t);
    return frame;
}

#endif
