// rod_window: the part of a rod's banded matrix that is being worked on, as it moves from tip to
// root.
//
// A joint ties three points and the turns of the two segments between them, so the matrix has
// blocks of 3 x 3 in a band of two to each side, and as many turns. Twist has no inertia: a turn is
// taken out as soon as its two joints are known, which leaves the matrix of a rod whose twist is in
// balance at every moment. If turns were frozen during a step instead, a curl could not even rotate
// freely.
#ifndef COIF_SIM_ROD_WINDOW_H
#define COIF_SIM_ROD_WINDOW_H

#include "sim/rod_strain.h"

typedef struct symmetric {
    coif_wide xx, xy, xz, yy, yz, zz;
} symmetric;

typedef struct matrix {
    wide3 column[3];
} matrix;

// A turn against the three points and the turn of the segment before: one row of the matrix.
typedef struct turn_row {
    wide3 c2, c1, c0;
    coif_wide own, before;
    coif_wide right;
} turn_row;

// Points k + 1, k and k - 1 are numbers 2, 1 and 0; the segments between them turn, and turned is
// the segment before.
typedef struct window {
    symmetric d2, d1, d0;
    matrix d21, d20, d10;          // rows of the first, columns of the second
    wide3 r2, r1, r0;              // right side
    coif_wide size2, size1, size0; // of what was added to the diagonal
    turn_row turn, turn_before;    // of the segments from 1 to 2 and from 0 to 1
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

static inline wide3 negate3(wide3 a)
{
    return (wide3){-a.x, -a.y, -a.z};
}

typedef struct segment {
    const rod_joint *joint;
    coif_wide tension;
    wide3 d;   // from begin to end
    wide3 way; // how d changes if all points keep their velocity
    coif_wide rest;
} segment;

// Sums over the three strains of a joint. Written out, since a sum that begins from zero costs an
// addition more.
static inline coif_wide sum_of(const coif_wide a[3], const coif_wide b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline wide3 sum3_of(const wide3 a[3], const coif_wide b[3])
{
    return add3(add3(scale3(a[0], b[0]), scale3(a[1], b[1])), scale3(a[2], b[2]));
}

static inline symmetric outer_of(const wide3 a[3], const wide3 b[3])
{
    return (symmetric){.xx = a[0].x * b[0].x + a[1].x * b[1].x + a[2].x * b[2].x,
                       .xy = a[0].x * b[0].y + a[1].x * b[1].y + a[2].x * b[2].y,
                       .xz = a[0].x * b[0].z + a[1].x * b[1].z + a[2].x * b[2].z,
                       .yy = a[0].y * b[0].y + a[1].y * b[1].y + a[2].y * b[2].y,
                       .yz = a[0].y * b[0].z + a[1].y * b[1].z + a[2].y * b[2].z,
                       .zz = a[0].z * b[0].z + a[1].z * b[1].z + a[2].z * b[2].z};
}

static inline matrix columns_of(const wide3 a[3], const wide3 b[3])
{
    const coif_wide x[3] = {b[0].x, b[1].x, b[2].x};
    const coif_wide y[3] = {b[0].y, b[1].y, b[2].y};
    const coif_wide z[3] = {b[0].z, b[1].z, b[2].z};
    return (matrix){{sum3_of(a, x), sum3_of(a, y), sum3_of(a, z)}};
}

// What bending and twisting the joint does to its three points, -e, e - f and f by strain, and to
// the turns of its segments. Nothing is known yet of point 0 and the turn before it.
static inline void add_joint(window *w, const rod_strain strains[3])
{
    const wide3 e[3] = {strains[0].e, strains[1].e, strains[2].e};
    const wide3 f[3] = {strains[0].f, strains[1].f, strains[2].f};
    const coif_wide stiff[3] = {strains[0].stiffness, strains[1].stiffness, strains[2].stiffness};
    const coif_wide moment[3] = {strains[0].moment, strains[1].moment, strains[2].moment};
    const coif_wide turn_e[3] = {strains[0].turn_e, strains[1].turn_e, strains[2].turn_e};
    const coif_wide turn_f[3] = {strains[0].turn_f, strains[1].turn_f, strains[2].turn_f};
    wide3 stiff_e[3];
    wide3 stiff_f[3];
    coif_wide stiff_turn_e[3];
    coif_wide stiff_turn_f[3];
    for (int i = 0; i < 3; ++i) {
        stiff_e[i] = scale3(e[i], stiff[i]);
        stiff_f[i] = scale3(f[i], stiff[i]);
        stiff_turn_e[i] = stiff[i] * turn_e[i];
        stiff_turn_f[i] = stiff[i] * turn_f[i];
    }
    const symmetric ee = outer_of(stiff_e, e);
    const symmetric ff = outer_of(stiff_f, f);
    const matrix fe = columns_of(stiff_f, e);
    const coif_wide size_e = trace(&ee);
    const coif_wide size_f = trace(&ff);
    w->size2 += size_f;
    w->size1 += size_f + size_e;
    w->size0 = size_e;
    add_symmetric(&w->d2, &ff);
    add_symmetric(&w->d1, &ff);
    add_symmetric(&w->d1, &ee);
    w->d0 = ee;
    w->d1.xx -= fe.column[0].x + fe.column[0].x;
    w->d1.yy -= fe.column[1].y + fe.column[1].y;
    w->d1.zz -= fe.column[2].z + fe.column[2].z;
    w->d1.xy -= fe.column[0].y + fe.column[1].x;
    w->d1.xz -= fe.column[0].z + fe.column[2].x;
    w->d1.yz -= fe.column[1].z + fe.column[2].y;
    subtract_from(&w->d21, &ff);
    w->d10 = fe;
    subtract_from(&w->d10, &ee);
    for (int i = 0; i < 3; ++i) {
        w->d21.column[i] = add3(w->d21.column[i], fe.column[i]);
        w->d20.column[i] = negate3(fe.column[i]);
    }
    const wide3 force_e = sum3_of(e, moment);
    const wide3 force_f = sum3_of(f, moment);
    w->r2 = sub3(w->r2, force_f);
    w->r1 = add3(w->r1, sub3(force_f, force_e));
    w->r0 = force_e;

    const wide3 turned_e = sum3_of(stiff_e, turn_f);
    const wide3 turned_f = sum3_of(stiff_f, turn_f);
    w->turn.c2 = add3(w->turn.c2, turned_f);
    w->turn.c1 = add3(w->turn.c1, sub3(turned_e, turned_f));
    w->turn.c0 = negate3(turned_e);
    w->turn.own += sum_of(stiff_turn_f, turn_f);
    w->turn.before = sum_of(stiff_turn_f, turn_e);
    w->turn.right -= sum_of(moment, turn_f);
    const wide3 before_e = sum3_of(stiff_e, turn_e);
    const wide3 before_f = sum3_of(stiff_f, turn_e);
    w->turn_before = (turn_row){.c2 = before_f,
                                .c1 = sub3(before_e, before_f),
                                .c0 = negate3(before_e),
                                .own = sum_of(stiff_turn_e, turn_e),
                                .right = -sum_of(moment, turn_e)};
}

// Stretch, with the tension of the last substep to begin from. A taut segment also resists being
// turned; without that a long hair would flutter. A short one is held fast in all directions.
static inline void add_segment(window *w, const segment *own, float k)
{
    const wide3 n = own->joint->t;
    const coif_wide taut = coif_wide_max(own->tension, coif_wide_all(0.0f)) * own->joint->steep;
    const coif_wide_mask collapsed = own->joint->steep == 0.0f;
    const coif_wide across = coif_wide_select(collapsed, coif_wide_all(k), taut);
    const wide3 m = scale3(n, k - across);
    const symmetric s = {.xx = m.x * n.x + across,
                         .xy = m.x * n.y,
                         .xz = m.x * n.z,
                         .yy = m.y * n.y + across,
                         .yz = m.y * n.z,
                         .zz = m.z * n.z + across};
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

// L^-1 b, D^-1 of that, and L^-T of that: all three solve S x = b.
static inline wide3 forward(const pivot *p, wide3 b)
{
    const coif_wide y = b.y - p->l21 * b.x;
    return (wide3){b.x, y, b.z - p->l31 * b.x - p->l32 * y};
}

static inline wide3 weigh(const pivot *p, wide3 b)
{
    return (wide3){b.x * p->i1, b.y * p->i2, b.z * p->i3};
}

// With l21, l31 and l32 of the pivot.
static inline wide3 backward(wide3 l, wide3 b)
{
    const coif_wide y = b.y - l.z * b.z;
    return (wide3){b.x - l.x * y - l.y * b.z, y, b.z};
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

static inline void take_outer(symmetric *s, wide3 a, wide3 b)
{
    s->xx -= a.x * b.x;
    s->xy -= a.x * b.y;
    s->xz -= a.x * b.z;
    s->yy -= a.y * b.y;
    s->yz -= a.y * b.z;
    s->zz -= a.z * b.z;
}

static inline void take_columns(matrix *m, wide3 a, wide3 b)
{
    m->column[0] = sub3(m->column[0], scale3(a, b.x));
    m->column[1] = sub3(m->column[1], scale3(a, b.y));
    m->column[2] = sub3(m->column[2], scale3(a, b.z));
}

// Takes the turn of the segment from 1 to 2 out of the window. Least keeps the pivot of a strand
// that may turn as a whole from zero.
static inline void eliminate_turn(window *w, rod_joint *joint, coif_wide least)
{
    const turn_row row = w->turn;
    const coif_wide inverse = 1.0f / coif_wide_max(row.own, least);
    const wide3 c2 = scale3(row.c2, inverse);
    const wide3 c1 = scale3(row.c1, inverse);
    const wide3 c0 = scale3(row.c0, inverse);
    const coif_wide before = row.before * inverse;
    const coif_wide right = row.right * inverse;
    joint->turn2 = c2;
    joint->turn1 = c1;
    joint->turn0 = c0;
    joint->turn_before = before;
    joint->turn = right;
    take_outer(&w->d2, c2, row.c2);
    take_outer(&w->d1, c1, row.c1);
    take_outer(&w->d0, c0, row.c0);
    take_columns(&w->d21, c2, row.c1);
    take_columns(&w->d20, c2, row.c0);
    take_columns(&w->d10, c1, row.c0);
    w->r2 = sub3(w->r2, scale3(row.c2, right));
    w->r1 = sub3(w->r1, scale3(row.c1, right));
    w->r0 = sub3(w->r0, scale3(row.c0, right));
    w->turn_before.c2 = sub3(w->turn_before.c2, scale3(c2, row.before));
    w->turn_before.c1 = sub3(w->turn_before.c1, scale3(c1, row.before));
    w->turn_before.c0 = sub3(w->turn_before.c0, scale3(c0, row.before));
    w->turn_before.own -= before * row.before;
    w->turn_before.right -= before * row.right;
}

// Takes point 2 out of the window, with z the row of the segment before:
//
//   D1 -= P^T S^-1 P,  D10 -= P^T S^-1 Q,  D0 -= Q^T S^-1 Q,  and so on
//
// With S = L D L^T, the first half of the solve is enough for that; what it gives is kept, and the
// other half is left to the way back, once per point.
static inline void eliminate(window *w, rod_joint *joint, float least)
{
    const pivot s = pivot_of(&w->d2, w->size2, least);
    wide3 p[3];
    wide3 q[3];
    wide3 sp[3];
    wide3 sq[3];
    for (int i = 0; i < 3; ++i) {
        p[i] = forward(&s, w->d21.column[i]);
        q[i] = forward(&s, w->d20.column[i]);
        sp[i] = weigh(&s, p[i]);
        sq[i] = weigh(&s, q[i]);
        joint->to_last[i] = sp[i];
        joint->to_second[i] = sq[i];
    }
    const wide3 shift = weigh(&s, forward(&s, w->r2));
    joint->shift = shift;
    joint->pivot = (wide3){s.l21, s.l31, s.l32};

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

    turn_row *row = &w->turn_before;
    const wide3 z = forward(&s, row->c2);
    const wide3 sz = weigh(&s, z);
    joint->to_turn = sz;
    row->c1 = sub3(row->c1, (wide3){dot3(z, sp[0]), dot3(z, sp[1]), dot3(z, sp[2])});
    row->c0 = sub3(row->c0, (wide3){dot3(z, sq[0]), dot3(z, sq[1]), dot3(z, sq[2])});
    row->own -= dot3(z, sz);
    row->right -= dot3(z, shift);
}

#endif
