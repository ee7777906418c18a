// der_strain: bend and twist of a joint and their derivatives with respect to its segments.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_STRAIN_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_STRAIN_H

#include "sim/solver/methods/der/der_simd.h"

// Lower limit of chi = 1 + t_e . t_f: a joint folded by more than about 168 degrees has no unique
// smallest rotation and is treated as folded by that much.
#define MIN_CHI 0.02f

// The curvature binormal kb of Bergou et al. 2008 has length 2 tan(a / 2) for an angle a, which
// makes sharply bent joints, and every curl of few segments, far too stiff. So the bending measure
// is the angle itself, as a vector along kb. With T = tan(a / 4)^2 and atan by its series:
//
//   kappa = scale kb       scale = (1 - T) (1 - T / 3 + T^2 / 5)
//   d kappa = (scale - falloff kb kb^T) d kb
//   falloff = (1 - T)^3 (1/6 - 2 T / 15 + 3 T^2 / 40) / (1 + T)
//
// The energy uses the same truncated series, so these are exact derivatives; kappa differs from the
// true angle by 0.1 percent at 90 degrees.
static inline void angle_metric(der_joint *joint, coif_simd chi)
{
    const coif_simd c = coif_simd_sqrt(0.5f * chi); // cos(a / 2)
    // One division for both 1 / chi and 1 / (1 + c).
    const coif_simd both = 1.0f / (chi + chi * c);
    const coif_simd r = both * chi;
    const coif_simd t = (1.0f - c) * r;
    const coif_simd s = 2.0f * c * r; // 1 - T
    joint->inv_chi = both + both * c;
    joint->scale = s * (1.0f - t * (1.0f / 3.0f - t * 0.2f));
    joint->falloff =
        s * s * s * (1.0f / 6.0f - t * (2.0f / 15.0f - t * 0.075f)) * (0.5f + 0.5f * c);
}

// The angle with this cosine and sine, between -pi and pi, by the same series:
//
//   4 atan(t)       t = tan(phi / 4) = sin phi / (2 cos(phi / 2) (1 + cos(phi / 2)))
static inline coif_simd angle_of_turn(coif_simd cosine, coif_simd sine)
{
    const coif_simd least = coif_simd_all(1e-4f);
    const coif_simd half = coif_simd_sqrt(coif_simd_max(0.5f + 0.5f * cosine, least));
    coif_simd t = sine / (2.0f * half * (1.0f + half));
    t = coif_simd_max(coif_simd_min(t, coif_simd_all(1.0f)), coif_simd_all(-1.0f));
    const coif_simd t2 = t * t;
    return 4.0f * t * (1.0f - t2 * (1.0f / 3.0f - t2 * 0.2f));
}

// The joint between the frames e and f. With kb = 2 t_e x t_f / (1 + t_e . t_f), the components of
// kb along the directors of one frame are dot products with the tangent of the other.
static inline void measure(der_joint *joint, const der_frame *e, const der_frame *f)
{
    angle_metric(joint, coif_simd_max(1.0f + dot3(e->t, f->t), coif_simd_all(MIN_CHI)));
    const coif_simd twice = 2.0f * joint->inv_chi;
    const coif_simd ut = dot3(e->u, f->t);
    const coif_simd tu = dot3(e->t, f->u);
    const coif_simd tv = dot3(e->t, f->v);
    joint->p1 = -twice * dot3(e->v, f->t);
    joint->p2 = twice * ut;
    joint->b1 = twice * tv;
    joint->b2 = -twice * tu;

    // Twist: u of frame e, parallel-transported to f, against u of f.
    const coif_simd lean = ut * joint->inv_chi;
    const coif_simd cosine = dot3(e->u, f->u) - lean * tu;
    const coif_simd sine = lean * tv - dot3(e->u, f->v);
    joint->twist = angle_of_turn(cosine, sine);
}

// One strain component of a joint: its derivatives with respect to the segments before (e) and
// after it (f) and to their twist angles, and its moment.
typedef struct der_strain {
    simd_vec3 e, f;
    coif_simd twist_e, twist_f;
    coif_simd moment;
} der_strain;

// A segment at a joint: material frame and 1 / length as in der_segment.
typedef struct der_edge {
    der_frame frame;
    coif_simd inv_length;
} der_edge;

// Derivatives of curvature and twist (Bergou et al. 2010), with the angle as the bending measure,
// see angle_metric:
//
//   d k1 / de = (-k1 t~ + t_f x v~) / |e|        d k1 / df = (-k1 t~ - t_e x v~) / |f|
//   d k2 / de = (-k2 t~ - t_f x u~) / |e|        d k2 / df = (-k2 t~ + t_e x u~) / |f|
//   d twist / de = kb / 2 |e|                    d twist / df = kb / 2 |f|
//
// With k1 = scale (p2 + b2) / 2 and k2 = -scale (p1 + b1) / 2, twisting the segment after the joint
// by d changes k by -scale (b1, b2) d / 2 and the twist by d; twisting the one before by d changes
// them by -scale (p1, p2) d / 2 and by -d. Each strain is multiplied by its weight; moments are not
// set.
static inline void strains_of(der_strain strains[3], const der_joint *joint, const der_edge *before,
                              const der_edge *after, const coif_simd weight[3])
{
    const simd_vec3 te = before->frame.t;
    const simd_vec3 tf = after->frame.t;
    const der_kappa k = kappa_of(joint);
    const coif_simd level = joint->scale * joint->inv_chi;
    const coif_simd flat1 = joint->falloff * joint->inv_chi * k.k1;
    const coif_simd flat2 = joint->falloff * joint->inv_chi * k.k2;
    const coif_simd g11 = level - flat1 * k.k1;
    const coif_simd g12 = -flat1 * k.k2;
    const coif_simd g22 = level - flat2 * k.k2;
    const simd_vec3 t = add3(te, tf);
    const simd_vec3 u = add3(before->frame.u, after->frame.u);
    const simd_vec3 v = add3(before->frame.v, after->frame.v);
    const simd_vec3 a1 = sub3(scale3(v, g11), scale3(u, g12));
    const simd_vec3 a2 = sub3(scale3(v, g12), scale3(u, g22));
    const simd_vec3 t1 = scale3(t, g11 * k.k1 + g12 * k.k2);
    const simd_vec3 t2 = scale3(t, g12 * k.k1 + g22 * k.k2);
    const simd_vec3 kb = scale3(cross3(te, tf), joint->inv_chi * weight[2]); // half of it
    const coif_simd half1 = -0.5f * joint->scale * weight[0];
    const coif_simd half2 = -0.5f * joint->scale * weight[1];

    strains[0] = (der_strain){.e = scale3(sub3(cross3(tf, a1), t1), before->inv_length * weight[0]),
                              .f = scale3(add3(cross3(te, a1), t1), -after->inv_length * weight[0]),
                              .twist_e = half1 * joint->p1,
                              .twist_f = half1 * joint->b1};
    strains[1] = (der_strain){.e = scale3(sub3(cross3(tf, a2), t2), before->inv_length * weight[1]),
                              .f = scale3(add3(cross3(te, a2), t2), -after->inv_length * weight[1]),
                              .twist_e = half2 * joint->p2,
                              .twist_f = half2 * joint->b2};
    strains[2] = (der_strain){.e = scale3(kb, before->inv_length),
                              .f = scale3(kb, after->inv_length),
                              .twist_e = -weight[2],
                              .twist_f = weight[2]};
}

#endif
