// rod, band: one Gauss-Newton step on inertia, bending, twist and stretch of a whole strand.
// Compiled once per vector width.
//
// A joint ties three points, so the matrix has blocks of 3 x 3 in a band of two to each side. It is
// factored from the tip to the root: what is left of a clamped hair is always held fast, so no
// pivot comes near zero, whereas from root to tip the last ones would be differences of large
// numbers. Rows are made and eliminated on the way; only what the way back needs is kept.
#include "sim/air.h"
#include "sim/rod_press.h"
#include "sim/rod_window.h"

typedef struct hold {
    symmetric d;
    wide3 r;
} hold;

// What a contact adds. Out of line and through a copy: most blocks have no use for it, and the loop
// around it has no register to spare.
static __attribute__((noinline)) void hold_on_body(hold *both, const rod_motion *all, int32_t k)
{
    const rod_press press = press_of(all, k);
    add_outer(&both->d, scale3(press.n, press.stiffness - press.drag), press.n);
    add_diagonal(&both->d, press.drag);
    both->r = add3(both->r, scale3(press.n, press.force - press.stiffness * press.gap));
    both->r = sub3(both->r, scale3(press.slip, press.drag));
}

// The same as rate2 of the strand, see find_root, for a point with drag of its own.
static __attribute__((noinline)) coif_wide own_rate2(const rod_motion *all, int32_t k)
{
    if (all->cylindrical) {
        const coif_wide across = ((const coif_wide *)all->work->air_across)[k];
        return (1.0f + all->h * across) / (all->h * all->h);
    }
    const coif_wide c = coif_varied(all->block, COIF_VARY_DRAG, all->drag, k) /
                        *(const coif_wide *)all->block->mass;
    return (1.0f + all->h * c) / (all->h * all->h);
}

// Mass of a point, one that is held counts as very heavy.
static inline coif_wide inertia_of(const rod_motion *all, int32_t k)
{
    const coif_wide w = ((const coif_wide *)all->block->w)[k];
    coif_wide rate2 = all->rate2;
    if (all->cylindrical || all->block->vary[COIF_VARY_DRAG] != NULL) {
        rate2 = own_rate2(all, k);
    }
    return rate2 / coif_wide_max(w, coif_wide_all(1e-12f));
}

// Air holds a strand less along itself than across: M (1 + h C), see air.h. Out of line as above.
static __attribute__((noinline)) void slip_along(hold *both, const rod_motion *all, int32_t k,
                                                 wide3 change)
{
    const coif_wide w = ((const coif_wide *)all->block->w)[k];
    const coif_wide less = ((const coif_wide *)all->work->air_across)[k] -
                           ((const coif_wide *)all->work->air_along)[k];
    const wide3 t = coif_air_direction(all->block, k);
    const coif_wide m = coif_wide_select(
        w > 0.0f, less / (all->h * coif_wide_max(w, coif_wide_all(1e-12f))), coif_wide_all(0.0f));
    add_outer(&both->d, scale3(t, -m), t);
    both->r = sub3(both->r, scale3(t, m * dot3(t, change)));
}

// Inertia pulls a point to where it was predicted.
static inline void add_inertia(symmetric *d, wide3 *r, const rod_motion *all, int32_t k)
{
    const coif_wide m = inertia_of(all, k);
    add_diagonal(d, m);
    const wide3 change = predicted_change(all, k);
    *r = add3(*r, scale3(change, m));
    if (all->cylindrical) {
        hold both = {*d, *r};
        slip_along(&both, all, k, change);
        *d = both.d;
        *r = both.r;
    }
    if (all->work->touching) {
        hold both = {*d, *r};
        hold_on_body(&both, all, k);
        *d = both.d;
        *r = both.r;
    }
}

static inline segment segment_of(const rod_motion *all, int32_t k)
{
    const coif_block *block = all->block;
    const rod_joint *joint = &joints_of(all->work)[k];
    return (segment){.joint = joint,
                     .tension = states_of(block)[k].tension,
                     .d = sub3(load3(block->x, block->y, block->z, k + 1),
                               load3(block->x, block->y, block->z, k)),
                     .way = sub3(joint[1].way, joint[0].way),
                     .rest = ((const coif_wide *)block->rest)[k]};
}

// Moments as they will be on that way, as far as that is linear; damping of bending
// makes its joints stiffer against any change.
static inline void look_ahead(rod_strain strains[3], wide3 way_e, wide3 way_f, coif_wide stiffer)
{
    for (int i = 0; i < 3; ++i) {
        strains[i].stiffness *= i < 2 ? stiffer : coif_wide_all(1.0f);
        strains[i].moment +=
            strains[i].stiffness * (dot3(strains[i].e, way_e) + dot3(strains[i].f, way_f));
    }
}

// The last segment of a strand that is clamped at its tip does not turn.
static inline void hold_turn(turn_row *row, coif_wide_mask held)
{
    const wide3 none = {0};
    row->c2 = select3(held, none, row->c2);
    row->c1 = select3(held, none, row->c1);
    row->c0 = select3(held, none, row->c0);
    row->own = coif_wide_select(held, coif_wide_all(1.0f), row->own);
    row->before = coif_wide_select(held, none.x, row->before);
    row->right = coif_wide_select(held, none.x, row->right);
}

// One point towards the root.
static inline void move_on(window *w)
{
    w->d2 = w->d1;
    w->d1 = w->d0;
    w->d21 = w->d10;
    w->r2 = w->r1;
    w->r1 = w->r0;
    w->size2 = w->size1;
    w->size1 = w->size0;
    w->turn.c2 = w->turn_before.c1;
    w->turn.c1 = w->turn_before.c0;
    w->turn.own = w->turn_before.own;
    w->turn.right = w->turn_before.right;
}

// From tip to root; gives the step of the root.
static inline wide3 factor(const rod_motion *all, const rod_root *root, const coif_substep *step)
{
    rod_joint *joint = joints_of(all->work);
    const rod_point *point = points_of(all->block);
    const float rate2 = 1.0f / (step->h * step->h);
    const float stiffer = 1.0f + step->bend_damping / step->h;
    const coif_wide *lag = (const coif_wide *)all->block->vary[COIF_VARY_BEND_DAMPING];
    const rod_joint held = {.t = root->clamp.t, .u = root->clamp.u, .v = root->clamp.v};
    const int32_t last = all->block->length - 1;
    segment own = segment_of(all, last - 1);
    coif_wide least_turn = 1e-5f * point[last - 1].twist_stiffness + ROD_TINY;
    window w = {0};
    add_inertia(&w.d2, &w.r2, all, last);
    add_inertia(&w.d1, &w.r1, all, last - 1);
    for (int32_t k = last - 1; k >= 0; --k) {
        segment before = {0};
        rod_strain strains[3];
        if (k > 0) {
            before = segment_of(all, k - 1);
            strains_of(strains, &joint[k], &point[k], &joint[k - 1]);
        } else {
            strains_of(strains, &joint[k], &point[k], &held);
            strains[0].moment += point[k].bend_stiffness1 * root->lag.k1;
            strains[1].moment += point[k].bend_stiffness2 * root->lag.k2;
        }
        coif_wide stiffest = coif_wide_all(stiffer);
        if (lag != NULL) {
            stiffest = 1.0f + (stiffer - 1.0f) * lag[k];
        }
        look_ahead(strains, before.way, own.way, stiffest);
        add_joint(&w, strains);
        if (k > 0) {
            add_inertia(&w.d0, &w.r0, all, k - 1);
        }
        if (k == last - 1) {
            hold_turn(&w.turn, has_clamped_tip(all->block));
        }
        add_segment(&w, &own, ROD_STRETCH * rate2);
        hold_back(&w, joint[k + 1].way, rate2);
        eliminate_turn(&w, &joint[k], least_turn);
        eliminate(&w, &joint[k], 0.25f * rate2);
        least_turn = 1e-5f * point[k].twist_stiffness + ROD_TINY;
        move_on(&w);
        own = before;
    }
    const pivot s = pivot_of(&w.d2, w.size2, 0.25f * rate2);
    return backward((wide3){s.l21, s.l31, s.l32}, weigh(&s, forward(&s, w.r2)));
}

// Where points would go with the velocity they have; those that are held, where they must.
static inline void find_ways(const rod_motion *all)
{
    const coif_block *block = all->block;
    const coif_work *work = all->work;
    for (int32_t k = 0; k < block->length; ++k) {
        const wide3 wanted =
            sub3(load3(work->px, work->py, work->pz, k), load3(block->x, block->y, block->z, k));
        const wide3 v = load3(block->vx, block->vy, block->vz, k);
        const coif_wide_mask held = ((const coif_wide *)block->w)[k] == 0.0f;
        joints_of(work)[k].way = select3(held, wanted, scale3(v, coif_wide_all(all->h)));
    }
}

// x - M y
static inline wide3 less(wide3 x, const wide3 column[3], wide3 y)
{
    x = sub3(x, scale3(column[0], y.x));
    x = sub3(x, scale3(column[1], y.y));
    return sub3(x, scale3(column[2], y.z));
}

// Strands that nothing holds and nothing touches.
static coif_wide_mask free_strands(const rod_motion *all)
{
    const coif_wide *w = (const coif_wide *)all->block->w;
    coif_wide_mask loose = coif_wide_all(0.0f) == 0.0f;
    for (int32_t k = 0; k < all->block->length; ++k) {
        loose &= w[k] > 0.0f;
        if (all->work->touching) {
            const wide3 n = load3(all->work->nx, all->work->ny, all->work->nz, k);
            loose &= dot3(n, n) == 0.0f;
        }
    }
    return loose;
}

// What a strand does within itself does not move it as a whole: the sum of m d is that of the
// prediction, and what rounding makes of it in the solve is taken back.
static __attribute__((noinline)) void keep_momentum(const rod_motion *all, coif_wide_mask loose)
{
    const coif_block *block = all->block;
    rod_joint *joint = joints_of(all->work);
    coif_wide mass = coif_wide_all(0.0f);
    wide3 astray = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        const coif_wide m = inertia_of(all, k);
        const wide3 more = sub3(joint[k].kb, predicted_change(all, k));
        astray = add3(astray, scale3(more, m));
        mass += m;
    }
    astray = scale3(astray, 1.0f / mass);
    for (int32_t k = 0; k < block->length; ++k) {
        joint[k].kb = select3(loose, sub3(joint[k].kb, astray), joint[k].kb);
    }
}

// Most that a director turns in one step, radians.
static const float MOST_TURN = 1.0f;

// The director u turned towards v.
static inline wide3 turned(wide3 u, wide3 v, coif_wide turn)
{
    const coif_wide most = coif_wide_all(MOST_TURN);
    const coif_wide a = coif_wide_max(coif_wide_min(turn, most), -most);
    const coif_wide a2 = a * a;
    const coif_wide cosine = 1.0f - a2 * (0.5f - a2 * (1.0f / 24.0f - a2 * (1.0f / 720.0f)));
    const coif_wide sine =
        a * (1.0f - a2 * (1.0f / 6.0f - a2 * (1.0f / 120.0f - a2 * (1.0f / 5040.0f))));
    return add3(scale3(u, cosine), scale3(v, sine));
}

// With energy and its derivatives at the points x where the last substep ended, p predicted, and
// g = h v,
//
//   (M / h^2 + K) d = M (p - x - g) / h^2 - grad E - K g        p = x + g + d
//
// is an implicit Euler step with one Newton step from x. Where a strand is at rest it stays,
// whatever h is. Written as a change d of the way g, so that rounding spoils only that, and not the
// motion of a strand as a whole. K includes Rayleigh damping of bending by its factor 1 + beta / h;
// at the root that acts on the way relative to the clamp.
void COIF_WIDE(coif_rod_newton)(const coif_block *block, coif_work *work, const rod_root *root,
                                const coif_substep *step)
{
    rod_joint *joint = joints_of(work);
    const rod_motion all = {block,
                            work,
                            root->rate2,
                            step->h,
                            step->friction,
                            step->drag,
                            2.0f * coif_length(step->gravity) * step->h * step->h,
                            coif_air_is_cylindrical(step)};
    const float stiffness = ROD_STRETCH / (step->h * step->h);
    find_ways(&all);
    wide3 second = {0}; // d and g + d of the two points before
    wide3 last = factor(&all, root, step);
    wide3 moved = {0};
    coif_wide turn = coif_wide_all(0.0f); // of the segment before
    for (int32_t k = 0; k < block->length; ++k) {
        wide3 shift = last;
        if (k > 0) {
            const rod_joint *own = &joint[k - 1];
            shift = less(less(own->shift, own->to_last, last), own->to_second, second);
            shift = backward(own->pivot, sub3(shift, scale3(own->to_turn, turn)));
        }
        const coif_wide_mask held = ((const coif_wide *)block->w)[k] == 0.0f;
        shift = select3(held, (wide3){0}, shift);
        const wide3 way = add3(joint[k].way, shift);
        if (k > 0) {
            rod_joint *own = &joint[k - 1];
            turn = own->turn - own->turn_before * turn - dot3(own->turn2, shift) -
                   dot3(own->turn1, last) - dot3(own->turn0, second);
            states_of(block)[k - 1].u = turned(own->u, own->v, turn);
            // What the spring of the segment pulls with.
            const coif_wide longer = dot3(own->t, sub3(way, moved));
            states_of(block)[k - 1].tension += stiffness * (own->stretch + longer);
            second = last;
        }
        joint[k].kb = shift; // which has served
        last = shift;
        moved = way;
    }
    remember_presses(&all);
    if (any_of(((const coif_wide *)block->w)[0] > 0.0f)) {
        keep_momentum(&all, free_strands(&all));
    }
    for (int32_t k = 0; k < block->length; ++k) {
        joint[k].way = add3(joint[k].way, joint[k].kb);
    }
}
