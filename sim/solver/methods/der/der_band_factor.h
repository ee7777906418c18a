// rod_window: the part of a rod's banded matrix that is being worked on, as it moves from tip to
// root.
//
// A joint ties two segments: three points, and the turns of the segments about themselves. Unknowns
// are how far each segment's end goes ahead of its begin, f, and its turn; the place of a segment's
// begin, x, is that of the segment before it plus f there. What joints do is then all in f, and
// what the strand after a point weighs all in x: in terms of points instead, inertia would be the
// small difference of large stiffnesses, and every stiffness would have to be added in four places.
//
// Twist has no inertia: a turn is taken out as soon as its two joints are known, which leaves the
// matrix of a rod whose twist is in balance at every moment. If turns were frozen during a step
// instead, a curl could not even rotate freely.
//
// There are far more numbers here than registers, and what costs time is to put them away. So each
// entry is worked out in one go.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_BAND_FACTOR_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_BAND_FACTOR_H

#include "sim/solver/methods/der/der_strain.h"

// What the loop of the factorisation consists of; through calls, all of it would go by memory.
#define ROD_INLINE static inline __attribute__((always_inline))

typedef struct symmetric {
    coif_simd xx, xy, xz, yy, yz, zz;
} symmetric;

typedef struct matrix {
    wide3 column[3];
} matrix;

// What is left of the strand after a point, once all further is solved for: a segment f, the place
// x of its begin, and the turn of the segment.
typedef struct window {
    symmetric ff, xx;
    matrix fx;      // rows of f, columns of x
    wide3 rf, rx;   // right side
    coif_simd size; // of what joints added to ff
    wide3 turn_f, turn_x;
    coif_simd turn, turn_right;
} window;

// What holds a point: inertia, air and bodies.
typedef struct hold {
    symmetric d;
    wide3 r;
} hold;

static inline void add_outer(symmetric *s, wide3 a, wide3 b)
{
    s->xx += a.x * b.x;
    s->xy += a.x * b.y;
    s->xz += a.x * b.z;
    s->yy += a.y * b.y;
    s->yz += a.y * b.z;
    s->zz += a.z * b.z;
}

static inline void add_diagonal(symmetric *s, coif_simd a)
{
    s->xx += a;
    s->yy += a;
    s->zz += a;
}

static inline coif_simd trace(const symmetric *s)
{
    return s->xx + s->yy + s->zz;
}

static inline wide3 negate3(wide3 a)
{
    return (wide3){-a.x, -a.y, -a.z};
}

// Sums over the three strains of a joint. Written out, since a sum that begins from zero costs an
// addition more.
static inline coif_simd sum_of(const coif_simd a[3], const coif_simd b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline wide3 sum3_of(const wide3 a[3], const coif_simd b[3])
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

// S = L D L^T of one block. A pivot is never less than the inertia that went into it; where
// rounding of what was added and taken away again might say otherwise, it is held up.
typedef struct pivot {
    wide3 below; // l21, l31, l32
    wide3 root;  // of 1 / D
} pivot;

// The second is the minor xx yy - xy^2 over the first, so that neither waits for the other.
static inline pivot pivot_of(const symmetric *s, coif_simd size, float inertia)
{
    const coif_simd floor = coif_simd_max(size * 5e-7f, coif_simd_all(inertia));
    const coif_simd d1 = coif_simd_max(s->xx, floor);
    const coif_simd minor = coif_simd_max(d1 * s->yy - s->xy * s->xy, d1 * floor);
    const coif_simd i1 = 1.0f / d1;
    const coif_simd i2 = d1 / minor;
    const coif_simd l21 = s->xy * i1;
    const coif_simd l31 = s->xz * i1;
    const coif_simd a32 = s->yz - l31 * s->xy;
    const coif_simd l32 = a32 * i2;
    const coif_simd i3 = 1.0f / coif_simd_max(s->zz - l31 * s->xz - l32 * a32, floor);
    return (pivot){{l21, l31, l32}, {coif_simd_sqrt(i1), coif_simd_sqrt(i2), coif_simd_sqrt(i3)}};
}

// D^-1/2 L^-1 b, and L^-T D^-1/2 of that: both solve S x = b.
static inline wide3 forward(const pivot *p, wide3 b)
{
    const coif_simd y = b.y - p->below.x * b.x;
    const coif_simd z = b.z - p->below.y * b.x - p->below.z * y;
    return (wide3){b.x * p->root.x, y * p->root.y, z * p->root.z};
}

static inline wide3 backward(wide3 below, wide3 root, wide3 b)
{
    const coif_simd z = b.z * root.z;
    const coif_simd y = b.y * root.y - below.z * z;
    return (wide3){b.x * root.x - below.x * y - below.y * z, y, z};
}

// A joint, its segments and the turn of the one after it: all that a step of the window adds and
// takes out. E is the segment before. Strains are weighed by the root of their stiffness and rows
// by that of their pivot, so that products are of one set of numbers and not of two.
typedef struct step_parts {
    wide3 e[3], f[3];
    symmetric ff;   // the sum of f f, for its trace
    coif_simd size; // the trace of the sum of e e
    wide3 rf, rx, re;
    wide3 turn_f, turn_x, turn_e; // row of the turn that is taken out
    wide3 next_f, next_x, next_e; // row of the turn of the segment before
    coif_simd next, next_right;
} step_parts;

// What bending and twisting the joint does to both segments and their turns; the turn of the
// segment after it is taken out. Least keeps the pivot of a strand that may turn as a whole from
// zero; where turns are held they stay zero.
ROD_INLINE void take_turn(step_parts *p, rod_link *link, const window *w,
                          const rod_strain strains[3], coif_simd least, coif_simd_mask held)
{
    const coif_simd moment[3] = {strains[0].moment, strains[1].moment, strains[2].moment};
    const coif_simd turn_e[3] = {strains[0].turn_e, strains[1].turn_e, strains[2].turn_e};
    const coif_simd turn_f[3] = {strains[0].turn_f, strains[1].turn_f, strains[2].turn_f};
    const coif_simd own = w->turn + sum_of(turn_f, turn_f);
    const coif_simd inverse =
        coif_simd_select(held, coif_simd_all(0.0f), 1.0f / coif_simd_max(own, least));
    const coif_simd root = coif_simd_sqrt(inverse);
    const coif_simd before = root * sum_of(turn_f, turn_e);
    const coif_simd right = root * (w->turn_right - sum_of(moment, turn_f));
    for (int i = 0; i < 3; ++i) {
        p->e[i] = strains[i].e;
        p->f[i] = strains[i].f;
    }
    p->turn_f = scale3(add3(w->turn_f, sum3_of(p->f, turn_f)), root);
    p->turn_x = scale3(w->turn_x, root);
    p->turn_e = scale3(sum3_of(p->e, turn_f), root);
    link->turn_own = p->turn_f;
    link->turn_place = p->turn_x;
    link->turn_before = p->turn_e;
    link->turn_turn = before;
    link->turn = right;
    link->turn_root = root;
    p->rf = sub3(sub3(w->rf, sum3_of(p->f, moment)), scale3(p->turn_f, right));
    p->rx = sub3(w->rx, scale3(p->turn_x, right));
    p->re = negate3(add3(sum3_of(p->e, moment), scale3(p->turn_e, right)));
    p->next_f = sub3(sum3_of(p->f, turn_e), scale3(p->turn_f, before));
    p->next_x = negate3(scale3(p->turn_x, before));
    p->next_e = sub3(sum3_of(p->e, turn_e), scale3(p->turn_e, before));
    p->next = sum_of(turn_e, turn_e) - before * before;
    p->next_right = -(sum_of(moment, turn_e) + before * right);
}

// The segment's own part: stretch, with the tension of the last substep to begin from. A taut
// segment also resists being turned; without that a long hair would flutter. A short one is held
// fast in all directions.
typedef struct segment {
    wide3 t;
    coif_simd along, across; // stiffness
    wide3 pull;
} segment;

// Ff of the window and the joint, without the turn and with the segment.
ROD_INLINE symmetric segment_ff(const window *w, const step_parts *p, const segment *own)
{
    const wide3 m = scale3(own->t, own->along - own->across);
    const wide3 n = own->t;
    const wide3 c = p->turn_f;
    return (symmetric){.xx = w->ff.xx + p->ff.xx + own->across + m.x * n.x - c.x * c.x,
                       .xy = w->ff.xy + p->ff.xy + m.x * n.y - c.x * c.y,
                       .xz = w->ff.xz + p->ff.xz + m.x * n.z - c.x * c.z,
                       .yy = w->ff.yy + p->ff.yy + own->across + m.y * n.y - c.y * c.y,
                       .yz = w->ff.yz + p->ff.yz + m.y * n.z - c.y * c.z,
                       .zz = w->ff.zz + p->ff.zz + own->across + m.z * n.z - c.z * c.z};
}

// A column of fe: the joint's, less that of the turn.
static inline wide3 column_of(const step_parts *p, coif_simd e0, coif_simd e1, coif_simd e2,
                              coif_simd turn)
{
    const coif_simd e[3] = {e0, e1, e2};
    return sub3(sum3_of(p->f, e), scale3(p->turn_f, turn));
}

// Fx, fe, the turn of the segment before and the right side, each D^-1/2 L^-1 of it: halfway solved
// for the segment. The products of these are what is left for the others, and the other half is
// done on the way back, once per segment.
typedef struct halves {
    wide3 place[3], before[3], turn, right;
} halves;

ROD_INLINE void solve_half(halves *h, rod_link *link, const window *w, const step_parts *p,
                           const pivot *s)
{
    const coif_simd turn_x[3] = {p->turn_x.x, p->turn_x.y, p->turn_x.z};
    for (int i = 0; i < 3; ++i) {
        h->place[i] = forward(s, sub3(w->fx.column[i], scale3(p->turn_f, turn_x[i])));
        link->by_place[i] = h->place[i];
    }
    h->before[0] = forward(s, column_of(p, p->e[0].x, p->e[1].x, p->e[2].x, p->turn_e.x));
    h->before[1] = forward(s, column_of(p, p->e[0].y, p->e[1].y, p->e[2].y, p->turn_e.y));
    h->before[2] = forward(s, column_of(p, p->e[0].z, p->e[1].z, p->e[2].z, p->turn_e.z));
    for (int i = 0; i < 3; ++i) {
        link->by_before[i] = h->before[i];
    }
    h->turn = forward(s, p->next_f);
    h->right = forward(s, p->rf);
    link->by_turn = h->turn;
    link->free = h->right;
    link->below = s->below;
    link->root = s->root;
}

static inline wide3 dots(const wide3 a[3], wide3 b)
{
    return (wide3){dot3(a[0], b), dot3(a[1], b), dot3(a[2], b)};
}

// Takes the segment out of the window, and goes on to the one before, with x = f + x there:
//
//   Xx -= Fx^T S^-1 Fx,  Ex = -Fe^T S^-1 Fx,  Ee -= Fe^T S^-1 Fe,  and so on
//   Ff <- Ee + Ex + Ex^T + Xx,  Fx <- Ex + Xx
//
// Own is what holds the point between.
ROD_INLINE void move_on(window *w, const step_parts *p, const halves *h, const hold *own)
{
    const wide3 *a = h->place;
    const wide3 *q = h->before;
    const wide3 c = p->turn_x;
    const wide3 d = p->turn_e;
    const symmetric xx = {.xx = w->xx.xx + own->d.xx - c.x * c.x - dot3(a[0], a[0]),
                          .xy = w->xx.xy + own->d.xy - c.x * c.y - dot3(a[0], a[1]),
                          .xz = w->xx.xz + own->d.xz - c.x * c.z - dot3(a[0], a[2]),
                          .yy = w->xx.yy + own->d.yy - c.y * c.y - dot3(a[1], a[1]),
                          .yz = w->xx.yz + own->d.yz - c.y * c.z - dot3(a[1], a[2]),
                          .zz = w->xx.zz + own->d.zz - c.z * c.z - dot3(a[2], a[2])};
    // Less Ex, by columns.
    const wide3 x0 = add3(scale3(d, c.x), dots(q, a[0]));
    const wide3 x1 = add3(scale3(d, c.y), dots(q, a[1]));
    const wide3 x2 = add3(scale3(d, c.z), dots(q, a[2]));
    w->xx = xx;
    w->fx.column[0] = (wide3){xx.xx - x0.x, xx.xy - x0.y, xx.xz - x0.z};
    w->fx.column[1] = (wide3){xx.xy - x1.x, xx.yy - x1.y, xx.yz - x1.z};
    w->fx.column[2] = (wide3){xx.xz - x2.x, xx.yz - x2.y, xx.zz - x2.z};
    const wide3 *fx = w->fx.column;
    const symmetric ee = outer_of(p->e, p->e);
    w->size = p->size;
    w->ff.xx = ee.xx + (fx[0].x - x0.x) - d.x * d.x - dot3(q[0], q[0]);
    w->ff.xy = ee.xy + (fx[1].x - x0.y) - d.x * d.y - dot3(q[0], q[1]);
    w->ff.xz = ee.xz + (fx[2].x - x0.z) - d.x * d.z - dot3(q[0], q[2]);
    w->ff.yy = ee.yy + (fx[1].y - x1.y) - d.y * d.y - dot3(q[1], q[1]);
    w->ff.yz = ee.yz + (fx[2].y - x1.z) - d.y * d.z - dot3(q[1], q[2]);
    w->ff.zz = ee.zz + (fx[2].z - x2.z) - d.z * d.z - dot3(q[2], q[2]);
    w->rx = add3(sub3(p->rx, dots(a, h->right)), own->r);
    w->rf = add3(sub3(p->re, dots(q, h->right)), w->rx);
    w->turn_x = sub3(p->next_x, dots(a, h->turn));
    w->turn_f = add3(sub3(p->next_e, dots(q, h->turn)), w->turn_x);
    w->turn = p->next - dot3(h->turn, h->turn);
    w->turn_right = p->next_right - dot3(h->turn, h->right);
}

#endif
