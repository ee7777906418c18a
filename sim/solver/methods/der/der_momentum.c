// rod, free: a strand that nothing holds keeps its momentum and goes on turning. Compiled once per
// vector width.
#include "sim/solver/methods/der/der_mass_matrix.h"

// What is left of the pushes on point k where it is now: none, if it is in balance.
static void push_left(hold *left, const rod_motion *all, int32_t k)
{
    *left = hold_of(all, k);
    if (is_among(&all->borne, k)) {
        const rod_press *press = &presses_of(all->block, all->work)[k];
        const wide3 n = load3(&all->work->contact_normal, k);
        const coif_simd across = (press->stiffness - press->drag) * dot3(n, press->shift);
        left->r = sub3(left->r, add3(scale3(n, across), scale3(press->shift, press->drag)));
    }
}

// What a strand does within itself does not move it as a whole, and pushes on its points add up to
// nothing. What rounding in the solve or holding it back has made of that is put right, where
// nothing holds the strand.
void COIF_SIMD(coif_der_put_back)(const rod_motion *all)
{
    const coif_strand_block *block = all->block;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    coif_simd_mask loose = coif_simd_all(0.0f) == 0.0f;
    hold sum = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        hold own;
        push_left(&own, all, k);
        const coif_simd *from = (const coif_simd *)&own;
        coif_simd *to = (coif_simd *)&sum;
        for (size_t i = 0; i < sizeof own / sizeof *from; ++i) {
            to[i] += from[i];
        }
        loose &= w[k] > 0.0f;
    }
    const pivot d = pivot_of(&sum.d, coif_simd_all(0.0f), 0.25f * all->per_h2);
    const wide3 astray = backward(d.below, d.root, forward(&d, sum.r));
    for (int32_t k = 0; k < block->length; ++k) {
        wide3 *way = &links_of(all->work)[k].way;
        *way = select3(loose, add3(*way, astray), *way);
        if (is_among(&all->near, k)) {
            wide3 *shift = &presses_of(block, all->work)[k].shift;
            *shift = select3(loose, add3(*shift, astray), *shift);
        }
    }
}

// Strands that neither their ends nor bodies hold.
static coif_simd_mask are_free(const rod_motion *all)
{
    const coif_strand_block *block = all->block;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    coif_simd_mask free = coif_simd_all(0.0f) == 0.0f;
    for (int32_t k = 0; k < block->length; ++k) {
        free &= w[k] > 0.0f;
        if (is_among(&all->near, k)) {
            const rod_press *press = &presses_of(block, all->work)[k];
            free &= (press->stiffness == 0.0f) & (press->drag == 0.0f);
            free &= states_of(block)[k].press == 0.0f;
        }
    }
    return free;
}

// Point k, seen from the root.
static inline wide3 from_root(const coif_strand_block *block, int32_t k)
{
    return sub3(load3(&block->pos, k), load3(&block->pos, 0));
}

static wide3 centre_of(const rod_motion *all, coif_simd *mass)
{
    wide3 centre = {0};
    *mass = coif_simd_all(0.0f);
    for (int32_t k = 0; k < all->block->length; ++k) {
        const coif_simd m = inertia_of(all, k);
        centre = add3(centre, scale3(from_root(all->block, k), m));
        *mass += m;
    }
    return scale3(centre, 1.0f / *mass);
}

// An implicit step holds with its forces as they will be and lengths are put right along segments
// as they will be, so both turn the strand: about what it was before they have a moment, and of
// what rotates at omega a substep would take (omega h)^2. Since p x (p - x) = x x (p - x), angular
// momentum after the step is linear in the ways, and a rigid turn about the centre of mass gives it
// back at once:
//
//   way_k += s + o x r_k       I o = sum r_k x m_k (h q_k - way_k)      M s = sum m_k (h q_k -
//   way_k)
//
// with q as predicted. Along a straight strand there is no inertia, so a little is added.
static void turn_back(const rod_motion *all, coif_simd_mask free)
{
    const coif_strand_block *block = all->block;
    coif_simd mass;
    const wide3 centre = centre_of(all, &mass);
    symmetric inertia = {0};
    wide3 push = {0};
    wide3 moment = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        const wide3 r = sub3(from_root(block, k), centre);
        const coif_simd m = inertia_of(all, k);
        const wide3 left = hold_of(all, k).r;
        push = add3(push, left);
        moment = add3(moment, cross3(r, left));
        add_outer(&inertia, scale3(r, -m), r);
        add_diagonal(&inertia, m * dot3(r, r));
    }
    add_diagonal(&inertia, 1e-5f * trace(&inertia) + ROD_TINY * mass);
    const pivot d = pivot_of(&inertia, coif_simd_all(0.0f), 0.0f);
    const wide3 turn = backward(d.below, d.root, forward(&d, moment));
    const wide3 shift = scale3(push, 1.0f / mass);
    for (int32_t k = 0; k < block->length; ++k) {
        wide3 *way = &links_of(all->work)[k].way;
        const wide3 r = sub3(from_root(block, k), centre);
        const wide3 back = add3(shift, cross3(turn, r));
        *way = select3(free, add3(*way, back), *way);
    }
}

// A turn of what has moved by w makes segments longer by w^2 of its own angle; where that is too
// much, lengths are put right once more, and have the last word.
enum { MOST_TURNS = 6, MOST_ROUNDS = 10 };

void COIF_SIMD(coif_der_turn_back)(const rod_motion *all, const rod_root *root)
{
    coif_simd_mask turning = are_free(all);
    for (int i = 0; i < MOST_ROUNDS && any_of(turning); ++i) {
        if (i < MOST_TURNS) {
            turn_back(all, turning);
        }
        COIF_SIMD(coif_der_lengths_again)(all->block, all->work, root, &turning);
    }
}
