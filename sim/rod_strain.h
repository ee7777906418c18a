// rod_strain: how curvature and twist of a joint change when its segments turn.
#ifndef COIF_SIM_ROD_STRAIN_H
#define COIF_SIM_ROD_STRAIN_H

#include "sim/rod_wide.h"

// One strain of a joint, its change with the segments before (e) and after it (f) and with their
// turns about themselves, and the moment with which the joint resists it.
typedef struct rod_strain {
    wide3 e, f;
    coif_wide turn_e, turn_f;
    coif_wide stiffness, moment;
} rod_strain;

// Derivatives of curvature and twist (Bergou et al. 2010), the former for the angle as the measure
// of bending, see bend_metric:
//
//   d k1 / de = (-k1 t~ + t_f x v~) / |e|        d k1 / df = (-k1 t~ - t_e x v~) / |f|
//   d k2 / de = (-k2 t~ - t_f x u~) / |e|        d k2 / df = (-k2 t~ + t_e x u~) / |f|
//   d twist / de = kb / 2 |e|                    d twist / df = kb / 2 |f|
//
// With k1 = angle (p2 + b2) / 2 and k2 = -angle (p1 + b1) / 2, turning the segment after the joint
// by d changes k by -angle (b1, b2) d / 2 and the twist by d; turning the one before by d changes
// them by -angle (p1, p2) d / 2 and by -d.
static inline void strains_of(rod_strain strains[3], const rod_joint *joint, const rod_point *point,
                              const rod_joint *before)
{
    const wide3 te = before->t;
    const wide3 tf = joint->t;
    const rod_curve kb = curve_of(joint);
    const coif_wide g11 = joint->angle - joint->flatten * kb.k1 * kb.k1;
    const coif_wide g12 = -joint->flatten * kb.k1 * kb.k2;
    const coif_wide g22 = joint->angle - joint->flatten * kb.k2 * kb.k2;
    const wide3 t = scale3(add3(te, tf), joint->fold);
    const wide3 u = scale3(add3(before->u, joint->u), joint->fold);
    const wide3 v = scale3(add3(before->v, joint->v), joint->fold);
    const wide3 a1 = sub3(scale3(v, g11), scale3(u, g12));
    const wide3 a2 = sub3(scale3(v, g12), scale3(u, g22));
    const wide3 t1 = scale3(t, g11 * kb.k1 + g12 * kb.k2);
    const wide3 t2 = scale3(t, g12 * kb.k1 + g22 * kb.k2);
    const coif_wide half = -0.5f * joint->angle;
    const coif_wide b1 = point->bend_stiffness1;
    const coif_wide b2 = point->bend_stiffness2;
    const coif_wide c = point->twist_stiffness;

    strains[0] = (rod_strain){.e = scale3(sub3(cross3(tf, a1), t1), before->steep),
                              .f = scale3(add3(cross3(te, a1), t1), -joint->steep),
                              .turn_e = half * joint->p1,
                              .turn_f = half * joint->b1,
                              .stiffness = b1,
                              .moment = b1 * (joint->angle * kb.k1 - point->curve1)};
    strains[1] = (rod_strain){.e = scale3(sub3(cross3(tf, a2), t2), before->steep),
                              .f = scale3(add3(cross3(te, a2), t2), -joint->steep),
                              .turn_e = half * joint->p2,
                              .turn_f = half * joint->b2,
                              .stiffness = b2,
                              .moment = b2 * (joint->angle * kb.k2 - point->curve2)};
    strains[2] = (rod_strain){.e = scale3(joint->kb, 0.5f * before->steep),
                              .f = scale3(joint->kb, 0.5f * joint->steep),
                              .turn_e = coif_wide_all(-1.0f),
                              .turn_f = coif_wide_all(1.0f),
                              .stiffness = c,
                              .moment = c * (joint->twist - point->twist)};
}

#endif
