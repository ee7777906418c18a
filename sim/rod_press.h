// rod_press: points that lie on a body, within the implicit step.
//
// If the step knew nothing of bodies, contacts would have to undo a part of it in every substep,
// and hair at rest on a head would chatter. So a point that rests on the plane of its contact, or
// is about to pass it, is held there by a spring and the press of the last substep:
//
//   force = press - k gap > 0       gap = n . p - offset
//
// the augmented Lagrangian of C(p) >= 0. A point that is drawn off loses its press and is free; one
// that only trembles is not drawn off, or a long strand would bounce on what it lies on for ever.
//
// Friction is a drag of mu press / (way along the surface), which is Coulomb's force if the way is
// right. For a point that its own weight and motion keep sliding the way is known beforehand, and
// nothing is put right afterwards: done point by point that would set stiff strands trembling until
// they stick, beyond the friction angle. For others the way of the last substep is taken, and a
// tiny one for points that stick: a very stiff drag. Where that comes out as too much or too
// little, because the point gets faster or slower, it is put right afterwards.
#ifndef COIF_SIM_ROD_PRESS_H
#define COIF_SIM_ROD_PRESS_H

#include "sim/constraints.h"
#include "sim/rod_wide.h"

// Stiffness of a contact times h^2 / m: a strand as heavy as a hundred points may hang on one. And
// the way per substep below which a point sticks, metres.
#define ROD_CONTACT 1000.0f
#define ROD_STUCK   2e-6f

// Share of the press that is sure to be there, and how many times its slip a point may slide on.
#define ROD_STEADY 0.99f
#define ROD_FASTER 3.0f

typedef struct rod_motion {
    const coif_block *block;
    coif_work *work;
    coif_wide rate2;        // see rod_root
    float h, per_h, per_h2; // 1 / h and 1 / h^2
    float friction, drag;
    float still;      // way off a body in a substep that is no leaving, metres
    bool cylindrical; // see air.h
} rod_motion;

typedef struct rod_press {
    wide3 n;
    coif_wide gap;
    coif_wide force; // press of the last substep
    coif_wide stiffness, drag;
    coif_wide grip;      // coefficient of friction
    wide3 slip;          // way along the surface
    coif_wide likely;    // how long that is, at least
    coif_wide_mask runs; // it slides on of its own accord
} rod_press;

static inline wide3 along3(wide3 a, wide3 n)
{
    return sub3(a, scale3(n, dot3(a, n)));
}

// How much the prediction wants to change the way of a point. Not taken from the predicted places,
// which are rounded.
static inline wide3 predicted_change(const rod_motion *all, int32_t k)
{
    const coif_work *work = all->work;
    const wide3 q = load3(work->qx, work->qy, work->qz, k);
    const coif_wide_mask held = ((const coif_wide *)all->block->w)[k] == 0.0f;
    const wide3 change = sub3(scale3(q, coif_wide_all(all->h)), links_of(work)[k].way);
    return select3(held, (wide3){0}, change);
}

// The longest slip of a point and its neighbours, squared: where one moves, so will the others.
// Ways are those of the last substep, also while the step's are being found.
static inline coif_wide slip_around2(const rod_motion *all, int32_t k, const rod_press *press)
{
    const coif_work *work = all->work;
    const wide3 surface = load3(work->sx, work->sy, work->sz, k);
    coif_wide most = dot3(press->slip, press->slip);
    for (int32_t beside = k > 0 ? k - 1 : 1; beside <= k + 1 && beside < all->block->length;
         beside += 2) {
        const wide3 slip = along3(sub3(links_of(work)[beside].way, surface), press->n);
        most = coif_wide_max(most, dot3(slip, slip));
    }
    return most;
}

static inline rod_press press_of(const rod_motion *all, int32_t k)
{
    const coif_block *block = all->block;
    const coif_work *work = all->work;
    const coif_wide zero = coif_wide_all(0.0f);
    const wide3 way = links_of(work)[k].way;
    rod_press press = {.n = load3(work->nx, work->ny, work->nz, k)};
    press.gap = dot3(press.n, add3(load3(block->x, block->y, block->z, k), way)) -
                ((const coif_wide *)work->offset)[k];
    const coif_wide stiffness = ROD_CONTACT * all->rate2;
    const coif_wide force = states_of(block)[k].press;
    const coif_wide_mask active =
        ((force > stiffness * press.gap) | ((force > 0.0f) & (press.gap < all->still))) &
        (dot3(press.n, press.n) > 0.5f) & (((const coif_wide *)block->w)[k] > 0.0f);
    press.force = coif_wide_select(active, force, zero);
    press.stiffness = coif_wide_select(active, stiffness, zero);
    press.slip = along3(sub3(way, load3(work->sx, work->sy, work->sz, k)), press.n);
    press.grip = coif_varied(block, COIF_VARY_FRICTION, all->friction, k);
    const coif_wide length = coif_wide_sqrt(dot3(press.slip, press.slip));
    press.likely = coif_wide_max(length, coif_wide_all(ROD_STUCK));
    // As it would go on by itself: the way it wants to go less what friction takes of it.
    const wide3 wanted = add3(press.slip, along3(predicted_change(all, k), press.n));
    const coif_wide taken =
        press.grip * press.force * ((const coif_wide *)block->w)[k] / all->rate2;
    const coif_wide alone = coif_wide_sqrt(dot3(wanted, wanted)) - taken;
    const coif_wide around = coif_wide_sqrt(slip_around2(all, k, &press));
    press.runs = active & (around > ROD_STUCK) & (alone > ROD_STUCK);
    press.likely =
        coif_wide_select(press.runs, coif_wide_min(alone, ROD_FASTER * around), press.likely);
    press.drag = press.grip * press.force / press.likely;
    return press;
}

// The press for the next substep, given how much the step changed the way of each point. A
// point that passes its plane unheld, contacts will stop; that much press is to be expected.
//
// And friction is put right. What it has not yet used of its press counts as a push of contacts, so
// that a point that may stick is held wholly, from the first substep on; but for a little, as press
// is never quite steady. One that was held by too much slides on, at most to some times of its slip
// before: gives the changed shift.
static inline wide3 remember_press(const rod_motion *all, int32_t k, wide3 shift)
{
    const coif_wide tiny = coif_wide_all(ROD_TINY);
    const coif_wide zero = coif_wide_all(0.0f);
    coif_wide *press = &states_of(all->block)[k].press;
    const rod_press before = press_of(all, k);
    const coif_wide_mask active = before.stiffness > 0.0f;
    const coif_wide per_force = ((const coif_wide *)all->block->w)[k] / all->rate2;
    const coif_wide gap = before.gap + dot3(before.n, shift);
    const coif_wide unheld = coif_wide_select(per_force > 0.0f, -gap / (per_force + tiny), zero);
    *press = coif_wide_max(coif_wide_select(active, before.force - before.stiffness * gap, unheld),
                           zero);
    const wide3 slip = add3(before.slip, along3(shift, before.n));
    const coif_wide length = coif_wide_sqrt(dot3(slip, slip));
    const coif_wide used = before.drag * length / coif_wide_max(before.grip, tiny);
    const coif_wide left = coif_wide_max(ROD_STEADY * *press - used, zero) * per_force;
    ((coif_wide *)all->work->push)[k] += coif_wide_select(active & ~before.runs, left, zero);
    const coif_wide surplus = used - coif_wide_max(*press, before.force);
    const coif_wide most = ROD_FASTER * before.likely;
    const coif_wide on =
        coif_wide_min(coif_wide_max(surplus, zero) * before.grip * per_force, most);
    const coif_wide_mask slides = active & ~before.runs & (before.likely > ROD_STUCK);
    return select3(slides, add3(shift, scale3(slip, on / (length + tiny))), shift);
}

#endif
