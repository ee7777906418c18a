// rod, step: a substep of the rod from predicted points to lengths that are right. Compiled once
// per vector width; its table of kernels is at the end.
#include "sim/solver/constraints_common.h"
#include "sim/solver/methods/der/der_mass_matrix.h"

// Bending of the half joint at the root against some clamp.
static rod_curve root_curve(const coif_solver_scratch *scratch, const rod_frame *clamp)
{
    rod_bend bend;
    measure(&bend, clamp, &links_of(scratch)[0].frame);
    const rod_curve curve = curve_of(&bend);
    return (rod_curve){bend.angle * curve.k1, bend.angle * curve.k2};
}

// The prediction divides the way of a point by 1 + h c, for drag. That is the implicit solution for
// a free point; with a mass that is larger by the same factor it is so for one held by forces too.
// Otherwise drag would carry hair at rest.
static void find_root(rod_root *root, const coif_strand_block *block, coif_solver_scratch *scratch,
                      const coif_substep *step)
{
    const coif_simd rate =
        coif_point_param(block, COIF_FIELD_BEND_DAMPING, step->bending_damping_time / step->h, 0);
    const coif_simd c = coif_wind_at(block, scratch, step, block->length / 2);
    root->rate2 = (1.0f + step->h * c) * (1.0f / (step->h * step->h));
    rod_frame before;
    COIF_SIMD(coif_der_clamp)(&before, block, step->begin);
    const rod_curve was = root_curve(scratch, &before);
    const rod_curve is = root_curve(scratch, &root->clamp);
    root->lag = (rod_curve){rate * (is.k1 - was.k1), rate * (is.k2 - was.k2)};
}

// From ways to places, and what of the ways is lost by rounding those: velocities are to be better
// than that. Those of free strands are counted from where points were predicted, see motion.c.
static void arrive(const coif_strand_block *block, coif_solver_scratch *scratch, float h)
{
    const rod_link *link = links_of(scratch);
    const coif_simd_mask loose = *(const coif_simd *)block->inv_mass > 0.0f;
    const bool free = any_of(loose);
    for (int32_t k = 0; k < block->length; ++k) {
        const wide3 x = load3(&block->pos, k);
        const wide3 p = add3(x, link[k].way);
        store3(&scratch->predicted, k, p);
        wide3 lost = sub3(link[k].way, sub3(p, x));
        if (free) {
            const wide3 q = scale3(load3(&scratch->v_pred, k), coif_simd_all(h));
            const wide3 change = sub3(sub3(link[k].way, q), sub3(p, add3(x, q)));
            lost = select3(loose, change, lost);
        }
        store3(&scratch->rounding_error, k, lost);
    }
}

static void step_rod(const coif_strand_block *block, coif_solver_scratch *scratch,
                     const coif_substep *step)
{
    rod_root root;
    COIF_SIMD(coif_der_clamp)(&root.clamp, block, step->end);
    COIF_SIMD(coif_der_hold_tip)(block, step->end);
    COIF_SIMD(coif_der_frames)(block, scratch, &root.clamp, step->h);
    find_root(&root, block, scratch, step);
    COIF_SIMD(coif_der_newton)(block, scratch, &root, step);
    COIF_SIMD(coif_der_lengths)(block, scratch, &root);
    if (any_of(*(const coif_simd *)block->inv_mass > 0.0f)) {
        const rod_motion all = motion_of(block, scratch, &root, step);
        COIF_SIMD(coif_der_turn_back)(&all, &root);
    }
    arrive(block, scratch, step->h);
}

// Contacts and lengths are settled in rounds when any strand of a block touches something. One that
// does not must come out as if it were alone, to the bit: neighbours in a block are chance.
static bool remember(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    rod_link *link = links_of(scratch);
    const coif_simd *push = (const coif_simd *)scratch->normal_push;
    coif_simd most = coif_simd_all(0.0f);
    for (int32_t k = scratch->contact_begin; k < scratch->contact_end; ++k) {
        most = coif_simd_max(most, push[k]);
    }
    if (!any_of(most > 0.0f)) {
        return false;
    }
    for (int32_t k = 0; k < block->length; ++k) {
        link[k].way = load3(&scratch->predicted, k);
    }
    link[0].stretch = most;
    return true;
}

static void recall(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const rod_link *link = links_of(scratch);
    const coif_simd_mask pushed = link[0].stretch > 0.0f;
    coif_simd *push = (coif_simd *)scratch->normal_push;
    for (int32_t k = 0; k < block->length; ++k) {
        const wide3 p = load3(&scratch->predicted, k);
        store3(&scratch->predicted, k, select3(pushed, p, link[k].way));
        push[k] = coif_simd_select(pushed, push[k], coif_simd_all(0.0f));
    }
}

const coif_der_kernels COIF_SIMD(coif_der_kernels) = {
    .rest = COIF_SIMD(coif_der_rest),
    .place = COIF_SIMD(coif_der_place),
    .sagfree = COIF_SIMD(coif_der_sagfree),
    .step = step_rod,
    .remember = remember,
    .recall = recall,
};
