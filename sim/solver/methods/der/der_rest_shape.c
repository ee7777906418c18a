// rod, rest: curvature of the rest shape, and the closed form that keeps it from sagging. Compiled
// once per vector width.
#include "sim/solver/methods/der/der_strain.h"

// Most that all joints of a strand together may be bent of their own accord by coif_der_sagfree,
// radians: a strand that gravity unrolls by more has other shapes to fall into.
static const float MOST_BEND = 1.0f;

// Directors of the rest shape in the frame of the root: the first is any, the others follow from it
// by the smallest rotation (parallel transport), so the shape at rest has no twist.
static inline rod_frame next_frame(const coif_strand_block *block, int32_t k,
                                   const rod_frame *before, coif_simd *inverse)
{
    const wide3 d = sub3(load3(&block->rest_local, k + 1), load3(&block->rest_local, k));
    rod_frame frame;
    frame.t = select3(is_short(block, k), before->t, direction3(d, inverse));
    wide3 u = before->u;
    // Where the rest shape changes the first follows from the normal in the same way, so that it
    // never jumps.
    if (k > 0 || block->rest_animation != NULL) {
        const coif_simd chi = coif_simd_max(1.0f + dot3(before->t, frame.t), coif_simd_all(1e-3f));
        u = sub3(u, scale3(add3(before->t, frame.t), dot3(u, frame.t) / chi));
    }
    frame.u = across3(u, frame.t);
    frame.v = cross3(frame.t, frame.u);
    return frame;
}

static rod_frame any_frame(void)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd one = coif_simd_all(1.0f);
    return (rod_frame){{zero, zero, one}, {one, zero, zero}, {zero, one, zero}};
}

// A segment of the rest shape and the joint at its begin: the scratch of this file.
typedef struct rest_joint {
    rod_side side;
    rod_bend bend;
} rest_joint;

_Static_assert(sizeof(rest_joint) <= sizeof(rod_link), "scratch");

// The joints of the rest shape, and its first segment as the one before it.
static rest_joint *lay_joints(const coif_strand_block *block, coif_solver_scratch *scratch,
                              rod_side *clamp)
{
    rest_joint *joint = (rest_joint *)scratch->method_rows;
    rod_frame frame = any_frame();
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        coif_simd inverse;
        frame = next_frame(block, k, &frame, &inverse);
        joint[k].side.frame = frame;
        joint[k].side.steep = coif_simd_select(is_short(block, k), coif_simd_all(0.0f),
                                               coif_simd_min(inverse, lane_of(block)->steepest));
        measure(&joint[k].bend, k > 0 ? &joint[k - 1].side.frame : &frame, &frame);
    }
    *clamp = (rod_side){.frame = joint[0].side.frame};
    return joint;
}

void COIF_SIMD(coif_der_rest)(coif_strand_block *block, coif_solver_scratch *scratch)
{
    rod_side clamp;
    const rest_joint *joint = lay_joints(block, scratch, &clamp);
    lane_of(block)->clamp_t = clamp.frame.t;
    lane_of(block)->clamp_u = clamp.frame.u;
    lane_of(block)->tip_u = joint[block->length - 2].side.frame.u;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const rod_bend *bend = &joint[k].bend;
        rod_point *point = &points_of(block)[k];
        const rod_curve kb = curve_of(bend);
        point->curve1 = bend->angle * kb.k1;
        point->curve2 = bend->angle * kb.k2;
        point->twist = bend->twist;
        states_of(block)[k].tension = coif_simd_all(0.0f);
    }
}

void COIF_SIMD(coif_der_place)(coif_strand_block *block)
{
    const coif_simd *rows = (const coif_simd *)block->root_begin;
    const wide3 axes[3] = {
        {rows[3], rows[4], rows[5]}, {rows[6], rows[7], rows[8]}, {rows[9], rows[10], rows[11]}};
    rod_frame frame = any_frame();
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        coif_simd inverse;
        frame = next_frame(block, k, &frame, &inverse);
        states_of(block)[k].u = turn3(axes, frame.u);
    }
}

// What the joints after a segment ask of it: a force across it and a moment about it.
typedef struct demand {
    wide3 force;
    coif_simd moment;
} demand;

// Moments of one joint such that its segment is in balance, two equations across it:
//
//   m1 f1 + m2 f2 + m3 f3 = load across        (what hangs on the segment, less what joints after
//   do) m3 = angle (m1 b1 + m2 b2) / 2 + moment    (twist of the segment)
static inline void balance(rod_strain strains[3], const rest_joint *at, const demand *load)
{
    const rod_bend *joint = &at->bend;
    const rod_frame *frame = &at->side.frame;
    const coif_simd half = 0.5f * joint->angle;
    const wide3 h1 = add3(strains[0].f, scale3(strains[2].f, half * joint->b1));
    const wide3 h2 = add3(strains[1].f, scale3(strains[2].f, half * joint->b2));
    const wide3 r = sub3(load->force, scale3(strains[2].f, load->moment));
    const coif_simd a = dot3(h1, frame->u);
    const coif_simd b = dot3(h2, frame->u);
    const coif_simd c = dot3(h1, frame->v);
    const coif_simd d = dot3(h2, frame->v);
    const coif_simd ru = dot3(r, frame->u);
    const coif_simd rv = dot3(r, frame->v);
    const coif_simd determinant = a * d - b * c;
    const coif_simd safe =
        coif_simd_select(determinant * determinant > ROD_TINY, determinant, coif_simd_all(1e30f));
    strains[0].moment = (ru * d - rv * b) / safe;
    strains[1].moment = (rv * a - ru * c) / safe;
    strains[2].moment =
        half * (strains[0].moment * joint->b1 + strains[1].moment * joint->b2) + load->moment;
}

// Rest values that make a joint, as it stands, push back with these moments.
static inline void preload(rod_point *point, const rod_bend *joint, const rod_strain strains[3],
                           float most, coif_simd least)
{
    const rod_curve kb = curve_of(joint);
    const coif_simd m1 = strains[0].moment;
    const coif_simd m2 = strains[1].moment;
    const coif_simd wanted = coif_simd_sqrt(m1 * m1 + m2 * m2) / most;
    const coif_simd strong = point->bend_root1 * point->bend_root1;
    const coif_simd weak = point->bend_root2 * point->bend_root2;
    const coif_simd b2 = coif_simd_max(coif_simd_max(weak, wanted), least);
    const coif_simd b1 = coif_simd_select(b2 > weak, strong * b2 / (weak + ROD_TINY), strong);
    const coif_simd c = point->twist_root * point->twist_root * (b2 / (weak + ROD_TINY));
    point->bend_root1 = coif_simd_sqrt(b1);
    point->bend_root2 = coif_simd_sqrt(b2);
    point->twist_root = coif_simd_sqrt(c);
    point->curve1 = joint->angle * kb.k1 - m1 / (b1 + ROD_TINY);
    point->curve2 = joint->angle * kb.k2 - m2 / (b2 + ROD_TINY);
    point->twist = joint->twist - strains[2].moment / (c + ROD_TINY);
}

// What hangs on the segments passed so far, from the tip on.
typedef struct burden {
    wide3 weight;
    coif_simd work;   // weight times place, summed
    coif_simd length; // of the segments
} burden;

static inline void add_burden(burden *all, const coif_strand_block *block, int32_t k, wide3 g)
{
    const coif_simd w = ((const coif_simd *)block->inv_mass)[k + 1];
    coif_simd m = coif_simd_select(w > 0.0f, 1.0f / (w + ROD_TINY), coif_simd_all(0.0f));
    if (block->gravity_ramp != NULL) {
        m *= ((const coif_simd *)block->gravity_ramp)[k + 1];
    }
    const wide3 own = scale3(g, m);
    all->weight = add3(all->weight, own);
    all->work += dot3(own, load3(&block->rest_local, k + 1));
    all->length += ((const coif_simd *)block->rest_length)[k];
}

// Stiffness that a joint needs not to buckle: where the weight after it stands above it by the
// height z in the mean, B > 2 W z L. At the root of an upright column that is eight times what
// Greenhill asks for; but that is for a column as stiff at its tip.
static inline coif_simd upright_stiffness(const burden *all, const coif_strand_block *block,
                                          int32_t k)
{
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    coif_simd joint = 0.5f * rest[k];
    if (k > 0) {
        joint += 0.5f * rest[k - 1];
    }
    joint = coif_simd_max(joint, 1.0f / lane_of(block)->steepest);
    const coif_simd lift = dot3(all->weight, load3(&block->rest_local, k)) - all->work;
    return coif_simd_max(lift, coif_simd_all(0.0f)) * all->length * 2.0f / joint;
}

void COIF_SIMD(coif_der_sagfree)(coif_strand_block *block, coif_solver_scratch *scratch,
                                 const float *gravity)
{
    rod_point *point = points_of(block);
    const wide3 g = *(const wide3 *)gravity;
    const float most = MOST_BEND / (float)(block->length - 1);
    rod_side clamp;
    const rest_joint *joint = lay_joints(block, scratch, &clamp);
    const coif_simd plain[3] = {coif_simd_all(1.0f), coif_simd_all(1.0f), coif_simd_all(1.0f)};
    burden all = {0};
    demand after = {0};
    for (int32_t k = block->length - 2; k >= 0; --k) {
        const rod_bend *bend = &joint[k].bend;
        add_burden(&all, block, k, g);
        rod_strain strains[3];
        strains_of(strains, bend, k > 0 ? &joint[k - 1].side : &clamp, &joint[k].side, plain);
        const demand load = {sub3(all.weight, after.force), after.moment};
        balance(strains, &joint[k], &load);
        preload(&point[k], bend, strains, most, upright_stiffness(&all, block, k));
        states_of(block)[k].tension = dot3(all.weight, joint[k].side.frame.t);
        const coif_simd half = 0.5f * bend->angle;
        after.moment = half * (strains[0].moment * bend->p1 + strains[1].moment * bend->p2) +
                       strains[2].moment;
        after.force = add3(
            add3(scale3(strains[0].e, strains[0].moment), scale3(strains[1].e, strains[1].moment)),
            scale3(strains[2].e, strains[2].moment));
    }
}
