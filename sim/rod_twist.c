// rod, twist: directors turn about their segments until the twist is in balance. Compiled once per
// vector width.
//
// A hair's torsion rings at thousands of hertz, so it is taken to be at rest at every moment.
// Newton steps begin from the balance of the last substep; curls that hang come to rest with one of
// them per substep, and two leave room for those that are shaken.
#include "sim/rod_wide.h"

enum { NEWTON_STEPS = 2 };

// Most that a director turns in one Newton step, radians.
static const float MOST_TURN = 1.0f;

// One joint's part of the tridiagonal system. With k1 = angle (p2 + b2) / 2 and k2 = -angle (p1 +
// b1) / 2, turning the segment of the joint by d changes k by -angle (b1, b2) d / 2 and the twist
// by d; turning the segment before by d changes them by -angle (p1, p2) d / 2 and by -d.
typedef struct part {
    coif_wide before, here;             // gradient
    coif_wide before2, here2, together; // Gauss-Newton matrix
} part;

static inline part part_of(const rod_joint *joint, const rod_point *point)
{
    const rod_curve kb = curve_of(joint);
    const coif_wide half = -0.5f * joint->angle;
    const coif_wide m1 = point->bend_stiffness * (joint->angle * kb.k1 - point->curve1);
    const coif_wide m2 = point->bend_stiffness * (joint->angle * kb.k2 - point->curve2);
    const coif_wide c = point->twist_stiffness;
    const coif_wide m3 = c * (joint->twist - point->twist);
    const coif_wide p1 = half * joint->p1;
    const coif_wide p2 = half * joint->p2;
    const coif_wide b1 = half * joint->b1;
    const coif_wide b2 = half * joint->b2;
    return (part){.before = m1 * p1 + m2 * p2 - m3,
                  .here = m1 * b1 + m2 * b2 + m3,
                  .before2 = point->bend_stiffness * (p1 * p1 + p2 * p2) + c,
                  .here2 = point->bend_stiffness * (b1 * b1 + b2 * b2) + c,
                  .together = point->bend_stiffness * (p1 * b1 + p2 * b2) - c};
}

// Thomas' algorithm, first half, root to tip. A whole free strand may turn without resistance, so
// the diagonal is raised a little.
static inline void eliminate(const coif_block *block, rod_joint *joint)
{
    const rod_point *point = points_of(block);
    coif_wide diagonal = coif_wide_all(1.0f); // of the clamp, which does not turn
    coif_wide right = coif_wide_all(0.0f);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const part own = part_of(&joint[k], &point[k]);
        coif_wide factor = coif_wide_all(0.0f);
        joint[k].side = coif_wide_all(0.0f);
        if (k > 0) {
            diagonal += own.before2;
            right -= own.before;
            joint[k - 1].inverse = 1.0f / diagonal;
            joint[k - 1].right = right;
            joint[k].side = own.together;
            factor = own.together * joint[k - 1].inverse;
        }
        diagonal = own.here2 + 1e-6f * point[k].twist_stiffness + ROD_TINY - factor * joint[k].side;
        right = -own.here - factor * right;
    }
    joint[block->length - 2].inverse = 1.0f / diagonal;
    joint[block->length - 2].right = right;
}

// The frame turns by the angle, so vectors seen in it turn back.
static inline void turn_frame(coif_wide *a1, coif_wide *a2, coif_wide cosine, coif_wide sine)
{
    const coif_wide first = *a1;
    *a1 = cosine * first + sine * *a2;
    *a2 = cosine * *a2 - sine * first;
}

// Second half, tip to root; what the next round reads of the frames is turned on the way.
static inline void turn_back(const coif_block *block, rod_joint *joint)
{
    coif_wide last = coif_wide_all(0.0f);
    for (int32_t k = block->length - 2; k >= 0; --k) {
        coif_wide side = coif_wide_all(0.0f);
        if (k + 2 < block->length) {
            side = joint[k + 1].side;
        }
        coif_wide turn = (joint[k].right - side * last) * joint[k].inverse;
        if (k + 2 == block->length) {
            turn = coif_wide_select(has_clamped_tip(block), coif_wide_all(0.0f), turn);
        }
        turn =
            coif_wide_max(coif_wide_min(turn, coif_wide_all(MOST_TURN)), coif_wide_all(-MOST_TURN));
        const coif_wide t2 = turn * turn;
        const coif_wide cosine = 1.0f - t2 * (0.5f - t2 * (1.0f / 24.0f - t2 * (1.0f / 720.0f)));
        const coif_wide sine =
            turn * (1.0f - t2 * (1.0f / 6.0f - t2 * (1.0f / 120.0f - t2 * (1.0f / 5040.0f))));
        turn_frame(&joint[k].b1, &joint[k].b2, cosine, sine);
        joint[k].twist += turn;
        if (k + 2 < block->length) {
            turn_frame(&joint[k + 1].p1, &joint[k + 1].p2, cosine, sine);
            joint[k + 1].twist -= turn;
        }
        const coif_wide before = joint[k].turn_cos;
        joint[k].turn_cos = cosine * before - sine * joint[k].turn_sin;
        joint[k].turn_sin = cosine * joint[k].turn_sin + sine * before;
        last = turn;
    }
}

void COIF_WIDE(coif_rod_untwist)(const coif_block *block, coif_work *work)
{
    rod_joint *joint = joints_of(work);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        joint[k].turn_cos = coif_wide_all(1.0f);
        joint[k].turn_sin = coif_wide_all(0.0f);
    }
    for (int newton = 0; newton < NEWTON_STEPS; ++newton) {
        eliminate(block, joint);
        turn_back(block, joint);
    }
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const wide3 u = joint[k].u;
        const wide3 v = joint[k].v;
        joint[k].u = add3(scale3(u, joint[k].turn_cos), scale3(v, joint[k].turn_sin));
        joint[k].v = sub3(scale3(v, joint[k].turn_cos), scale3(u, joint[k].turn_sin));
        states_of(block)[k].u = joint[k].u;
    }
}
