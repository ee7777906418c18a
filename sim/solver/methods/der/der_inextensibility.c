// rod, lengths: every segment gets its length back, and the tension that it took is remembered.
// Compiled once per vector width.
//
// The implicit step leaves segments some hundredths of a percent off. Newton steps on all lengths
// of a strand at once (see constraints.c) put that right. The tension found is where the next
// substep begins: at rest the step then finds nothing left to do, so the shape does not depend on
// the number of substeps. Points that are pressed against bodies move along them only, and what
// they are kept from adds to their press: else a strand wrapped around something would be drawn
// into it by its lengths and thrown out by contacts, over and over.
#include "sim/solver/methods/der/der_simd.h"

// Rounds for every strand, and more for those that are torn about.
enum { NEWTON_STEPS = 2, MORE_STEPS = 6 };

// How much of its freedom across the surface a pressed point loses. All of it would leave nothing
// to solve for where a segment stands upright between two bodies.
#define ROD_PRESSED 0.999f

// From point k to the next, where both are by now. Ways are small and what they are added to is
// known exactly, so this is better than the difference of two places.
static inline wide3 segment_now(const coif_strand_block *block, const rod_link *link, int32_t k)
{
    const wide3 d = sub3(load3(&block->pos, k + 1), load3(&block->pos, k));
    return add3(d, sub3(link[k + 1].way, link[k].way));
}

// The normal of the body that point k is pressed against, as much of it as it is held by.
static inline wide3 held_along(const coif_strand_block *block, const coif_solver_scratch *scratch,
                               int32_t k)
{
    const coif_simd held = coif_simd_select(states_of(block)[k].press > 0.0f,
                                            coif_simd_all(ROD_PRESSED), coif_simd_all(0.0f));
    return scale3(load3(&scratch->contact_normal, k), held);
}

// Thomas' algorithm, root to tip, on
//
//   (w_k + w_k+1) l_k - w_k (n_k-1 . n_k) l_k-1 - w_k+1 (n_k . n_k+1) l_k+1 = C_k
//
// A point that is pressed against a body moves along it only: w_k (I - m m) instead of w_k.
static inline void eliminate(const coif_strand_block *block, coif_solver_scratch *scratch,
                             bool pressed)
{
    rod_link *link = links_of(scratch);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    wide3 before = {0};
    wide3 held = {0};
    if (pressed) {
        held = held_along(block, scratch, 0);
    }
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const wide3 d = segment_now(block, link, k);
        coif_simd inverse;
        const wide3 n = select3(link[k].steep == 0.0f, before, direction3(d, &inverse));
        coif_simd diagonal = (w[k] + w[k + 1]) * 1.000001f + ROD_TINY;
        coif_simd right = dot3(d, n) - rest[k];
        link[k].frame.t = n;
        const coif_simd begin = dot3(held, n);
        const coif_simd begin_before = dot3(held, before);
        if (pressed) {
            held = held_along(block, scratch, k + 1);
            const coif_simd end = dot3(held, n);
            diagonal -= w[k] * (begin * begin) + w[k + 1] * (end * end);
        }
        if (k > 0) {
            coif_simd turn = dot3(before, n);
            if (pressed) {
                turn -= begin_before * begin;
            }
            link[k].side = -w[k] * turn;
            const coif_simd factor = link[k].side * link[k - 1].inverse;
            diagonal -= factor * link[k].side;
            right -= factor * link[k - 1].right;
        }
        link[k].inverse = 1.0f / diagonal;
        link[k].right = right;
        before = n;
    }
}

// What is left of the push of both segments on point k; the body bears the rest.
static inline wide3 bear(const coif_strand_block *block, const coif_solver_scratch *scratch,
                         const rod_root *root, int32_t k, wide3 push)
{
    const wide3 held = held_along(block, scratch, k);
    const coif_simd borne = dot3(held, push);
    coif_simd *press = &states_of(block)[k].press;
    *press = coif_simd_max(*press - borne * root->rate2, coif_simd_all(0.0f));
    return sub3(push, scale3(held, borne));
}

// Tip to root; points move as soon as both their segments are known. Strands that are not wrong
// keep every bit.
static inline void move_points(const coif_strand_block *block, coif_solver_scratch *scratch,
                               const rod_root *root, coif_simd_mask wrong, bool pressed)
{
    rod_link *link = links_of(scratch);
    rod_state *state = states_of(block);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd zero = coif_simd_all(0.0f);
    const int32_t last = block->length - 1;
    coif_simd lambda = zero;
    wide3 pull = {0}; // of the segment after the point
    for (int32_t k = last - 1; k >= 0; --k) {
        coif_simd right = link[k].right;
        if (k + 1 < last) {
            right -= link[k + 1].side * lambda;
        }
        lambda = coif_simd_select(wrong, right * link[k].inverse, zero);
        state[k].tension += lambda * root->rate2;
        const wide3 own = scale3(link[k].frame.t, lambda);
        wide3 push = sub3(pull, own);
        if (pressed) {
            push = bear(block, scratch, root, k + 1, push);
        }
        link[k + 1].way = add3(link[k + 1].way, scale3(push, w[k + 1]));
        pull = own;
    }
    if (pressed) {
        pull = bear(block, scratch, root, 0, pull);
    }
    link[0].way = add3(link[0].way, scale3(pull, w[0]));
}

// Whether some strand lies on a body. What no body presses against does not begin to be pressed by
// lengths.
static inline bool is_pressed(const coif_strand_block *block, const coif_solver_scratch *scratch)
{
    coif_simd_mask pressed = {0};
    for (int32_t k = scratch->contact_begin; scratch->has_contacts && k < scratch->contact_end;
         ++k) {
        pressed |= states_of(block)[k].press > 0.0f;
    }
    return any_of(pressed);
}

// Whether the segment d is wrong by more than 0.005 percent of the mean. Without a root, as every
// segment is asked.
static inline coif_simd_mask is_wrong(const coif_strand_block *block, int32_t k, wide3 d,
                                      coif_simd most)
{
    const coif_simd rest = ((const coif_simd *)block->rest_length)[k];
    const coif_simd longest = rest + most;
    const coif_simd shortest = coif_simd_max(rest - most, coif_simd_all(0.0f));
    const coif_simd length2 = dot3(d, d);
    return ((length2 > longest * longest) | (length2 < shortest * shortest)) &
           (((const coif_simd *)block->inv_mass)[k + 1] > 0.0f);
}

static inline coif_simd most_wrong(const coif_strand_block *block)
{
    return 0.0025f / lane_of(block)->steepest;
}

static inline coif_simd_mask wrong_strands(const coif_strand_block *block, const rod_link *link)
{
    const coif_simd most = most_wrong(block);
    coif_simd_mask wrong = {0};
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        wrong |= is_wrong(block, k, segment_now(block, link, k), most);
    }
    return wrong;
}

// A strand whose root is torn about by many segments at once may still be far off. What is wrong is
// put right from root to tip, whatever it weighs.
static void put_right(const coif_strand_block *block, rod_link *link)
{
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd most = most_wrong(block);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const wide3 d = segment_now(block, link, k);
        const coif_simd_mask wrong = is_wrong(block, k, d, most);
        const coif_simd length = coif_simd_sqrt(dot3(d, d));
        const wide3 less = scale3(d, (length - rest[k]) / (length + ROD_TINY));
        link[k + 1].way = select3(wrong, sub3(link[k + 1].way, less), link[k + 1].way);
    }
}

void COIF_SIMD(coif_der_lengths)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                 const rod_root *root)
{
    rod_link *link = links_of(scratch);
    const coif_simd_mask all = coif_simd_all(0.0f) == 0.0f;
    const bool pressed = is_pressed(block, scratch);
    for (int newton = 0; newton < NEWTON_STEPS; ++newton) {
        eliminate(block, scratch, pressed);
        move_points(block, scratch, root, all, pressed);
    }
    coif_simd_mask wrong = wrong_strands(block, link);
    for (int newton = 0; newton < MORE_STEPS && any_of(wrong); ++newton) {
        eliminate(block, scratch, pressed);
        move_points(block, scratch, root, wrong, pressed);
        wrong = wrong_strands(block, link);
    }
    if (any_of(wrong)) {
        put_right(block, link);
    }
}

void COIF_SIMD(coif_der_lengths_again)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const rod_root *root, coif_simd_mask *which)
{
    *which &= wrong_strands(block, links_of(scratch));
    if (any_of(*which)) {
        const bool pressed = is_pressed(block, scratch);
        eliminate(block, scratch, pressed);
        move_points(block, scratch, root, *which, pressed);
    }
}
