// cosserat, rest: the turns of the rest shape. Compiled once per vector width.
#include "sim/solver/methods/xpbd/cosserat_rod_simd.h"

typedef struct frame3 {
    simd_vec3 t, u;
} frame3;

static inline simd_quat quat_of(const frame3 *frame)
{
    return quat_of_frame(frame->u, cross3(frame->t, frame->u), frame->t);
}

// Frames of the rest shape in the frame of the root: the first axis of the first is any, the others
// follow by the smallest rotation, so the shape at rest has no twist. A segment too short to have a
// direction goes on as the one before.
static inline frame3 next_frame(const coif_strand_block *block, int32_t k, const frame3 *before)
{
    const simd_vec3 d = sub3(load3(&block->rest_local, k + 1), load3(&block->rest_local, k));
    const coif_simd_mask is_short =
        ((const coif_simd *)block->rest_length)[k] < lanes_of(block)->min_length;
    coif_simd inverse;
    frame3 frame;
    frame.t = select3(is_short, before->t, direction3(d, &inverse));
    simd_vec3 u = before->u;
    // Where the rest shape changes the first follows from the normal in the same way, so that it
    // never jumps.
    if (k > 0 || block->rest_animation != NULL) {
        const coif_simd chi = coif_simd_max(1.0f + dot3(before->t, frame.t), coif_simd_all(1e-3f));
        u = sub3(u, scale3(add3(before->t, frame.t), dot3(u, frame.t) / chi));
    }
    frame.u = perpendicular3(u, frame.t);
    return frame;
}

static inline frame3 initial_frame(void)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd one = coif_simd_all(1.0f);
    return (frame3){{zero, zero, one}, {one, zero, zero}};
}

void COIF_SIMD(coif_cosserat_rest)(coif_strand_block *block, coif_solver_scratch *scratch)
{
    frame3 frame = initial_frame();
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        frame = next_frame(block, k, &frame);
        const simd_quat turn = quat_of(&frame);
        segments_of(scratch)[k].orientation = turn;
        if (k == 0) {
            lanes_of(block)->clamp_t = frame.t;
            lanes_of(block)->clamp_u = frame.u;
        }
        const simd_quat before = segments_of(scratch)[k > 0 ? k - 1 : 0].orientation;
        // Of the two quaternions that mean the turn, the one by less than half a circle.
        const simd_quat rest = unit_quat(mul_quat(conjugate(before), turn));
        const simd_quat other = {scale3(rest.v, coif_simd_all(-1.0f)), -rest.w};
        joints_at_rest(block)[k].rest = select_quat(rest.w < 0.0f, other, rest);
    }
}

void COIF_SIMD(coif_cosserat_reset_to_rest)(coif_strand_block *block)
{
    const coif_simd *rows = (const coif_simd *)block->root_begin;
    const simd_vec3 axes[3] = {
        {rows[3], rows[4], rows[5]}, {rows[6], rows[7], rows[8]}, {rows[9], rows[10], rows[11]}};
    const coif_simd zero = coif_simd_all(0.0f);
    frame3 frame = initial_frame();
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        frame = next_frame(block, k, &frame);
        const simd_vec3 t = normalize3(from_axes3(axes, frame.t));
        const frame3 posed = {t, perpendicular3(from_axes3(axes, frame.u), t)};
        mutable_states_of(block)[k] = (cosserat_state){quat_of(&posed), {zero, zero, zero}};
    }
}
