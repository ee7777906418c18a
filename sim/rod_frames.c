// rod, frames: directions of segments, the directors that go with them, and how far every joint is
// bent and twisted. Compiled once per vector width.
//
// A director only has to stay across its segment: how it lies about it is found by the twist solve.
#include "sim/rod_wide.h"
#include "sim/root.h"

// A joint folded back on itself has no smallest rotation; beyond some 168 degrees it counts as
// that.
static const float FLATTEST = 0.02f;

// The frame that the root is clamped to goes with the scalp.
void COIF_WIDE(coif_rod_clamp)(rod_frame *clamp, const coif_block *block, float moment)
{
    wide3 axes[3];
    root_axes_at(axes, block, moment);
    clamp->t = unit3(turn3(axes, lane_of(block)->clamp_t));
    clamp->u = across3(turn3(axes, lane_of(block)->clamp_u), clamp->t);
    clamp->v = cross3(clamp->t, clamp->u);
}

// So does the director of a tip that is clamped.
void COIF_WIDE(coif_rod_hold_tip)(const coif_block *block, float moment)
{
    wide3 axes[3];
    rod_state *last = &states_of(block)[block->length - 2];
    root_axes_at(axes, block, moment);
    last->u = select3(has_clamped_tip(block), turn3(axes, lane_of(block)->tip_u), last->u);
}

void COIF_WIDE(coif_rod_frames)(const coif_block *block, coif_work *work, const rod_frame *clamp)
{
    rod_joint *joint = joints_of(work);
    const rod_state *state = states_of(block);
    const coif_wide *rest = (const coif_wide *)block->rest;
    const coif_wide steepest = lane_of(block)->steepest;
    const coif_wide zero = coif_wide_all(0.0f);
    wide3 a = load3(block->x, block->y, block->z, 0);
    wide3 t = clamp->t;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const wide3 b = load3(block->x, block->y, block->z, k + 1);
        const wide3 d = sub3(b, a);
        const coif_wide_mask collapsed = is_short(block, k);
        coif_wide inverse;
        t = select3(collapsed, t, direction3(d, &inverse));
        joint[k].t = t;
        joint[k].u = across3(state[k].u, t);
        joint[k].v = cross3(t, joint[k].u);
        joint[k].steep = coif_wide_select(collapsed, zero, coif_wide_min(inverse, steepest));
        joint[k].stretch = dot3(d, t) - rest[k];
        a = b;
    }
}

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
static inline void bend_metric(rod_joint *joint, coif_wide chi)
{
    const coif_wide c = coif_wide_sqrt(0.5f * chi); // cos(a / 2)
    const coif_wide r = 1.0f / (1.0f + c);
    const coif_wide t = (1.0f - c) * r;
    const coif_wide s = 2.0f * c * r; // 1 - T
    joint->angle = s * (1.0f - t * (1.0f / 3.0f - t * 0.2f));
    joint->flatten =
        s * s * s * (1.0f / 6.0f - t * (2.0f / 15.0f - t * 0.075f)) * (0.5f + 0.5f * c);
}

// The angle whose cosine and sine are given, between -pi and pi, by the same series:
//
//   4 atan(t)       t = tan(phi / 4) = sin phi / (2 cos(phi / 2) (1 + cos(phi / 2)))
static inline coif_wide turn_of(coif_wide cosine, coif_wide sine)
{
    const coif_wide least = coif_wide_all(1e-4f);
    const coif_wide half = coif_wide_sqrt(coif_wide_max(0.5f + 0.5f * cosine, least));
    coif_wide t = sine / (2.0f * half * (1.0f + half));
    t = coif_wide_max(coif_wide_min(t, coif_wide_all(1.0f)), coif_wide_all(-1.0f));
    const coif_wide t2 = t * t;
    return 4.0f * t * (1.0f - t2 * (1.0f / 3.0f - t2 * 0.2f));
}

// The joint between the frames e and f.
static inline void measure(rod_joint *joint, const rod_frame *e, const rod_frame *f)
{
    const coif_wide chi = coif_wide_max(1.0f + dot3(e->t, f->t), coif_wide_all(FLATTEST));
    const coif_wide fold = 1.0f / chi;
    const wide3 kb = scale3(cross3(e->t, f->t), 2.0f * fold);
    joint->fold = fold;
    joint->kb = kb;
    joint->p1 = dot3(kb, e->u);
    joint->p2 = dot3(kb, e->v);
    joint->b1 = dot3(kb, f->u);
    joint->b2 = dot3(kb, f->v);
    bend_metric(joint, chi);

    // u of the segment before, taken here by the smallest rotation, against u of this one.
    const coif_wide lean = dot3(e->u, f->t) * fold;
    const coif_wide cosine = dot3(e->u, f->u) - lean * dot3(e->t, f->u);
    const coif_wide sine = lean * dot3(e->t, f->v) - dot3(e->u, f->v);
    joint->twist = turn_of(cosine, sine);
}

void COIF_WIDE(coif_rod_joints)(const coif_block *block, coif_work *work, const rod_frame *clamp)
{
    rod_joint *joint = joints_of(work);
    rod_frame before = *clamp;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const rod_frame here = {joint[k].t, joint[k].u, joint[k].v};
        measure(&joint[k], &before, &here);
        before = here;
    }
}

// Bending of the half joint at the root against some clamp.
void COIF_WIDE(coif_rod_root_curve)(rod_curve *curve, const coif_work *work, const rod_frame *clamp)
{
    rod_joint joint = joints_of(work)[0];
    const rod_frame here = {joint.t, joint.u, joint.v};
    measure(&joint, clamp, &here);
    *curve = curve_of(&joint);
    curve->k1 *= joint.angle;
    curve->k2 *= joint.angle;
}
