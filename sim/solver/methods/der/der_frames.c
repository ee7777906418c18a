// der_frames: material frames of segments, and bend and twist of joints. Compiled once per vector
// width.
//
// A director only has to stay normal to its segment: its angle about it is found by the twist
// solve.
#include "sim/solver/methods/der/der_strain.h"
#include "sim/solver/strand_frame.h"

// The clamp frame moves with the scalp.
void COIF_SIMD(coif_der_clamp)(der_frame *clamp, const coif_strand_block *block, float moment)
{
    const der_lane *lane = lane_of(block);
    const strand_frame frame = clamp_frame_at(block, moment, lane->clamp_t, lane->clamp_u);
    *clamp = (der_frame){frame.t, frame.u, cross3(frame.t, frame.u)};
}

// The director of a clamped tip does too.
void COIF_SIMD(coif_der_update_tip)(coif_strand_block *block, float moment)
{
    simd_vec3 axes[3];
    der_state *last = &mutable_states_of(block)[block->length - 2];
    root_axes_at(axes, block, moment);
    last->u = select3(has_clamped_tip(block), from_axes3(axes, lane_of(block)->tip_u), last->u);
}

// Frames of segments and joints at the begin of the substep, and displacements of points by their
// present velocity; of pinned points, to their targets.
void COIF_SIMD(coif_der_frames)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                const der_frame *clamp, float h)
{
    der_segment *segment = segments_of(scratch);
    const der_state *state = states_of(block);
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd steepest = lane_of(block)->max_inv_length;
    const coif_simd zero = coif_simd_all(0.0f);
    simd_vec3 a = load3(&block->pos, 0);
    der_frame frame = *clamp;
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 v = load3(&block->vel, k);
        const simd_vec3 wanted = sub3(load3(&scratch->target, k), a);
        segment[k].disp = select3(w[k] == 0.0f, wanted, scale3(v, coif_simd_all(h)));
        if (k + 1 == block->length) {
            break;
        }
        const simd_vec3 b = load3(&block->pos, k + 1);
        const simd_vec3 d = sub3(b, a);
        const coif_simd_mask collapsed = is_short(block, k);
        coif_simd inverse;
        const der_frame before = frame;
        frame.t = select3(collapsed, frame.t, direction3(d, &inverse));
        frame.u = perpendicular3(state[k].u, frame.t);
        frame.v = cross3(frame.t, frame.u);
        segment[k].frame = frame;
        measure(&segment[k].joint, &before, &frame);
        segment[k].inv_length = coif_simd_select(collapsed, zero, coif_simd_min(inverse, steepest));
        segment[k].stretch = dot3(d, frame.t) - rest[k];
        a = b;
    }
}
