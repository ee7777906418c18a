// rod, band: one Gauss-Newton step on inertia, bending, twist and stretch of a whole strand.
// Compiled once per vector width.
//
// The matrix is a band, see rod_window.h. It is factored from the tip to the root: what is left of
// a clamped hair is always held fast, so no pivot comes near zero, whereas from root to tip the
// last ones would be differences of large numbers. Rows are made and eliminated on the way; only
// what the way back needs is kept.
#include "sim/solver/methods/der/der_mass_matrix.h"

// By what damping makes a joint stiffer: the root of that, and 1 / it.
typedef struct damping {
    coif_simd more, less;
} damping;

static inline damping damping_of(coif_simd stiffer)
{
    const coif_simd more = coif_simd_sqrt(stiffer);
    return (damping){more, 1.0f / more};
}

// The strains of a joint, weighed by the roots of their stiffness, and their moments as they will
// be on the way that its segments go, as far as that is linear. Damping of bending makes joints
// stiffer against any change, but not against what they are bent by now.
ROD_INLINE void resist(rod_strain strains[3], const rod_link *link, const rod_point *point,
                       const rod_side *before, const rod_side *after, const damping *own)
{
    const rod_bend bend = link->bend;
    const rod_curve k = curve_of(&bend);
    const coif_simd root[3] = {point->bend_root1 * own->more, point->bend_root2 * own->more,
                               point->twist_root};
    strains_of(strains, &bend, before, after, root);
    strains[0].moment = point->bend_root1 * own->less * (bend.angle * k.k1 - point->curve1);
    strains[1].moment = point->bend_root2 * own->less * (bend.angle * k.k2 - point->curve2);
    strains[2].moment = point->twist_root * (bend.twist - point->twist);
}

ROD_INLINE void look_ahead(rod_strain strains[3], wide3 way_e, wide3 way_f)
{
    for (int i = 0; i < 3; ++i) {
        strains[i].moment += dot3(strains[i].e, way_e) + dot3(strains[i].f, way_f);
    }
}

// Joints of very short segments are so stiff against the inertia of a point that a float cannot
// hold both. Beyond that, points are held back by as much as rounding may be wrong: such a hair
// moves as if in honey, but comes to rest where it should. Size counts what the joint does.
ROD_INLINE void hold_back(hold *own, coif_simd size, wide3 way, float inertia)
{
    const coif_simd more = coif_simd_max(size * 2e-7f - 0.1f * inertia, coif_simd_all(0.0f));
    add_diagonal(&own->d, more);
    own->r = sub3(own->r, scale3(way, more));
}

// See rod_window.h.
ROD_INLINE segment segment_of(const rod_motion *all, int32_t k, wide3 way, float stiffness)
{
    const coif_strand_block *block = all->block;
    const rod_link *link = &links_of(all->work)[k];
    const coif_simd tension = states_of(block)[k].tension;
    const wide3 t = link->frame.t;
    const wide3 d = sub3(load3(&block->pos, k + 1), load3(&block->pos, k));
    const coif_simd taut = coif_simd_max(tension, coif_simd_all(0.0f)) * link->steep;
    const coif_simd across = coif_simd_select(link->steep == 0.0f, coif_simd_all(stiffness), taut);
    const coif_simd stretch = link->stretch;
    const wide3 astray = sub3(d, scale3(t, stretch + ((const coif_simd *)block->rest_length)[k]));
    const coif_simd along = stiffness * stretch + tension + (stiffness - across) * dot3(t, way);
    segment own = {.t = t, .along = coif_simd_all(stiffness), .across = across};
    own.pull = add3(scale3(t, along), scale3(add3(way, astray), across));
    return own;
}

// What is left after a segment whose end is held: f = -x, in those lanes.
static __attribute__((noinline)) void keep_end(window *w, const window *before, const step_parts *p,
                                               const symmetric *s, const hold *own,
                                               coif_simd_mask held)
{
    const wide3 cx = p->turn_x;
    const wide3 m0 = sub3(before->fx.column[0], scale3(p->turn_f, cx.x));
    const wide3 m1 = sub3(before->fx.column[1], scale3(p->turn_f, cx.y));
    const wide3 m2 = sub3(before->fx.column[2], scale3(p->turn_f, cx.z));
    const wide3 q0 = column_of(p, p->e[0].x, p->e[1].x, p->e[2].x, p->turn_e.x);
    const wide3 q1 = column_of(p, p->e[0].y, p->e[1].y, p->e[2].y, p->turn_e.y);
    const wide3 q2 = column_of(p, p->e[0].z, p->e[1].z, p->e[2].z, p->turn_e.z);
    const wide3 x0 = add3(scale3(p->turn_e, cx.x), (wide3){q0.x, q1.x, q2.x});
    const wide3 x1 = add3(scale3(p->turn_e, cx.y), (wide3){q0.y, q1.y, q2.y});
    const wide3 x2 = add3(scale3(p->turn_e, cx.z), (wide3){q0.z, q1.z, q2.z});
    const symmetric *x = &before->xx;
    window n = {.size = w->size};
    n.xx = (symmetric){.xx = x->xx + own->d.xx - cx.x * cx.x + s->xx - m0.x - m0.x,
                       .xy = x->xy + own->d.xy - cx.x * cx.y + s->xy - m0.y - m1.x,
                       .xz = x->xz + own->d.xz - cx.x * cx.z + s->xz - m0.z - m2.x,
                       .yy = x->yy + own->d.yy - cx.y * cx.y + s->yy - m1.y - m1.y,
                       .yz = x->yz + own->d.yz - cx.y * cx.z + s->yz - m1.z - m2.y,
                       .zz = x->zz + own->d.zz - cx.z * cx.z + s->zz - m2.z - m2.z};
    n.fx.column[0] = sub3((wide3){n.xx.xx, n.xx.xy, n.xx.xz}, x0);
    n.fx.column[1] = sub3((wide3){n.xx.xy, n.xx.yy, n.xx.yz}, x1);
    n.fx.column[2] = sub3((wide3){n.xx.xz, n.xx.yz, n.xx.zz}, x2);
    n.ff = outer_of(p->e, p->e);
    add_outer(&n.ff, negate3(p->turn_e), p->turn_e);
    n.ff.xx += n.fx.column[0].x - x0.x;
    n.ff.xy += n.fx.column[1].x - x0.y;
    n.ff.xz += n.fx.column[2].x - x0.z;
    n.ff.yy += n.fx.column[1].y - x1.y;
    n.ff.yz += n.fx.column[2].y - x1.z;
    n.ff.zz += n.fx.column[2].z - x2.z;
    n.rx = add3(sub3(p->rx, p->rf), own->r);
    n.rf = add3(p->re, n.rx);
    n.turn_x = sub3(p->next_x, p->next_f);
    n.turn_f = add3(p->next_e, n.turn_x);
    n.turn = p->next;
    n.turn_right = p->next_right;
    const coif_simd *from = (const coif_simd *)&n;
    coif_simd *to = (coif_simd *)w;
    for (size_t i = 0; i < sizeof n / sizeof *to; ++i) {
        to[i] = coif_simd_select(held, from[i], to[i]);
    }
}

// Least stiffness against turning of the segment before a joint, see take_turn.
static inline coif_simd least_of(const rod_point *point)
{
    return 1e-5f * point->twist_root * point->twist_root + ROD_TINY;
}

// From tip to root; gives the step of the root. Ends: the tip may be held.
ROD_INLINE wide3 factor(const rod_motion *all, const rod_root *root, const coif_substep *step,
                        bool ends)
{
    const coif_strand_block *block = all->block;
    rod_link *link = links_of(all->work);
    const rod_point *point = points_of(block);
    const float stiffness = ROD_STRETCH * all->per_h2;
    const float rate = step->bending_damping_time / step->h;
    damping damped = damping_of(coif_simd_all(1.0f + rate));
    const coif_simd *lag = (const coif_simd *)block->param_scale[COIF_FIELD_BEND_DAMPING];
    const rod_side clamp = {.frame = root->clamp};
    const int32_t last = block->length - 1;
    coif_simd least_turn = least_of(&point[last - 1]);
    const hold tip = hold_of(all, last);
    window w = {.ff = tip.d, .xx = tip.d, .rf = tip.r, .rx = tip.r};
    w.fx.column[0] = (wide3){tip.d.xx, tip.d.xy, tip.d.xz};
    w.fx.column[1] = (wide3){tip.d.xy, tip.d.yy, tip.d.yz};
    w.fx.column[2] = (wide3){tip.d.xz, tip.d.yz, tip.d.zz};
    wide3 way = sub3(link[last].way, link[last - 1].way);
    rod_side after = {link[last - 1].frame, link[last - 1].steep};
    for (int32_t k = last - 1; k >= 0; --k) {
        rod_side before = clamp;
        wide3 way_before = {0};
        if (k > 0) {
            before = (rod_side){link[k - 1].frame, link[k - 1].steep};
            way_before = sub3(link[k].way, link[k - 1].way);
        }
        if (lag != NULL) {
            damped = damping_of(1.0f + rate * lag[k]);
        }
        rod_strain strains[3];
        resist(strains, &link[k], &point[k], &before, &after, &damped);
        if (k == 0) {
            strains[0].moment += point[k].bend_root1 * damped.less * root->lag.k1;
            strains[1].moment += point[k].bend_root2 * damped.less * root->lag.k2;
        }
        look_ahead(strains, way_before, way);
        coif_simd_mask no_turn = {0};
        if (ends && k == last - 1) {
            no_turn = has_clamped_tip(block);
        }
        step_parts parts;
        take_turn(&parts, &link[k], &w, strains, least_turn, no_turn);
        parts.ff = outer_of(parts.f, parts.f);
        parts.size = dot3(parts.e[0], parts.e[0]) + dot3(parts.e[1], parts.e[1]) +
                     dot3(parts.e[2], parts.e[2]);
        const coif_simd size = w.size + trace(&parts.ff);
        const segment own = segment_of(all, k, way, stiffness);
        parts.rf = sub3(parts.rf, own.pull);
        const symmetric s = segment_ff(&w, &parts, &own);
        const pivot d = pivot_of(&s, size, 0.25f * all->per_h2);
        halves half;
        solve_half(&half, &link[k], &w, &parts, &d);
        hold here = hold_of(all, k);
        hold_back(&here, trace(&parts.ff) + parts.size, link[k].way, all->per_h2);
        if (ends) {
            const window was = w;
            move_on(&w, &parts, &half, &here);
            keep_end(&w, &was, &parts, &s, &here,
                     ((const coif_simd *)block->inv_mass)[k + 1] == 0.0f);
        } else {
            move_on(&w, &parts, &half, &here);
        }
        least_turn = least_of(&point[k]);
        way = way_before;
        after = before;
    }
    const pivot d = pivot_of(&w.xx, coif_simd_all(0.0f), 0.25f * all->per_h2);
    return backward(d.below, d.root, forward(&d, w.rx));
}

// Out of line, so that each has the registers of a whole function.
static __attribute__((noinline)) void factor_free(wide3 *place, const rod_motion *all,
                                                  const rod_root *root, const coif_substep *step)
{
    *place = factor(all, root, step, false);
}

static __attribute__((noinline)) void factor_held(wide3 *place, const rod_motion *all,
                                                  const rod_root *root, const coif_substep *step)
{
    *place = factor(all, root, step, true);
}

// x - M y
static inline wide3 less(wide3 x, const wide3 column[3], wide3 y)
{
    x = sub3(x, scale3(column[0], y.x));
    x = sub3(x, scale3(column[1], y.y));
    return sub3(x, scale3(column[2], y.z));
}

// Most that a director turns in one step, radians.
static const float MOST_TURN = 1.0f;

// The director u turned towards v.
static inline wide3 turned(wide3 u, wide3 v, coif_simd turn)
{
    const coif_simd most = coif_simd_all(MOST_TURN);
    const coif_simd a = coif_simd_max(coif_simd_min(turn, most), -most);
    const coif_simd a2 = a * a;
    const coif_simd cosine = 1.0f - a2 * (0.5f - a2 * (1.0f / 24.0f - a2 * (1.0f / 720.0f)));
    const coif_simd sine =
        a * (1.0f - a2 * (1.0f / 6.0f - a2 * (1.0f / 120.0f - a2 * (1.0f / 5040.0f))));
    return add3(scale3(u, cosine), scale3(v, sine));
}

// The way of a point with what the step changes of it.
static inline void move(const rod_motion *all, int32_t k, wide3 shift)
{
    rod_link *link = &links_of(all->work)[k];
    link->way = add3(link->way, shift);
    if (is_among(&all->near, k)) {
        presses_of(all->block, all->work)[k].shift = shift;
    } else {
        states_of(all->block)[k].press = coif_simd_all(0.0f);
    }
}

// From root to tip: segments and their turns from the place of the root.
static inline void substitute(const rod_motion *all, wide3 place)
{
    const coif_strand_block *block = all->block;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const float stiffness = ROD_STRETCH * all->per_h2;
    rod_link *link = links_of(all->work);
    rod_state *state = states_of(block);
    wide3 x = select3(w[0] == 0.0f, (wide3){0}, place);
    wide3 e = {0};
    coif_simd turn = coif_simd_all(0.0f); // of the segment before
    wide3 way = link[0].way;
    move(all, 0, x);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const rod_link *own = &link[k];
        wide3 f = less(less(own->free, own->by_place, x), own->by_before, e);
        f = backward(own->below, own->root, sub3(f, scale3(own->by_turn, turn)));
        f = select3(w[k + 1] == 0.0f, negate3(x), f);
        turn = own->turn - own->turn_turn * turn - dot3(own->turn_own, f) -
               dot3(own->turn_place, x) - dot3(own->turn_before, e);
        turn *= own->turn_root;
        state[k].u = turned(own->frame.u, own->frame.v, turn);
        // What the spring of the segment pulls with.
        const wide3 next = link[k + 1].way;
        const coif_simd longer = dot3(own->frame.t, add3(sub3(next, way), f));
        state[k].tension += stiffness * (own->stretch + longer);
        x = select3(w[k + 1] == 0.0f, (wide3){0}, add3(x, f));
        e = f;
        way = next;
        move(all, k + 1, x);
    }
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
void COIF_SIMD(coif_der_newton)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                const rod_root *root, const coif_substep *step)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    rod_motion all = motion_of(block, scratch, root, step);
    if (scratch->has_contacts) {
        COIF_SIMD(coif_der_meet)(&all);
    }
    wide3 place;
    if (any_of(w[block->length - 1] == 0.0f)) {
        factor_held(&place, &all, root, step);
    } else {
        factor_free(&place, &all, root, step);
    }
    substitute(&all, place);
    if (any_of(w[0] > 0.0f)) {
        COIF_SIMD(coif_der_put_back)(&all);
    }
    if (scratch->has_contacts) {
        COIF_SIMD(coif_der_rub)(&all);
    }
}
