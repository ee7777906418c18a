// cosserat_rod_rest: rotations of the rest shape. Compiled once per vector width.
#include "sim/solver/methods/xpbd/cosserat_rod_simd.h"
#include "sim/solver/strand_frame.h"

static inline simd_quat quat_of(const strand_frame *frame)
{
    return quat_of_frame(frame->u, cross3(frame->t, frame->u), frame->t);
}

static inline strand_frame next_frame(const coif_strand_block *block, int32_t k,
                                      const strand_frame *before)
{
    coif_simd inverse;
    return next_rest_frame(block, k, before,
                           ((const coif_simd *)block->rest_length)[k] < lanes_of(block)->min_length,
                           &inverse);
}

void COIF_SIMD(coif_cosserat_rest)(coif_strand_block *block, coif_solver_scratch *scratch)
{
    strand_frame frame = initial_rest_frame();
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        frame = next_frame(block, k, &frame);
        const simd_quat turn = quat_of(&frame);
        segments_of(scratch)[k].orientation = turn;
        if (k == 0) {
            lanes_of(block)->clamp_t = frame.t;
            lanes_of(block)->clamp_u = frame.u;
        }
        const simd_quat before = segments_of(scratch)[k > 0 ? k - 1 : 0].orientation;
        // Of the two quaternions of the rotation, the one below pi.
        const simd_quat rest = unit_quat(mul_quat(conjugate(before), turn));
        const simd_quat other = {scale3(rest.v, coif_simd_all(-1.0f)), -rest.w};
        joints_at_rest(block)[k].rest = select_quat(rest.w < 0.0f, other, rest);
    }
}

void COIF_SIMD(coif_cosserat_reset_to_rest)(coif_strand_block *block)
{
    const simd_vec3 *axes = root_axes_begin(block);
    const coif_simd zero = coif_simd_all(0.0f);
    strand_frame frame = initial_rest_frame();
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        frame = next_frame(block, k, &frame);
        const simd_vec3 t = normalize3(from_axes3(axes, frame.t));
        const strand_frame posed = {t, perpendicular3(from_axes3(axes, frame.u), t)};
        mutable_states_of(block)[k] = (cosserat_state){quat_of(&posed), {zero, zero, zero}};
    }
}
