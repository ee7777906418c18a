// rod, frames: directions of segments, the directors that go with them, and how far every joint is
// bent and twisted. Compiled once per vector width.
//
// A director only has to stay across its segment: how it lies about it is found by the twist solve.
#include "sim/solver/methods/der/der_strain.h"
#include "sim/solver/root_frame.h"

// The frame that the root is clamped to goes with the scalp.
void COIF_SIMD(coif_der_clamp)(rod_frame *clamp, const coif_strand_block *block, float moment)
{
    wide3 axes[3];
    root_axes_at(axes, block, moment);
    clamp->t = unit3(turn3(axes, lane_of(block)->clamp_t));
    clamp->u = across3(turn3(axes, lane_of(block)->clamp_u), clamp->t);
    clamp->v = cross3(clamp->t, clamp->u);
}

// So does the director of a tip that is clamped.
void COIF_SIMD(coif_der_hold_tip)(const coif_strand_block *block, float moment)
{
    wide3 axes[3];
    rod_state *last = &states_of(block)[block->length - 2];
    root_axes_at(axes, block, moment);
    last->u = select3(has_clamped_tip(block), turn3(axes, lane_of(block)->tip_u), last->u);
}

// Frames of the segments and joints where the last substep ended, and where points would go with
// the velocity they have; those that are held, where they must.
void COIF_SIMD(coif_der_frames)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                const rod_frame *clamp, float h)
{
    rod_link *link = links_of(scratch);
    const rod_state *state = states_of(block);
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd steepest = lane_of(block)->steepest;
    const coif_simd zero = coif_simd_all(0.0f);
    wide3 a = load3(&block->pos, 0);
    rod_frame frame = *clamp;
    for (int32_t k = 0; k < block->length; ++k) {
        const wide3 v = load3(&block->vel, k);
        const wide3 wanted = sub3(load3(&scratch->target, k), a);
        link[k].way = select3(w[k] == 0.0f, wanted, scale3(v, coif_simd_all(h)));
        if (k + 1 == block->length) {
            break;
        }
        const wide3 b = load3(&block->pos, k + 1);
        const wide3 d = sub3(b, a);
        const coif_simd_mask collapsed = is_short(block, k);
        coif_simd inverse;
        const rod_frame before = frame;
        frame.t = select3(collapsed, frame.t, direction3(d, &inverse));
        frame.u = across3(state[k].u, frame.t);
        frame.v = cross3(frame.t, frame.u);
        link[k].frame = frame;
        measure(&link[k].bend, &before, &frame);
        link[k].steep = coif_simd_select(collapsed, zero, coif_simd_min(inverse, steepest));
        link[k].stretch = dot3(d, frame.t) - rest[k];
        a = b;
    }
}
