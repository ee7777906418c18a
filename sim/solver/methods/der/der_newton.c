// der_newton: one Gauss-Newton step on inertia, bending, twist and stretch of a whole strand.
// Compiled once per vector width.
//
// The matrix is banded, see der_band_factor.h. It is factorised from tip to root: the remainder of
// a clamped hair is always well supported, so no pivot comes near zero, whereas from root to tip
// the last ones would be differences of large numbers. Rows are assembled and eliminated on the
// fly; only what back substitution needs is stored.
#include "sim/solver/methods/der/der_mass_matrix.h"

// Gain of the joint stiffness by damping: its square root and the inverse of that.
typedef struct damping {
    coif_simd sqrt_gain, inv_sqrt_gain;
} damping;

static inline damping damping_of(coif_simd stiffer)
{
    const coif_simd more = coif_simd_sqrt(stiffer);
    return (damping){more, 1.0f / more};
}

// Strains of a joint weighted by the square roots of their stiffness, with moments linearised along
// the displacement of its segments. Damping of bending raises the stiffness against changes, but
// not the present moment.
ALWAYS_INLINE void joint_strains(der_strain strains[3], const der_segment *segment,
                                 const der_rest_joint *rest, const der_edge *before,
                                 const der_edge *after, const damping *own)
{
    const der_joint joint = segment->joint;
    const der_kappa k = kappa_of(&joint);
    const coif_simd root[3] = {rest->sqrt_bend1 * own->sqrt_gain, rest->sqrt_bend2 * own->sqrt_gain,
                               rest->sqrt_twist};
    strains_of(strains, &joint, before, after, root);
    strains[0].moment = rest->sqrt_bend1 * own->inv_sqrt_gain * (joint.scale * k.k1 - rest->kappa1);
    strains[1].moment = rest->sqrt_bend2 * own->inv_sqrt_gain * (joint.scale * k.k2 - rest->kappa2);
    strains[2].moment = rest->sqrt_twist * (joint.twist - rest->twist);
}

ALWAYS_INLINE void add_predicted_strain(der_strain strains[3], simd_vec3 way_e, simd_vec3 way_f)
{
    for (int i = 0; i < 3; ++i) {
        strains[i].moment += dot3(strains[i].e, way_e) + dot3(strains[i].f, way_f);
    }
}

// Joints of very short segments are so stiff compared with the inertia of a point that single
// precision cannot hold both. Beyond that, inertia is raised by the size of the rounding error:
// such hair moves as if in honey, but comes to rest in the right position. Size: trace of the joint
// stiffness.
ALWAYS_INLINE void add_rounding_inertia(point_diagonal *diagonal, coif_simd size, simd_vec3 disp,
                                        float inertia)
{
    const coif_simd more = coif_simd_max(size * 2e-7f - 0.1f * inertia, coif_simd_all(0.0f));
    add_diagonal(&diagonal->matrix, more);
    diagonal->rhs = sub3(diagonal->rhs, scale3(disp, more));
}

// See segment_stiffness.
ALWAYS_INLINE segment_stiffness segment_stiffness_of(const der_step_ctx *ctx, int32_t k,
                                                     simd_vec3 disp, float stiffness)
{
    const coif_strand_block *block = ctx->block;
    const der_segment *segment = &segments_of(ctx->scratch)[k];
    const coif_simd tension = states_of(block)[k].tension;
    const simd_vec3 t = segment->frame.t;
    const simd_vec3 d = sub3(load3(&block->pos, k + 1), load3(&block->pos, k));
    const coif_simd taut = coif_simd_max(tension, coif_simd_all(0.0f)) * segment->inv_length;
    const coif_simd transverse =
        coif_simd_select(segment->inv_length == 0.0f, coif_simd_all(stiffness), taut);
    const coif_simd stretch = segment->stretch;
    const simd_vec3 astray =
        sub3(d, scale3(t, stretch + ((const coif_simd *)block->rest_length)[k]));
    const coif_simd along =
        stiffness * stretch + tension + (stiffness - transverse) * dot3(t, disp);
    segment_stiffness stiff = {.t = t, .axial = coif_simd_all(stiffness), .transverse = transverse};
    stiff.force = add3(scale3(t, along), scale3(add3(disp, astray), transverse));
    return stiff;
}

// Advances the front over a segment whose end is pinned in some lanes: f = -x there.
static __attribute__((noinline)) void advance_front_pinned(band_front *front, const step_parts *p,
                                                           const eliminated_rows *half,
                                                           const symmetric *s,
                                                           const point_diagonal *diagonal,
                                                           coif_simd_mask held)
{
    const band_front was = *front;
    const band_front *before = &was;
    advance_front(front, p, half, diagonal);
    const simd_vec3 cx = p->twist_x;
    const simd_vec3 m0 = sub3(before->fx.column[0], scale3(p->twist_f, cx.x));
    const simd_vec3 m1 = sub3(before->fx.column[1], scale3(p->twist_f, cx.y));
    const simd_vec3 m2 = sub3(before->fx.column[2], scale3(p->twist_f, cx.z));
    const simd_vec3 q0 = column_of(p, p->e[0].x, p->e[1].x, p->e[2].x, p->twist_e.x);
    const simd_vec3 q1 = column_of(p, p->e[0].y, p->e[1].y, p->e[2].y, p->twist_e.y);
    const simd_vec3 q2 = column_of(p, p->e[0].z, p->e[1].z, p->e[2].z, p->twist_e.z);
    const simd_vec3 x0 = add3(scale3(p->twist_e, cx.x), (simd_vec3){q0.x, q1.x, q2.x});
    const simd_vec3 x1 = add3(scale3(p->twist_e, cx.y), (simd_vec3){q0.y, q1.y, q2.y});
    const simd_vec3 x2 = add3(scale3(p->twist_e, cx.z), (simd_vec3){q0.z, q1.z, q2.z});
    const symmetric *x = &before->xx;
    band_front n = {.joint_trace = front->joint_trace};
    n.xx = (symmetric){.xx = x->xx + diagonal->matrix.xx - cx.x * cx.x + s->xx - m0.x - m0.x,
                       .xy = x->xy + diagonal->matrix.xy - cx.x * cx.y + s->xy - m0.y - m1.x,
                       .xz = x->xz + diagonal->matrix.xz - cx.x * cx.z + s->xz - m0.z - m2.x,
                       .yy = x->yy + diagonal->matrix.yy - cx.y * cx.y + s->yy - m1.y - m1.y,
                       .yz = x->yz + diagonal->matrix.yz - cx.y * cx.z + s->yz - m1.z - m2.y,
                       .zz = x->zz + diagonal->matrix.zz - cx.z * cx.z + s->zz - m2.z - m2.z};
    n.fx.column[0] = sub3((simd_vec3){n.xx.xx, n.xx.xy, n.xx.xz}, x0);
    n.fx.column[1] = sub3((simd_vec3){n.xx.xy, n.xx.yy, n.xx.yz}, x1);
    n.fx.column[2] = sub3((simd_vec3){n.xx.xz, n.xx.yz, n.xx.zz}, x2);
    n.ff = outer_of(p->e, p->e);
    add_outer(&n.ff, negate3(p->twist_e), p->twist_e);
    n.ff.xx += n.fx.column[0].x - x0.x;
    n.ff.xy += n.fx.column[1].x - x0.y;
    n.ff.xz += n.fx.column[2].x - x0.z;
    n.ff.yy += n.fx.column[1].y - x1.y;
    n.ff.yz += n.fx.column[2].y - x1.z;
    n.ff.zz += n.fx.column[2].z - x2.z;
    n.rx = add3(sub3(p->rx, p->rf), diagonal->rhs);
    n.rf = add3(p->re, n.rx);
    n.twist_x = sub3(p->prev_x, p->prev_f);
    n.twist_f = add3(p->prev_e, n.twist_x);
    n.twist = p->prev;
    n.twist_rhs = p->prev_rhs;
    const coif_simd *from = (const coif_simd *)&n;
    coif_simd *to = (coif_simd *)front;
    for (size_t i = 0; i < sizeof n / sizeof *to; ++i) {
        to[i] = coif_simd_select(held, from[i], to[i]);
    }
}

// Smallest twist pivot of the segment before a joint, see eliminate_twist.
static inline coif_simd min_twist_pivot(const der_rest_joint *rest)
{
    return 1e-5f * rest->sqrt_twist * rest->sqrt_twist + SIMD_TINY;
}

// Factorises from tip to root and returns the displacement change of the root. Ends: the tip may be
// pinned. Twist_only: all points are.
ALWAYS_INLINE simd_vec3 factorize(const der_step_ctx *ctx, const der_root *root,
                                  const coif_substep *step, bool ends, bool twist_only)
{
    const coif_strand_block *block = ctx->block;
    der_segment *segment = segments_of(ctx->scratch);
    const der_rest_joint *rest = rest_joints_of(block);
    const float stiffness = DER_STRETCH * ctx->inv_h2;
    const float rate = step->bending_damping_time / step->h;
    damping damped = damping_of(coif_simd_all(1.0f + rate));
    const coif_simd *lag = (const coif_simd *)block->param_scale[COIF_FIELD_BENDING_DAMPING_TIME];
    const der_edge clamp = {.frame = root->clamp};
    const int32_t last = block->length - 1;
    coif_simd min_pivot = min_twist_pivot(&rest[last - 1]);
    const point_diagonal tip = point_diagonal_of(ctx, last);
    band_front front = {.ff = tip.matrix, .xx = tip.matrix, .rf = tip.rhs, .rx = tip.rhs};
    front.fx.column[0] = (simd_vec3){tip.matrix.xx, tip.matrix.xy, tip.matrix.xz};
    front.fx.column[1] = (simd_vec3){tip.matrix.xy, tip.matrix.yy, tip.matrix.yz};
    front.fx.column[2] = (simd_vec3){tip.matrix.xz, tip.matrix.yz, tip.matrix.zz};
    simd_vec3 disp = sub3(segment[last].disp, segment[last - 1].disp);
    der_edge after = {segment[last - 1].frame, segment[last - 1].inv_length};
    for (int32_t k = last - 1; k >= 0; --k) {
        der_edge before = clamp;
        simd_vec3 disp_before = {0};
        if (k > 0) {
            before = (der_edge){segment[k - 1].frame, segment[k - 1].inv_length};
            disp_before = sub3(segment[k].disp, segment[k - 1].disp);
        }
        if (lag != NULL) {
            damped = damping_of(1.0f + rate * lag[k]);
        }
        der_strain strains[3];
        joint_strains(strains, &segment[k], &rest[k], &before, &after, &damped);
        if (k == 0) {
            strains[0].moment += rest[k].sqrt_bend1 * damped.inv_sqrt_gain * root->clamp_lag.k1;
            strains[1].moment += rest[k].sqrt_bend2 * damped.inv_sqrt_gain * root->clamp_lag.k2;
        }
        add_predicted_strain(strains, disp_before, disp);
        coif_simd_mask no_turn = {0};
        if (ends && k == last - 1) {
            no_turn = has_clamped_tip(block);
        }
        step_parts parts;
        eliminate_twist(&parts, &segment[k], &front, strains, min_pivot, no_turn);
        min_pivot = min_twist_pivot(&rest[k]);
        if (twist_only) {
            front = (band_front){.twist = parts.prev, .twist_rhs = parts.prev_rhs};
            disp = disp_before;
            after = before;
            continue;
        }
        parts.ff = outer_of(parts.f, parts.f);
        parts.joint_trace = dot3(parts.e[0], parts.e[0]) + dot3(parts.e[1], parts.e[1]) +
                            dot3(parts.e[2], parts.e[2]);
        const coif_simd size = front.joint_trace + trace(&parts.ff);
        const segment_stiffness stiff = segment_stiffness_of(ctx, k, disp, stiffness);
        parts.rf = sub3(parts.rf, stiff.force);
        const symmetric s = segment_ff(&front, &parts, &stiff);
        const ldlt3 d = ldlt3_of(&s, size, 0.25f * ctx->inv_h2);
        eliminated_rows half;
        forward_solve(&half, &segment[k], &front, &parts, &d);
        point_diagonal here = point_diagonal_of(ctx, k);
        add_rounding_inertia(&here, trace(&parts.ff) + parts.joint_trace, segment[k].disp,
                             ctx->inv_h2);
        const coif_simd_mask pinned = ((const coif_simd *)block->inv_mass)[k + 1] == 0.0f;
        if (ends && any_of(pinned)) {
            // Of copies: values whose address is passed would not stay in registers.
            band_front next = front;
            const step_parts own = parts;
            const eliminated_rows rows = half;
            const symmetric stiff_ff = s;
            const point_diagonal diagonal = here;
            advance_front_pinned(&next, &own, &rows, &stiff_ff, &diagonal, pinned);
            front = next;
        } else {
            advance_front(&front, &parts, &half, &here);
        }
        disp = disp_before;
        after = before;
    }
    const ldlt3 d = ldlt3_of(&front.xx, coif_simd_all(0.0f), 0.25f * ctx->inv_h2);
    return backward(d.below, d.inv_sqrt, forward(&d, front.rx));
}

// Out of line, so that each specialisation gets all registers.
static __attribute__((noinline)) void factorize_free(simd_vec3 *root_disp, const der_step_ctx *ctx,
                                                     const der_root *root, const coif_substep *step)
{
    *root_disp = factorize(ctx, root, step, false, false);
}

static __attribute__((noinline)) void factorize_pinned(simd_vec3 *root_disp,
                                                       const der_step_ctx *ctx,
                                                       const der_root *root,
                                                       const coif_substep *step)
{
    *root_disp = factorize(ctx, root, step, true, false);
}

// Strands without free points: the same twist as by factorize_pinned. The rows of segment changes
// are not set; back substitution replaces what it computes from them.
static __attribute__((noinline)) void factorize_twist(const der_step_ctx *ctx, const der_root *root,
                                                      const coif_substep *step)
{
    factorize(ctx, root, step, true, true);
}

// x - M y
static inline simd_vec3 sub_product(simd_vec3 x, const simd_vec3 column[3], simd_vec3 y)
{
    x = sub3(x, scale3(column[0], y.x));
    x = sub3(x, scale3(column[1], y.y));
    return sub3(x, scale3(column[2], y.z));
}

// Largest rotation of a director per step, radians.
static const float MAX_DIRECTOR_TURN = 1.0f;

// The director u rotated towards v.
static inline simd_vec3 rotate_director(simd_vec3 u, simd_vec3 v, coif_simd turn)
{
    const coif_simd most = coif_simd_all(MAX_DIRECTOR_TURN);
    const coif_simd a = coif_simd_max(coif_simd_min(turn, most), -most);
    const coif_simd a2 = a * a;
    const coif_simd cosine = 1.0f - a2 * (0.5f - a2 * (1.0f / 24.0f - a2 * (1.0f / 720.0f)));
    const coif_simd sine =
        a * (1.0f - a2 * (1.0f / 6.0f - a2 * (1.0f / 120.0f - a2 * (1.0f / 5040.0f))));
    return add3(scale3(u, cosine), scale3(v, sine));
}

// Adds the change of the displacement of point k.
static inline void displace(const der_step_ctx *ctx, int32_t k, simd_vec3 change)
{
    der_segment *segment = &segments_of(ctx->scratch)[k];
    segment->disp = add3(segment->disp, change);
    if (is_among(&ctx->contact_rows, k)) {
        contacts_of(ctx->block, ctx->scratch)[k].disp_change = change;
    } else {
        mutable_states_of(ctx->block)[k].contact_force = coif_simd_all(0.0f);
    }
}

// Back substitution from root to tip: segment changes and twist angles from the displacement of the
// root.
static inline void back_substitute(const der_step_ctx *ctx, simd_vec3 root_disp)
{
    coif_strand_block *block = ctx->block;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const float stiffness = DER_STRETCH * ctx->inv_h2;
    const der_segment *segments = segments_of(ctx->scratch);
    der_state *state = mutable_states_of(block);
    simd_vec3 x = select3(w[0] == 0.0f, (simd_vec3){0}, root_disp);
    simd_vec3 e = {0};
    coif_simd twist = coif_simd_all(0.0f); // of the segment before
    simd_vec3 disp = segments[0].disp;
    displace(ctx, 0, x);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const der_segment *segment = &segments[k];
        simd_vec3 f = sub_product(sub_product(segment->rhs, segment->row_x, x), segment->row_e, e);
        f = backward(segment->ldl_below, segment->ldl_inv_sqrt,
                     sub3(f, scale3(segment->row_twist, twist)));
        f = select3(w[k + 1] == 0.0f, negate3(x), f);
        twist = segment->twist_rhs - segment->twist_prev * twist - dot3(segment->twist_f, f) -
                dot3(segment->twist_x, x) - dot3(segment->twist_e, e);
        twist *= segment->twist_inv_sqrt;
        state[k].u = rotate_director(segment->frame.u, segment->frame.v, twist);
        // Tension of the axial spring.
        const simd_vec3 next = segments[k + 1].disp;
        const coif_simd longer = dot3(segment->frame.t, add3(sub3(next, disp), f));
        state[k].tension += stiffness * (segment->stretch + longer);
        x = select3(w[k + 1] == 0.0f, (simd_vec3){0}, add3(x, f));
        e = f;
        disp = next;
        displace(ctx, k + 1, x);
    }
}

// With the energy E and its derivatives at the positions x at the begin of the substep, p
// predicted, and g = h v,
//
//   (M / h^2 + K) d = M (p - x - g) / h^2 - grad E - K g        p = x + g + d
//
// is an implicit Euler step with one Newton iteration from x. A strand at rest stays at rest,
// whatever h is. Written as a change d of the displacement g, so that rounding affects only that
// and not the motion of the strand as a whole. K includes Rayleigh damping of bending by the factor
// 1 + beta / h; at the root it acts on the displacement relative to the clamp.
void COIF_SIMD(coif_der_newton)(coif_strand_block *block, coif_solver_scratch *scratch,
                                const der_root *root, const coif_substep *step)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    der_step_ctx ctx = step_ctx_of(block, scratch, root, step);
    if (scratch->has_contacts) {
        COIF_SIMD(coif_der_contact_begin)(&ctx);
    }
    simd_vec3 root_disp = {0};
    const coif_block_targets *targets = block->targets;
    if (targets != NULL && targets->all_held) {
        factorize_twist(&ctx, root, step);
    } else if ((targets != NULL && targets->any_held) || any_of(w[block->length - 1] == 0.0f)) {
        factorize_pinned(&root_disp, &ctx, root, step);
    } else {
        factorize_free(&root_disp, &ctx, root, step);
    }
    back_substitute(&ctx, root_disp);
    if (any_of(w[0] > 0.0f)) {
        COIF_SIMD(coif_der_fix_momentum)(&ctx);
    }
    if (scratch->has_contacts) {
        COIF_SIMD(coif_der_contact_end)(&ctx);
    }
}
