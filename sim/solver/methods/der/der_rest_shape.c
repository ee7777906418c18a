// der_rest_shape: rest curvature and twist, and the closed-form preload that prevents sagging.
// Compiled once per vector width.
#include "sim/solver/methods/der/der_strain.h"
#include "sim/solver/strand_frame.h"

// Limit of the total preload angle of all joints of a strand, radians: a strand that gravity
// unrolls by more has other equilibria.
static const float MAX_PRELOAD_ANGLE = 1.0f;

static inline der_frame with_binormal(const strand_frame *frame)
{
    return (der_frame){frame->t, frame->u, cross3(frame->t, frame->u)};
}

// A segment of the rest shape and the joint at its begin: the scratch of this file.
typedef struct rest_joint {
    der_edge edge;
    der_joint joint;
} rest_joint;

_Static_assert(sizeof(rest_joint) <= sizeof(der_segment), "scratch");

// Joints of the rest shape; the clamp is a copy of the first segment.
static rest_joint *rest_joints_fill(const coif_strand_block *block, coif_solver_scratch *scratch,
                                    der_edge *clamp)
{
    rest_joint *joints = (rest_joint *)scratch->method_rows;
    strand_frame transported = initial_rest_frame();
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        coif_simd inverse;
        transported = next_rest_frame(block, k, &transported, is_short(block, k), &inverse);
        const der_frame frame = with_binormal(&transported);
        joints[k].edge.frame = frame;
        joints[k].edge.inv_length =
            coif_simd_select(is_short(block, k), coif_simd_all(0.0f),
                             coif_simd_min(inverse, lane_of(block)->max_inv_length));
        measure(&joints[k].joint, k > 0 ? &joints[k - 1].edge.frame : &frame, &frame);
    }
    *clamp = (der_edge){.frame = joints[0].edge.frame};
    return joints;
}

void COIF_SIMD(coif_der_rest)(coif_strand_block *block, coif_solver_scratch *scratch)
{
    der_edge clamp;
    const rest_joint *joints = rest_joints_fill(block, scratch, &clamp);
    lane_of(block)->clamp_t = clamp.frame.t;
    lane_of(block)->clamp_u = clamp.frame.u;
    lane_of(block)->tip_u = joints[block->length - 2].edge.frame.u;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const der_joint *joint = &joints[k].joint;
        der_rest_joint *rest = &rest_joints_of(block)[k];
        const der_kappa kb = kappa_of(joint);
        rest->kappa1 = joint->scale * kb.k1;
        rest->kappa2 = joint->scale * kb.k2;
        rest->twist = joint->twist;
        mutable_states_of(block)[k].tension = coif_simd_all(0.0f);
    }
}

void COIF_SIMD(coif_der_reset_to_rest)(coif_strand_block *block)
{
    const simd_vec3 *axes = root_axes_begin(block);
    strand_frame frame = initial_rest_frame();
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        coif_simd inverse;
        frame = next_rest_frame(block, k, &frame, is_short(block, k), &inverse);
        mutable_states_of(block)[k].u = from_axes3(axes, frame.u);
    }
}

// Reaction of the joints after a segment: a transverse force and a twist moment.
typedef struct reaction {
    simd_vec3 force;
    coif_simd moment;
} reaction;

// Moments of one joint such that its segment is in equilibrium, two transverse equations:
//
//   m1 f1 + m2 f2 + m3 f3 = load             (suspended weight, less the reaction of later joints)
//   m3 = scale (m1 b1 + m2 b2) / 2 + moment  (twist of the segment)
static inline void balance(der_strain strains[3], const rest_joint *at, const reaction *load)
{
    const der_joint *joint = &at->joint;
    const der_frame *frame = &at->edge.frame;
    const coif_simd half = 0.5f * joint->scale;
    const simd_vec3 h1 = add3(strains[0].f, scale3(strains[2].f, half * joint->b1));
    const simd_vec3 h2 = add3(strains[1].f, scale3(strains[2].f, half * joint->b2));
    const simd_vec3 r = sub3(load->force, scale3(strains[2].f, load->moment));
    const coif_simd a = dot3(h1, frame->u);
    const coif_simd b = dot3(h2, frame->u);
    const coif_simd c = dot3(h1, frame->v);
    const coif_simd d = dot3(h2, frame->v);
    const coif_simd ru = dot3(r, frame->u);
    const coif_simd rv = dot3(r, frame->v);
    const coif_simd determinant = a * d - b * c;
    const coif_simd safe =
        coif_simd_select(determinant * determinant > SIMD_TINY, determinant, coif_simd_all(1e30f));
    strains[0].moment = (ru * d - rv * b) / safe;
    strains[1].moment = (rv * a - ru * c) / safe;
    strains[2].moment =
        half * (strains[0].moment * joint->b1 + strains[1].moment * joint->b2) + load->moment;
}

// Rest curvature and twist for which the joint, in its present shape, exerts these moments.
static inline void preload(der_rest_joint *rest, const der_joint *joint,
                           const der_strain strains[3], float max_angle, coif_simd min_stiffness)
{
    const der_kappa kb = kappa_of(joint);
    const coif_simd m1 = strains[0].moment;
    const coif_simd m2 = strains[1].moment;
    const coif_simd wanted = coif_simd_sqrt(m1 * m1 + m2 * m2) / max_angle;
    const coif_simd strong = rest->sqrt_bend1 * rest->sqrt_bend1;
    const coif_simd weak = rest->sqrt_bend2 * rest->sqrt_bend2;
    const coif_simd b2 = coif_simd_max(coif_simd_max(weak, wanted), min_stiffness);
    const coif_simd b1 = coif_simd_select(b2 > weak, strong * b2 / (weak + SIMD_TINY), strong);
    const coif_simd c = rest->sqrt_twist * rest->sqrt_twist * (b2 / (weak + SIMD_TINY));
    rest->sqrt_bend1 = coif_simd_sqrt(b1);
    rest->sqrt_bend2 = coif_simd_sqrt(b2);
    rest->sqrt_twist = coif_simd_sqrt(c);
    rest->kappa1 = joint->scale * kb.k1 - m1 / (b1 + SIMD_TINY);
    rest->kappa2 = joint->scale * kb.k2 - m2 / (b2 + SIMD_TINY);
    rest->twist = joint->twist - strains[2].moment / (c + SIMD_TINY);
}

// Weight of the segments from the tip to the current one.
typedef struct suspended_load {
    simd_vec3 weight;
    coif_simd weight_moment; // sum of weight . position
    coif_simd length;        // total
} suspended_load;

static inline void add_load(suspended_load *load, const coif_strand_block *block, int32_t k,
                            simd_vec3 g)
{
    const coif_simd w = ((const coif_simd *)block->inv_mass)[k + 1];
    coif_simd m = coif_simd_select(w > 0.0f, 1.0f / (w + SIMD_TINY), coif_simd_all(0.0f));
    if (block->gravity_ramp != NULL) {
        m *= ((const coif_simd *)block->gravity_ramp)[k + 1];
    }
    const simd_vec3 own = scale3(g, m);
    load->weight = add3(load->weight, own);
    load->weight_moment += dot3(own, load3(&block->rest_local, k + 1));
    load->length += ((const coif_simd *)block->rest_length)[k];
}

// Stiffness that keeps a joint from buckling: where the weight after it stands above it by the mean
// height z, B > 2 W z L. At the root of an upright column that is eight times the bound of
// Greenhill; but that one is for a column as stiff at its tip.
static inline coif_simd buckling_stiffness(const suspended_load *load,
                                           const coif_strand_block *block, int32_t k)
{
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    coif_simd joint = 0.5f * rest[k];
    if (k > 0) {
        joint += 0.5f * rest[k - 1];
    }
    joint = coif_simd_max(joint, 1.0f / lane_of(block)->max_inv_length);
    const coif_simd lift = dot3(load->weight, load3(&block->rest_local, k)) - load->weight_moment;
    return coif_simd_max(lift, coif_simd_all(0.0f)) * load->length * 2.0f / joint;
}

void COIF_SIMD(coif_der_preload_gravity)(coif_strand_block *block, coif_solver_scratch *scratch,
                                         const float *gravity)
{
    der_rest_joint *rest = rest_joints_of(block);
    const simd_vec3 g = *(const simd_vec3 *)gravity;
    const float max_angle = MAX_PRELOAD_ANGLE / (float)(block->length - 1);
    der_edge clamp;
    const rest_joint *joints = rest_joints_fill(block, scratch, &clamp);
    const coif_simd unit_weight[3] = {coif_simd_all(1.0f), coif_simd_all(1.0f),
                                      coif_simd_all(1.0f)};
    suspended_load load = {0};
    reaction after = {0};
    for (int32_t k = block->length - 2; k >= 0; --k) {
        const der_joint *joint = &joints[k].joint;
        add_load(&load, block, k, g);
        der_strain strains[3];
        strains_of(strains, joint, k > 0 ? &joints[k - 1].edge : &clamp, &joints[k].edge,
                   unit_weight);
        const reaction need = {sub3(load.weight, after.force), after.moment};
        balance(strains, &joints[k], &need);
        preload(&rest[k], joint, strains, max_angle, buckling_stiffness(&load, block, k));
        mutable_states_of(block)[k].tension = dot3(load.weight, joints[k].edge.frame.t);
        const coif_simd half = 0.5f * joint->scale;
        after.moment = half * (strains[0].moment * joint->p1 + strains[1].moment * joint->p2) +
                       strains[2].moment;
        after.force = add3(
            add3(scale3(strains[0].e, strains[0].moment), scale3(strains[1].e, strains[1].moment)),
            scale3(strains[2].e, strains[2].moment));
    }
}
