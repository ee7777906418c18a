// rod, band: one Gauss-Newton step on inertia, bending, twist and stretch of a whole strand.
// Compiled once per vector width.
//
// A joint ties three points, so the matrix has blocks of 3 x 3 in a band of two to each side. It is
// factored from the tip to the root: what is left of a clamped hair is always held fast, so no
// pivot comes near zero, whereas from root to tip the last ones would be differences of large
// numbers. Rows are made and eliminated on the way; only what the way back needs is kept.
#include "sim/rod_press.h"
#include "sim/rod_strain.h"

typedef struct symmetric {
    coif_wide xx, xy, xz, yy, yz, zz;
} symmetric;

typedef struct matrix {
    wide3 column[3];
} matrix;

// The part of the matrix that is being worked on: points k + 1, k and k - 1 are numbers 2, 1, 0.
typedef struct window {
    symmetric d2, d1, d0;
    matrix d21, d20, d10;          // rows of the first, columns of the second
    wide3 r2, r1, r0;              // right side
    coif_wide size2, size1, size0; // of what was added to the diagonal
} window;

static inline void add_outer(symmetric *s, wide3 a, wide3 b)
{
    s->xx += a.x * b.x;
    s->xy += a.x * b.y;
    s->xz += a.x * b.z;
    s->yy += a.y * b.y;
    s->yz += a.y * b.z;
    s->zz += a.z * b.z;
}

static inline void add_symmetric(symmetric *s, const symmetric *a)
{
    s->xx += a->xx;
    s->xy += a->xy;
    s->xz += a->xz;
    s->yy += a->yy;
    s->yz += a->yz;
    s->zz += a->zz;
}

static inline void add_diagonal(symmetric *s, coif_wide a)
{
    s->xx += a;
    s->yy += a;
    s->zz += a;
}

static inline coif_wide trace(const symmetric *s)
{
    return s->xx + s->yy + s->zz;
}

static inline void subtract_from(matrix *m, const symmetric *s)
{
    m->column[0] = sub3(m->column[0], (wide3){s->xx, s->xy, s->xz});
    m->column[1] = sub3(m->column[1], (wide3){s->xy, s->yy, s->yz});
    m->column[2] = sub3(m->column[2], (wide3){s->xz, s->yz, s->zz});
}

static inline void add_columns(matrix *m, wide3 a, wide3 b)
{
    m->column[0] = add3(m->column[0], scale3(a, b.x));
    m->column[1] = add3(m->column[1], scale3(a, b.y));
    m->column[2] = add3(m->column[2], scale3(a, b.z));
}

typedef struct segment {
    const rod_joint *joint;
    coif_wide tension;
    wide3 d;   // from begin to end
    wide3 way; // how d changes if all points keep their velocity
    coif_wide rest;
} segment;

// What bending and twisting the joint does to its three points, -e, e - f and f by strain.
static inline void add_joint(window *w, const rod_strain strains[3])
{
    symmetric ee = {0};
    symmetric ff = {0};
    matrix fe = {0};
    wide3 force_e = {0};
    wide3 force_f = {0};
    for (int i = 0; i < 3; ++i) {
        const wide3 e = strains[i].e;
        const wide3 f = strains[i].f;
        const wide3 stiff_e = scale3(e, strains[i].stiffness);
        const wide3 stiff_f = scale3(f, strains[i].stiffness);
        add_outer(&ee, stiff_e, e);
        add_outer(&ff, stiff_f, f);
        add_columns(&fe, stiff_f, e);
        force_e = add3(force_e, scale3(e, strains[i].moment));
        force_f = add3(force_f, scale3(f, strains[i].moment));
    }
    w->size2 += trace(&ff);
    w->size1 += trace(&ff) + trace(&ee);
    w->size0 += trace(&ee);
    add_symmetric(&w->d2, &ff);
    add_symmetric(&w->d1, &ff);
    add_symmetric(&w->d1, &ee);
    add_symmetric(&w->d0, &ee);
    w->d1.xx -= fe.column[0].x + fe.column[0].x;
    w->d1.yy -= fe.column[1].y + fe.column[1].y;
    w->d1.zz -= fe.column[2].z + fe.column[2].z;
    w->d1.xy -= fe.column[0].y + fe.column[1].x;
    w->d1.xz -= fe.column[0].z + fe.column[2].x;
    w->d1.yz -= fe.column[1].z + fe.column[2].y;
    subtract_from(&w->d21, &ff);
    subtract_from(&w->d10, &ee);
    for (int i = 0; i < 3; ++i) {
        w->d21.column[i] = add3(w->d21.column[i], fe.column[i]);
        w->d10.column[i] = add3(w->d10.column[i], fe.column[i]);
        w->d20.column[i] = sub3(w->d20.column[i], fe.column[i]);
    }
    w->r2 = sub3(w->r2, force_f);
    w->r1 = add3(w->r1, sub3(force_f, force_e));
    w->r0 = add3(w->r0, force_e);
}

// Stretch, with the tension of the last substep to begin from. A taut segment also resists being
// turned; without that a long hair would flutter. A short one is held fast in all directions.
static inline void add_segment(window *w, const segment *own, float k)
{
    const wide3 n = own->joint->t;
    const coif_wide taut = coif_wide_max(own->tension, coif_wide_all(0.0f)) * own->joint->steep;
    const coif_wide_mask collapsed = own->joint->steep == 0.0f;
    const coif_wide across = coif_wide_select(collapsed, coif_wide_all(k), taut);
    symmetric s = {0};
    add_outer(&s, scale3(n, k - across), n);
    add_diagonal(&s, across);
    add_symmetric(&w->d2, &s);
    add_symmetric(&w->d1, &s);
    subtract_from(&w->d21, &s);
    const coif_wide stretch = own->joint->stretch;
    const wide3 astray = sub3(own->d, scale3(n, stretch + own->rest));
    const coif_wide along = k * stretch + own->tension + (k - across) * dot3(n, own->way);
    const wide3 pull = add3(scale3(n, along), scale3(add3(own->way, astray), across));
    w->r2 = sub3(w->r2, pull);
    w->r1 = add3(w->r1, pull);
}

// S = L D L^T of one block. A pivot is never less than the inertia that went into it; where
// rounding of what was added and taken away again might say otherwise, it is held up.
typedef struct pivot {
    coif_wide l21, l31, l32, i1, i2, i3;
} pivot;

static inline pivot pivot_of(const symmetric *s, coif_wide size, float inertia)
{
    const coif_wide floor = coif_wide_max(size * 5e-7f, coif_wide_all(inertia));
    pivot p;
    p.i1 = 1.0f / coif_wide_max(s->xx, floor);
    p.l21 = s->xy * p.i1;
    p.l31 = s->xz * p.i1;
    p.i2 = 1.0f / coif_wide_max(s->yy - p.l21 * s->xy, floor);
    const coif_wide a32 = s->yz - p.l31 * s->xy;
    p.l32 = a32 * p.i2;
    p.i3 = 1.0f / coif_wide_max(s->zz - p.l31 * s->xz - p.l32 * a32, floor);
    return p;
}

static inline wide3 solve(const pivot *p, wide3 b)
{
    const coif_wide y = b.y - p->l21 * b.x;
    const coif_wide z = (b.z - p->l31 * b.x - p->l32 * y) * p->i3;
    const coif_wide y2 = y * p->i2 - p->l32 * z;
    return (wide3){b.x * p->i1 - p->l21 * y2 - p->l31 * z, y2, z};
}

// Joints of very short segments are so stiff against the inertia of a point that a float cannot
// hold both. Beyond that, points are held back by as much as rounding may be wrong: such a hair
// moves as if in honey, but comes to rest where it should.
static inline void hold_back(window *w, wide3 way, float inertia)
{
    const coif_wide hold = coif_wide_max(w->size2 * 1e-7f - 0.1f * inertia, coif_wide_all(0.0f));
    add_diagonal(&w->d2, hold);
    w->r2 = sub3(w->r2, scale3(way, hold));
}

// Takes point 2 out of the window:  D1 -= P^T S^-1 P,  D10 -= P^T S^-1 Q,  D0 -= Q^T S^-1 Q.
static inline void eliminate(window *w, rod_joint *joint, float least)
{
    const pivot s = pivot_of(&w->d2, w->size2, least);
    const wide3 *p = w->d21.column;
    const wide3 *q = w->d20.column;
    wide3 sp[3];
    wide3 sq[3];
    for (int i = 0; i < 3; ++i) {
        sp[i] = solve(&s, p[i]);
        sq[i] = solve(&s, q[i]);
        joint->to_last[i] = sp[i];
        joint->to_second[i] = sq[i];
    }
    const wide3 shift = solve(&s, w->r2);
    joint->shift = shift;

    w->d1.xx -= dot3(p[0], sp[0]);
    w->d1.xy -= dot3(p[0], sp[1]);
    w->d1.xz -= dot3(p[0], sp[2]);
    w->d1.yy -= dot3(p[1], sp[1]);
    w->d1.yz -= dot3(p[1], sp[2]);
    w->d1.zz -= dot3(p[2], sp[2]);
    w->d0.xx -= dot3(q[0], sq[0]);
    w->d0.xy -= dot3(q[0], sq[1]);
    w->d0.xz -= dot3(q[0], sq[2]);
    w->d0.yy -= dot3(q[1], sq[1]);
    w->d0.yz -= dot3(q[1], sq[2]);
    w->d0.zz -= dot3(q[2], sq[2]);
    for (int i = 0; i < 3; ++i) {
        const wide3 less = {dot3(p[0], sq[i]), dot3(p[1], sq[i]), dot3(p[2], sq[i])};
        w->d10.column[i] = sub3(w->d10.column[i], less);
    }
    w->r1 = sub3(w->r1, (wide3){dot3(p[0], shift), dot3(p[1], shift), dot3(p[2], shift)});
    w->r0 = sub3(w->r0, (wide3){dot3(q[0], shift), dot3(q[1], shift), dot3(q[2], shift)});
}

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
    const coif_wide c = coif_varied(all->block, COIF_VARY_DRAG, all->drag, k) /
                        *(const coif_wide *)all->block->mass;
    return (1.0f + all->h * c) / (all->h * all->h);
}

// Inertia pulls a point to where it was predicted. One that is held counts as very heavy.
static inline void add_inertia(symmetric *d, wide3 *r, const rod_motion *all, int32_t k)
{
    const coif_block *block = all->block;
    const coif_wide w = ((const coif_wide *)block->w)[k];
    coif_wide rate2 = all->rate2;
    if (block->vary[COIF_VARY_DRAG] != NULL) {
        rate2 = own_rate2(all, k);
    }
    const coif_wide m = rate2 / coif_wide_max(w, coif_wide_all(1e-12f));
    const wide3 wanted = sub3(load3(all->work->px, all->work->py, all->work->pz, k),
                              load3(block->x, block->y, block->z, k));
    add_diagonal(d, m);
    *r = add3(*r, scale3(sub3(wanted, joints_of(all->work)[k].way), m));
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
    window w = {0};
    add_inertia(&w.d2, &w.r2, all, last);
    add_inertia(&w.d1, &w.r1, all, last - 1);
    for (int32_t k = last - 1; k >= 0; --k) {
        segment before = {0};
        rod_strain strains[3];
        if (k > 0) {
            before = segment_of(all, k - 1);
            add_inertia(&w.d0, &w.r0, all, k - 1);
            strains_of(strains, &joint[k], &point[k], &joint[k - 1]);
        } else {
            strains_of(strains, &joint[k], &point[k], &held);
            strains[0].moment += point[k].bend_stiffness * root->lag.k1;
            strains[1].moment += point[k].bend_stiffness * root->lag.k2;
        }
        coif_wide stiffest = coif_wide_all(stiffer);
        if (lag != NULL) {
            stiffest = 1.0f + (stiffer - 1.0f) * lag[k];
        }
        look_ahead(strains, before.way, own.way, stiffest);
        add_joint(&w, strains);
        add_segment(&w, &own, ROD_STRETCH * rate2);
        hold_back(&w, joint[k + 1].way, rate2);
        eliminate(&w, &joint[k], 0.25f * rate2);
        w = (window){.d2 = w.d1,
                     .d1 = w.d0,
                     .d21 = w.d10,
                     .r2 = w.r1,
                     .r1 = w.r0,
                     .size2 = w.size1,
                     .size1 = w.size0};
        own = before;
    }
    const pivot s = pivot_of(&w.d2, w.size2, 0.25f * rate2);
    return solve(&s, w.r2);
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
    const rod_motion all = {block, work, root->rate2, step->h, step->friction, step->drag};
    const float stiffness = ROD_STRETCH / (step->h * step->h);
    find_ways(&all);
    wide3 second = {0}; // d and g + d of the two points before
    wide3 last = factor(&all, root, step);
    wide3 moved = {0};
    for (int32_t k = 0; k < block->length; ++k) {
        wide3 shift = last;
        if (k > 0) {
            shift = less(less(joint[k - 1].shift, joint[k - 1].to_last, last),
                         joint[k - 1].to_second, second);
            second = last;
        }
        const coif_wide_mask held = ((const coif_wide *)block->w)[k] == 0.0f;
        shift = select3(held, (wide3){0}, shift);
        joint[k].kb = shift; // which has served
        const wide3 way = add3(joint[k].way, shift);
        store3(work->px, work->py, work->pz, k, add3(load3(block->x, block->y, block->z, k), way));
        if (k > 0) {
            // What the spring of the segment pulls with.
            const coif_wide longer = dot3(joint[k - 1].t, sub3(way, moved));
            states_of(block)[k - 1].tension += stiffness * (joint[k - 1].stretch + longer);
        }
        last = shift;
        moved = way;
    }
    remember_presses(&all);
}
