// der_step: one substep of the rod, from predicted positions to corrected lengths, and the material
// frames of segments. Compiled once per vector width; its kernel table is at the end.
//
// A director only has to stay normal to its segment: its angle about it is found by the twist
// solve.
#include "sim/solver/constraints_common.h"
#include "sim/solver/methods/der/der_mass_matrix.h"
#include "sim/solver/methods/der/der_strain.h"
#include "sim/solver/strand_frame.h"

// The clamp frame moves with the scalp.
static void find_clamp(der_frame *clamp, const coif_strand_block *block, float moment)
{
    const der_lane *lane = lane_of(block);
    const strand_frame frame = clamp_frame_at(block, moment, lane->clamp_t, lane->clamp_u);
    *clamp = (der_frame){frame.t, frame.u, cross3(frame.t, frame.u)};
}

// The director of a clamped tip does too.
static void update_tip(coif_strand_block *block, float moment)
{
    simd_vec3 axes[3];
    der_state *last = &mutable_states_of(block)[block->length - 2];
    root_axes_at(axes, block, moment);
    last->u = select3(has_clamped_tip(block), from_axes3(axes, lane_of(block)->tip_u), last->u);
}

// Frames of segments and joints at the begin of the substep, and displacements of points by their
// present velocity; of pinned points, to their targets.
static void find_frames(const coif_strand_block *block, coif_solver_scratch *scratch,
                        const der_frame *clamp, float h)
{
    der_segment *segment = segments_of(scratch);
    const der_state *state = states_of(block);
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd steepest = lane_of(block)->max_inv_length;
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_soa3 pos = block->pos, vel = block->vel, target = scratch->target;
    simd_vec3 a = load3(&pos, 0);
    der_frame frame = *clamp;
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 v = load3(&vel, k);
        const simd_vec3 wanted = sub3(load3(&target, k), a);
        segment[k].disp = select3(w[k] == 0.0f, wanted, scale3(v, coif_simd_all(h)));
        if (k + 1 == block->length) {
            break;
        }
        const simd_vec3 b = load3(&pos, k + 1);
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

// Bend of the half joint at the root against a clamp frame.
static der_kappa root_kappa(const coif_solver_scratch *scratch, const der_frame *clamp)
{
    der_joint joint;
    measure(&joint, clamp, &segments_of(scratch)[0].frame);
    const der_kappa curve = kappa_of(&joint);
    return (der_kappa){joint.scale * curve.k1, joint.scale * curve.k2};
}

// The prediction divides the displacement of a point by 1 + h c, for drag: the implicit solution
// for a free point. With a mass larger by the same factor it is so for a point under internal
// forces too; otherwise drag would carry hair at rest.
static void find_root(der_root *root, const coif_strand_block *block, coif_solver_scratch *scratch,
                      const coif_substep *step)
{
    const coif_simd rate = coif_point_param(block, COIF_FIELD_BENDING_DAMPING_TIME,
                                            step->bending_damping_time / step->h, 0);
    const coif_simd c = coif_drag_rate_normal(block, scratch, step, block->length / 2);
    root->inertia_rate = (1.0f + step->h * c) * (1.0f / (step->h * step->h));
    der_frame before;
    find_clamp(&before, block, step->begin);
    const der_kappa was = root_kappa(scratch, &before);
    const der_kappa is = root_kappa(scratch, &root->clamp);
    root->clamp_lag = (der_kappa){rate * (is.k1 - was.k1), rate * (is.k2 - was.k2)};
}

// From displacements to positions. The rounding error of the positions is kept, since velocities
// are to be more accurate than that. For free strands it is relative to the predicted positions,
// see integrate.c.
static void write_positions(const coif_strand_block *block, coif_solver_scratch *scratch, float h)
{
    const der_segment *segment = segments_of(scratch);
    const coif_simd_mask loose = *(const coif_simd *)block->inv_mass > 0.0f;
    const bool free = any_of(loose);
    const coif_soa3 pos = block->pos, v_pred = scratch->v_pred;
    coif_soa3 predicted = scratch->predicted, rounding_error = scratch->rounding_error;
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 x = load3(&pos, k);
        const simd_vec3 p = add3(x, segment[k].disp);
        store3(&predicted, k, p);
        simd_vec3 error = sub3(segment[k].disp, sub3(p, x));
        if (free) {
            const simd_vec3 q = scale3(load3(&v_pred, k), coif_simd_all(h));
            const simd_vec3 change = sub3(sub3(segment[k].disp, q), sub3(p, add3(x, q)));
            error = select3(loose, change, error);
        }
        store3(&rounding_error, k, error);
    }
}

static void step_rod(coif_strand_block *block, coif_solver_scratch *scratch,
                     const coif_substep *step)
{
    der_root root;
    find_clamp(&root.clamp, block, step->end);
    update_tip(block, step->end);
    find_frames(block, scratch, &root.clamp, step->h);
    find_root(&root, block, scratch, step);
    COIF_SIMD(coif_der_newton)(block, scratch, &root, step);
    COIF_SIMD(coif_der_lengths)(block, scratch, &root);
    if (any_of(*(const coif_simd *)block->inv_mass > 0.0f)) {
        const der_step_ctx ctx = step_ctx_of(block, scratch, &root, step);
        COIF_SIMD(coif_der_fix_angular_momentum)(&ctx, &root);
    }
    write_positions(block, scratch, step->h);
}

// Contacts and lengths are iterated when any strand of a block is in contact. A strand without
// contact must come out as if it were alone, to the bit: which strands share a block is arbitrary.
static bool save_untouched(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    der_segment *segment = segments_of(scratch);
    const coif_simd *push = (const coif_simd *)scratch->normal_push;
    coif_simd most = coif_simd_all(0.0f);
    for (int32_t k = scratch->contact_begin; k < scratch->contact_end; ++k) {
        most = coif_simd_max(most, push[k]);
    }
    if (!any_of(most > 0.0f)) {
        return false;
    }
    for (int32_t k = 0; k < block->length; ++k) {
        segment[k].disp = load3(&scratch->predicted, k);
    }
    segment[0].stretch = most;
    return true;
}

static void restore_untouched(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const der_segment *segment = segments_of(scratch);
    const coif_simd_mask pushed = segment[0].stretch > 0.0f;
    coif_simd *push = (coif_simd *)scratch->normal_push;
    for (int32_t k = 0; k < block->length; ++k) {
        const simd_vec3 p = load3(&scratch->predicted, k);
        store3(&scratch->predicted, k, select3(pushed, p, segment[k].disp));
        push[k] = coif_simd_select(pushed, push[k], coif_simd_all(0.0f));
    }
}

const coif_der_kernels COIF_SIMD(coif_der_kernels) = {
    .precompute_rest = COIF_SIMD(coif_der_rest),
    .reset_to_rest = COIF_SIMD(coif_der_reset_to_rest),
    .preload_gravity = COIF_SIMD(coif_der_preload_gravity),
    .step = step_rod,
    .save_untouched = save_untouched,
    .restore_untouched = restore_untouched,
};
