// rod, step: a substep of the rod from predicted points to lengths that are right. Compiled once
// per vector width; its table of kernels is at the end.
#include "sim/air.h"
#include "sim/constraints.h"
#include "sim/rod_wide.h"

static void hold_pinned(const coif_block *block, coif_work *work)
{
    const coif_wide *w = (const coif_wide *)block->w;
    for (int32_t k = 0; k < block->length; ++k) {
        const wide3 goal = load3(work->gx, work->gy, work->gz, k);
        const wide3 p = load3(work->px, work->py, work->pz, k);
        store3(work->px, work->py, work->pz, k, select3(w[k] == 0.0f, goal, p));
    }
}

// The prediction divides the way of a point by 1 + h c, for drag. That is the implicit solution for
// a free point; with a mass that is larger by the same factor it is so for one held by forces too.
// Otherwise drag would carry hair at rest.
static void find_root(rod_root *root, const coif_block *block, coif_work *work,
                      const coif_substep *step)
{
    const coif_wide rate =
        coif_varied(block, COIF_VARY_BEND_DAMPING, step->bend_damping / step->h, 0);
    const coif_wide c = coif_air_at(block, work, step, block->length / 2);
    root->rate2 = (1.0f + step->h * c) / (step->h * step->h);
    rod_frame before;
    rod_curve was;
    rod_curve is;
    COIF_WIDE(coif_rod_clamp)(&before, block, step->begin);
    COIF_WIDE(coif_rod_root_curve)(&was, work, &before);
    COIF_WIDE(coif_rod_root_curve)(&is, work, &root->clamp);
    root->lag = (rod_curve){rate * (is.k1 - was.k1), rate * (is.k2 - was.k2)};
}

// From ways to places, and what of the ways is lost by rounding those: velocities are to be better
// than that.
static void arrive(const coif_block *block, coif_work *work)
{
    const rod_joint *joint = joints_of(work);
    for (int32_t k = 0; k < block->length; ++k) {
        const wide3 x = load3(block->x, block->y, block->z, k);
        const wide3 p = add3(x, joint[k].way);
        store3(work->px, work->py, work->pz, k, p);
        store3(work->lost_x, work->lost_y, work->lost_z, k, sub3(joint[k].way, sub3(p, x)));
    }
}

static void step_rod(const coif_block *block, coif_work *work, const coif_substep *step)
{
    rod_root root;
    COIF_WIDE(coif_rod_clamp)(&root.clamp, block, step->end);
    hold_pinned(block, work);
    COIF_WIDE(coif_rod_hold_tip)(block, step->end);
    COIF_WIDE(coif_rod_frames)(block, work, &root.clamp);
    find_root(&root, block, work, step);
    COIF_WIDE(coif_rod_joints)(block, work, &root.clamp);
    COIF_WIDE(coif_rod_newton)(block, work, &root, step);
    COIF_WIDE(coif_rod_lengths)(block, work, &root);
    arrive(block, work);
}

// Contacts and lengths are settled in rounds when any strand of a block touches something. One that
// does not must come out as if it were alone, to the bit: neighbours in a block are chance.
static void remember(const coif_block *block, coif_work *work)
{
    rod_joint *joint = joints_of(work);
    const coif_wide *push = (const coif_wide *)work->push;
    coif_wide most = coif_wide_all(0.0f);
    for (int32_t k = 0; k < block->length; ++k) {
        joint[k].kb = load3(work->px, work->py, work->pz, k);
        most = coif_wide_max(most, push[k]);
    }
    joint[0].twist = most;
}

static void recall(const coif_block *block, coif_work *work)
{
    const rod_joint *joint = joints_of(work);
    const coif_wide_mask pushed = joint[0].twist > 0.0f;
    for (int32_t k = 0; k < block->length; ++k) {
        const wide3 p = load3(work->px, work->py, work->pz, k);
        store3(work->px, work->py, work->pz, k, select3(pushed, p, joint[k].kb));
    }
}

const coif_rod_kernels COIF_WIDE(coif_rod_kernels) = {
    .rest = COIF_WIDE(coif_rod_rest),
    .place = COIF_WIDE(coif_rod_place),
    .sagfree = COIF_WIDE(coif_rod_sagfree),
    .step = step_rod,
    .remember = remember,
    .recall = recall,
};
