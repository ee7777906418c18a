// rod_strain: how far a joint is bent and twisted, and how that changes when its segments turn.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_STRAIN_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_STRAIN_H

#include "sim/solver/methods/der/der_simd.h"

// A joint folded back on itself has no smallest rotation; beyond some 168 degrees it counts as
// that.
#define FLATTEST 0.02f

// The curvature binormal kb of Bergou et al. 2008 is 2 tan(a / 2) long for an angle a, which makes
// sharply bent joints, and every curl of few segments, far too stiff. So the measure of bending is
// the angle itself, as a vector along kb. With T = tan(a / 4)^2 and atan by its series:
//
//   kappa = angle kb       angle = (1 - T) (1 - T / 3 + T^2 / 5)
//   d kappa = (angle - flatten kb kb^T) d kb
//   flatten = (1 - T)^3 (1/6 - 2 T / 15 + 3 T^2 / 40) / (1 + T)
//
// The series ends there for the energy too, so these are exact derivatives; kappa is off from the
// true angle by 0.1 percent at 90 degrees.
static inline void bend_metric(rod_bend *bend, coif_simd chi)
{
    const coif_simd c = coif_simd_sqrt(0.5f * chi); // cos(a / 2)
    // One division for both 1 / chi and 1 / (1 + c).
    const coif_simd both = 1.0f / (chi + chi * c);
    const coif_simd r = both * chi;
    const coif_simd t = (1.0f - c) * r;
    const coif_simd s = 2.0f * c * r; // 1 - T
    bend->fold = both + both * c;
    bend->angle = s * (1.0f - t * (1.0f / 3.0f - t * 0.2f));
    bend->flatten = s * s * s * (1.0f / 6.0f - t * (2.0f / 15.0f - t * 0.075f)) * (0.5f + 0.5f * c);
}

// The angle whose cosine and sine are given, between -pi and pi, by the same series:
//
//   4 atan(t)       t = tan(phi / 4) = sin phi / (2 cos(phi / 2) (1 + cos(phi / 2)))
static inline coif_simd turn_of(coif_simd cosine, coif_simd sine)
{
    const coif_simd least = coif_simd_all(1e-4f);
    const coif_simd half = coif_simd_sqrt(coif_simd_max(0.5f + 0.5f * cosine, least));
    coif_simd t = sine / (2.0f * half * (1.0f + half));
    t = coif_simd_max(coif_simd_min(t, coif_simd_all(1.0f)), coif_simd_all(-1.0f));
    const coif_simd t2 = t * t;
    return 4.0f * t * (1.0f - t2 * (1.0f / 3.0f - t2 * 0.2f));
}

// The joint between the frames e and f. With kb = 2 t_e x t_f / (1 + t_e . t_f) its products with
// the directors are those of one direction with the directors of the other.
static inline void measure(rod_bend *bend, const rod_frame *e, const rod_frame *f)
{
    bend_metric(bend, coif_simd_max(1.0f + dot3(e->t, f->t), coif_simd_all(FLATTEST)));
    const coif_simd twice = 2.0f * bend->fold;
    const coif_simd ut = dot3(e->u, f->t);
    const coif_simd tu = dot3(e->t, f->u);
    const coif_simd tv = dot3(e->t, f->v);
    bend->p1 = -twice * dot3(e->v, f->t);
    bend->p2 = twice * ut;
    bend->b1 = twice * tv;
    bend->b2 = -twice * tu;

    // u of the segment before, taken here by the smallest rotation, against u of this one.
    const coif_simd lean = ut * bend->fold;
    const coif_simd cosine = dot3(e->u, f->u) - lean * tu;
    const coif_simd sine = lean * tv - dot3(e->u, f->v);
    bend->twist = turn_of(cosine, sine);
}

// One strain of a joint, its change with the segments before (e) and after it (f) and with their
// turns about themselves, and the moment with which the joint resists it.
typedef struct rod_strain {
    wide3 e, f;
    coif_simd turn_e, turn_f;
    coif_simd moment;
} rod_strain;

// A segment at a joint: its frame, and 1 / length as in rod_link.
typedef struct rod_side {
    rod_frame frame;
    coif_simd steep;
} rod_side;

// Derivatives of curvature and twist (Bergou et al. 2010), the former for the angle as the measure
// of bending, see bend_metric:
//
//   d k1 / de = (-k1 t~ + t_f x v~) / |e|        d k1 / df = (-k1 t~ - t_e x v~) / |f|
//   d k2 / de = (-k2 t~ - t_f x u~) / |e|        d k2 / df = (-k2 t~ + t_e x u~) / |f|
//   d twist / de = kb / 2 |e|                    d twist / df = kb / 2 |f|
//
// With k1 = angle (p2 + b2) / 2 and k2 = -angle (p1 + b1) / 2, turning the segment after the joint
// by d changes k by -angle (b1, b2) d / 2 and the twist by d; turning the one before by d changes
// them by -angle (p1, p2) d / 2 and by -d. Each strain comes times its weight, without a moment.
static inline void strains_of(rod_strain strains[3], const rod_bend *joint, const rod_side *before,
                              const rod_side *after, const coif_simd weight[3])
{
    const wide3 te = before->frame.t;
    const wide3 tf = after->frame.t;
    const rod_curve k = curve_of(joint);
    const coif_simd level = joint->angle * joint->fold;
    const coif_simd flat1 = joint->flatten * joint->fold * k.k1;
    const coif_simd flat2 = joint->flatten * joint->fold * k.k2;
    const coif_simd g11 = level - flat1 * k.k1;
    const coif_simd g12 = -flat1 * k.k2;
    const coif_simd g22 = level - flat2 * k.k2;
    const wide3 t = add3(te, tf);
    const wide3 u = add3(before->frame.u, after->frame.u);
    const wide3 v = add3(before->frame.v, after->frame.v);
    const wide3 a1 = sub3(scale3(v, g11), scale3(u, g12));
    const wide3 a2 = sub3(scale3(v, g12), scale3(u, g22));
    const wide3 t1 = scale3(t, g11 * k.k1 + g12 * k.k2);
    const wide3 t2 = scale3(t, g12 * k.k1 + g22 * k.k2);
    const wide3 kb = scale3(cross3(te, tf), joint->fold * weight[2]); // half of it
    const coif_simd half1 = -0.5f * joint->angle * weight[0];
    const coif_simd half2 = -0.5f * joint->angle * weight[1];

    strains[0] = (rod_strain){.e = scale3(sub3(cross3(tf, a1), t1), before->steep * weight[0]),
                              .f = scale3(add3(cross3(te, a1), t1), -after->steep * weight[0]),
                              .turn_e = half1 * joint->p1,
                              .turn_f = half1 * joint->b1};
    strains[1] = (rod_strain){.e = scale3(sub3(cross3(tf, a2), t2), before->steep * weight[1]),
                              .f = scale3(add3(cross3(te, a2), t2), -after->steep * weight[1]),
                              .turn_e = half2 * joint->p2,
                              .turn_f = half2 * joint->b2};
    strains[2] = (rod_strain){.e = scale3(kb, before->steep),
                              .f = scale3(kb, after->steep),
                              .turn_e = -weight[2],
                              .turn_f = weight[2]};
}

#endif
