// rod, lengths: every segment gets its length back, and the tension that it took is remembered.
// Compiled once per vector width.
//
// The implicit step leaves segments some hundredths of a percent off. Newton steps on all lengths
// of a strand at once (see constraints.c) put that right. The tension found is where the next
// substep begins: at rest the step then finds nothing left to do, so the shape does not depend on
// the number of substeps.
#include "sim/rod_wide.h"

enum { NEWTON_STEPS = 2 };

// Thomas' algorithm, root to tip, on
//
//   (w_k + w_k+1) l_k - w_k (n_k-1 . n_k) l_k-1 - w_k+1 (n_k . n_k+1) l_k+1 = C_k
static inline void eliminate(const coif_block *block, coif_work *work)
{
    rod_joint *joint = joints_of(work);
    const coif_wide *w = (const coif_wide *)block->w;
    const coif_wide *rest = (const coif_wide *)block->rest;
    wide3 a = load3(work->px, work->py, work->pz, 0);
    wide3 before = {0};
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const wide3 b = load3(work->px, work->py, work->pz, k + 1);
        const wide3 d = sub3(b, a);
        coif_wide inverse;
        const wide3 n = select3(joint[k].steep == 0.0f, before, direction3(d, &inverse));
        joint[k].stretch = dot3(d, n) - rest[k];
        joint[k].t = n;
        coif_wide diagonal = (w[k] + w[k + 1]) * 1.000001f + ROD_TINY;
        coif_wide right = joint[k].stretch;
        if (k > 0) {
            joint[k].side = -w[k] * dot3(before, n);
            const coif_wide factor = joint[k].side * joint[k - 1].inverse;
            diagonal -= factor * joint[k].side;
            right -= factor * joint[k - 1].right;
        }
        joint[k].inverse = 1.0f / diagonal;
        joint[k].right = right;
        before = n;
        a = b;
    }
}

// Tip to root; points move as soon as both their segments are known.
static inline void move_points(const coif_block *block, coif_work *work, const rod_root *root)
{
    rod_joint *joint = joints_of(work);
    rod_state *state = states_of(block);
    const coif_wide *w = (const coif_wide *)block->w;
    const int32_t last = block->length - 1;
    coif_wide lambda = coif_wide_all(0.0f);
    wide3 pull = {0}; // of the segment after the point
    for (int32_t k = last - 1; k >= 0; --k) {
        coif_wide right = joint[k].right;
        if (k + 1 < last) {
            right -= joint[k + 1].side * lambda;
        }
        lambda = right * joint[k].inverse;
        state[k].tension += lambda * root->rate2;
        const wide3 own = scale3(joint[k].t, lambda);
        const wide3 p = load3(work->px, work->py, work->pz, k + 1);
        store3(work->px, work->py, work->pz, k + 1, add3(p, scale3(sub3(pull, own), w[k + 1])));
        pull = own;
    }
    const wide3 p = load3(work->px, work->py, work->pz, 0);
    store3(work->px, work->py, work->pz, 0, add3(p, scale3(pull, w[0])));
}

void COIF_WIDE(coif_rod_lengths)(const coif_block *block, coif_work *work, const rod_root *root)
{
    for (int newton = 0; newton < NEWTON_STEPS; ++newton) {
        eliminate(block, work);
        move_points(block, work, root);
    }
}

// Whether the segment from a to b is wrong by more than 0.005 percent of the mean.
static inline coif_wide_mask is_wrong(const coif_block *block, int32_t k, wide3 d,
                                      coif_wide *length)
{
    const coif_wide most = 0.0025f / lane_of(block)->steepest;
    *length = coif_wide_sqrt(dot3(d, d));
    const coif_wide off = *length - ((const coif_wide *)block->rest)[k];
    return (off * off > most * most) & (((const coif_wide *)block->w)[k + 1] > 0.0f);
}

static inline bool any_is_wrong(const coif_block *block, const coif_work *work)
{
    coif_wide_mask wrong = {0};
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        coif_wide length;
        const wide3 d = sub3(load3(work->px, work->py, work->pz, k + 1),
                             load3(work->px, work->py, work->pz, k));
        wrong |= is_wrong(block, k, d, &length);
    }
    int32_t any = 0;
    for (int lane = 0; lane < COIF_LANES; ++lane) {
        any |= wrong[lane];
    }
    return any != 0;
}

// A strand whose root is torn about by many segments at once may still be far off. What is wrong is
// put right from root to tip, whatever it weighs. A strand that is right stays as it is, to the
// bit.
void COIF_WIDE(coif_rod_put_right)(const coif_block *block, coif_work *work)
{
    if (!any_is_wrong(block, work)) {
        return;
    }
    const coif_wide *rest = (const coif_wide *)block->rest;
    wide3 a = load3(work->px, work->py, work->pz, 0);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const wide3 b = load3(work->px, work->py, work->pz, k + 1);
        const wide3 d = sub3(b, a);
        coif_wide length;
        const coif_wide_mask wrong = is_wrong(block, k, d, &length);
        const wide3 right = add3(a, scale3(d, rest[k] / (length + ROD_TINY)));
        a = select3(wrong, right, b);
        store3(work->px, work->py, work->pz, k + 1, a);
    }
}
