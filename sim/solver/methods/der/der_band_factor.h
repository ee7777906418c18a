// der_band_factor: elimination front of the banded LDL^T factorisation, which moves from tip to
// root.
//
// A joint couples two segments: three points, and the twist angles of the segments. The unknowns
// are the change f of each segment vector and its twist; the displacement x of the begin of a
// segment is that of the segment before it plus the f of that one. Joints then act on f only, and
// the inertia of the strand behind a point on x only: in terms of points, inertia would be the
// small difference of large stiffnesses, and every stiffness would have to be added in four places.
//
// Twist has no inertia: a twist angle is eliminated as soon as both its joints are known, which
// leaves the matrix of a rod whose twist is in equilibrium at every moment. With twist frozen
// during a step a curl could not even rotate freely.
//
// There are far more values than registers and memory traffic dominates, so each entry is computed
// in one expression.
#ifndef COIF_SIM_SOLVER_METHODS_DER_DER_BAND_FACTOR_H
#define COIF_SIM_SOLVER_METHODS_DER_DER_BAND_FACTOR_H

#include "core/simd/simd_symmetric3.h"
#include "sim/solver/methods/der/der_strain.h"

// For the body of the factorisation loop; called out of line, all values would pass through memory.
#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef struct matrix {
    simd_vec3 column[3];
} matrix;

// Schur complement of the strand behind a point: in the segment change f, the displacement x of its
// begin, and the twist of the segment.
typedef struct band_front {
    symmetric ff, xx;
    matrix fx;             // rows of f, columns of x
    simd_vec3 rf, rx;      // right-hand sides
    coif_simd joint_trace; // trace of the joint stiffness in ff
    simd_vec3 twist_f, twist_x;
    coif_simd twist, twist_rhs;
} band_front;

// Diagonal block and right-hand side of a point: inertia, drag and contact.
typedef struct point_diagonal {
    symmetric matrix;
    simd_vec3 rhs;
} point_diagonal;

static inline simd_vec3 negate3(simd_vec3 a)
{
    return (simd_vec3){-a.x, -a.y, -a.z};
}

// Sums over the three strain components of a joint. Written out: a loop that starts from zero costs
// one more addition.
static inline coif_simd sum_of(const coif_simd a[3], const coif_simd b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline simd_vec3 sum3_of(const simd_vec3 a[3], const coif_simd b[3])
{
    return add3(add3(scale3(a[0], b[0]), scale3(a[1], b[1])), scale3(a[2], b[2]));
}

static inline symmetric outer_of(const simd_vec3 a[3], const simd_vec3 b[3])
{
    return (symmetric){.xx = a[0].x * b[0].x + a[1].x * b[1].x + a[2].x * b[2].x,
                       .xy = a[0].x * b[0].y + a[1].x * b[1].y + a[2].x * b[2].y,
                       .xz = a[0].x * b[0].z + a[1].x * b[1].z + a[2].x * b[2].z,
                       .yy = a[0].y * b[0].y + a[1].y * b[1].y + a[2].y * b[2].y,
                       .yz = a[0].y * b[0].z + a[1].y * b[1].z + a[2].y * b[2].z,
                       .zz = a[0].z * b[0].z + a[1].z * b[1].z + a[2].z * b[2].z};
}

// Contributions of a joint and the elimination of the twist of the segment after it, in the segment
// before (e), the segment after (f) and x. Strains are weighted by the square root of their
// stiffness and rows by that of their pivot, so that products involve one set of values instead of
// two.
typedef struct step_parts {
    simd_vec3 e[3], f[3];
    symmetric ff;          // the sum of f f, for its trace
    coif_simd joint_trace; // the trace of the sum of e e
    simd_vec3 rf, rx, re;
    simd_vec3 twist_f, twist_x, twist_e; // row of the turn that is taken out
    simd_vec3 prev_f, prev_x, prev_e;    // row of the turn of the segment before
    coif_simd prev, prev_rhs;
} step_parts;

// Adds the joint and eliminates the twist of the segment after it. Least is the smallest pivot, for
// strands free to rotate about their axis; where twist is prescribed it stays zero.
ALWAYS_INLINE void eliminate_twist(step_parts *p, der_segment *segment, const band_front *front,
                                   const der_strain strains[3], coif_simd least,
                                   coif_simd_mask held)
{
    const coif_simd moment[3] = {strains[0].moment, strains[1].moment, strains[2].moment};
    const coif_simd twist_e[3] = {strains[0].twist_e, strains[1].twist_e, strains[2].twist_e};
    const coif_simd twist_f[3] = {strains[0].twist_f, strains[1].twist_f, strains[2].twist_f};
    const coif_simd own = front->twist + sum_of(twist_f, twist_f);
    const coif_simd inverse =
        coif_simd_select(held, coif_simd_all(0.0f), 1.0f / coif_simd_max(own, least));
    const coif_simd root = coif_simd_sqrt(inverse);
    const coif_simd before = root * sum_of(twist_f, twist_e);
    const coif_simd right = root * (front->twist_rhs - sum_of(moment, twist_f));
    for (int i = 0; i < 3; ++i) {
        p->e[i] = strains[i].e;
        p->f[i] = strains[i].f;
    }
    p->twist_f = scale3(add3(front->twist_f, sum3_of(p->f, twist_f)), root);
    p->twist_x = scale3(front->twist_x, root);
    p->twist_e = scale3(sum3_of(p->e, twist_f), root);
    segment->twist_f = p->twist_f;
    segment->twist_x = p->twist_x;
    segment->twist_e = p->twist_e;
    segment->twist_prev = before;
    segment->twist_rhs = right;
    segment->twist_inv_sqrt = root;
    p->rf = sub3(sub3(front->rf, sum3_of(p->f, moment)), scale3(p->twist_f, right));
    p->rx = sub3(front->rx, scale3(p->twist_x, right));
    p->re = negate3(add3(sum3_of(p->e, moment), scale3(p->twist_e, right)));
    p->prev_f = sub3(sum3_of(p->f, twist_e), scale3(p->twist_f, before));
    p->prev_x = negate3(scale3(p->twist_x, before));
    p->prev_e = sub3(sum3_of(p->e, twist_e), scale3(p->twist_e, before));
    p->prev = sum_of(twist_e, twist_e) - before * before;
    p->prev_rhs = -(sum_of(moment, twist_e) + before * right);
}

// Axial stiffness of a segment, starting from the tension of the last substep, and its geometric
// stiffness: a taut segment resists rotation, without which long hair flutters. A degenerate
// segment is stiff in all directions.
typedef struct segment_stiffness {
    simd_vec3 t;
    coif_simd axial, transverse;
    simd_vec3 force;
} segment_stiffness;

// Block ff of the front with the joint and the segment, after elimination of the twist.
ALWAYS_INLINE symmetric segment_ff(const band_front *front, const step_parts *p,
                                   const segment_stiffness *stiff)
{
    const simd_vec3 m = scale3(stiff->t, stiff->axial - stiff->transverse);
    const simd_vec3 n = stiff->t;
    const simd_vec3 c = p->twist_f;
    return (symmetric){.xx = front->ff.xx + p->ff.xx + stiff->transverse + m.x * n.x - c.x * c.x,
                       .xy = front->ff.xy + p->ff.xy + m.x * n.y - c.x * c.y,
                       .xz = front->ff.xz + p->ff.xz + m.x * n.z - c.x * c.z,
                       .yy = front->ff.yy + p->ff.yy + stiff->transverse + m.y * n.y - c.y * c.y,
                       .yz = front->ff.yz + p->ff.yz + m.y * n.z - c.y * c.z,
                       .zz = front->ff.zz + p->ff.zz + stiff->transverse + m.z * n.z - c.z * c.z};
}

// A column of the block fe: of the joint, less that of the eliminated twist.
static inline simd_vec3 column_of(const step_parts *p, coif_simd e0, coif_simd e1, coif_simd e2,
                                  coif_simd turn)
{
    const coif_simd e[3] = {e0, e1, e2};
    return sub3(sum3_of(p->f, e), scale3(p->twist_f, turn));
}

// D^-1/2 L^-1 applied to the blocks fx, fe, the twist row of the segment before and the right-hand
// side. Products of these update the Schur complement; the backward half is done once per segment
// in the back substitution.
typedef struct eliminated_rows {
    simd_vec3 x[3], e[3], twist, rhs;
} eliminated_rows;

ALWAYS_INLINE void forward_solve(eliminated_rows *h, der_segment *segment, const band_front *front,
                                 const step_parts *p, const ldlt3 *s)
{
    const coif_simd twist_x[3] = {p->twist_x.x, p->twist_x.y, p->twist_x.z};
    for (int i = 0; i < 3; ++i) {
        h->x[i] = forward(s, sub3(front->fx.column[i], scale3(p->twist_f, twist_x[i])));
        segment->row_x[i] = h->x[i];
    }
    h->e[0] = forward(s, column_of(p, p->e[0].x, p->e[1].x, p->e[2].x, p->twist_e.x));
    h->e[1] = forward(s, column_of(p, p->e[0].y, p->e[1].y, p->e[2].y, p->twist_e.y));
    h->e[2] = forward(s, column_of(p, p->e[0].z, p->e[1].z, p->e[2].z, p->twist_e.z));
    for (int i = 0; i < 3; ++i) {
        segment->row_e[i] = h->e[i];
    }
    h->twist = forward(s, p->prev_f);
    h->rhs = forward(s, p->rf);
    segment->row_twist = h->twist;
    segment->rhs = h->rhs;
    segment->ldl_below = s->below;
    segment->ldl_inv_sqrt = s->inv_sqrt;
}

static inline simd_vec3 dots(const simd_vec3 a[3], simd_vec3 b)
{
    return (simd_vec3){dot3(a[0], b), dot3(a[1], b), dot3(a[2], b)};
}

// Eliminates the segment and advances the front to the segment before, with x = f + x there:
//
//   Xx -= Fx^T S^-1 Fx,  Ex = -Fe^T S^-1 Fx,  Ee -= Fe^T S^-1 Fe,  and so on
//   Ff <- Ee + Ex + Ex^T + Xx,  Fx <- Ex + Xx
//
// diagonal: of the point between both segments.
ALWAYS_INLINE void advance_front(band_front *front, const step_parts *p, const eliminated_rows *h,
                                 const point_diagonal *diagonal)
{
    const simd_vec3 *a = h->x;
    const simd_vec3 *q = h->e;
    const simd_vec3 c = p->twist_x;
    const simd_vec3 d = p->twist_e;
    const symmetric xx = {.xx = front->xx.xx + diagonal->matrix.xx - c.x * c.x - dot3(a[0], a[0]),
                          .xy = front->xx.xy + diagonal->matrix.xy - c.x * c.y - dot3(a[0], a[1]),
                          .xz = front->xx.xz + diagonal->matrix.xz - c.x * c.z - dot3(a[0], a[2]),
                          .yy = front->xx.yy + diagonal->matrix.yy - c.y * c.y - dot3(a[1], a[1]),
                          .yz = front->xx.yz + diagonal->matrix.yz - c.y * c.z - dot3(a[1], a[2]),
                          .zz = front->xx.zz + diagonal->matrix.zz - c.z * c.z - dot3(a[2], a[2])};
    // -Ex, by columns.
    const simd_vec3 x0 = add3(scale3(d, c.x), dots(q, a[0]));
    const simd_vec3 x1 = add3(scale3(d, c.y), dots(q, a[1]));
    const simd_vec3 x2 = add3(scale3(d, c.z), dots(q, a[2]));
    front->xx = xx;
    front->fx.column[0] = (simd_vec3){xx.xx - x0.x, xx.xy - x0.y, xx.xz - x0.z};
    front->fx.column[1] = (simd_vec3){xx.xy - x1.x, xx.yy - x1.y, xx.yz - x1.z};
    front->fx.column[2] = (simd_vec3){xx.xz - x2.x, xx.yz - x2.y, xx.zz - x2.z};
    const simd_vec3 *fx = front->fx.column;
    const symmetric ee = outer_of(p->e, p->e);
    front->joint_trace = p->joint_trace;
    front->ff.xx = ee.xx + (fx[0].x - x0.x) - d.x * d.x - dot3(q[0], q[0]);
    front->ff.xy = ee.xy + (fx[1].x - x0.y) - d.x * d.y - dot3(q[0], q[1]);
    front->ff.xz = ee.xz + (fx[2].x - x0.z) - d.x * d.z - dot3(q[0], q[2]);
    front->ff.yy = ee.yy + (fx[1].y - x1.y) - d.y * d.y - dot3(q[1], q[1]);
    front->ff.yz = ee.yz + (fx[2].y - x1.z) - d.y * d.z - dot3(q[1], q[2]);
    front->ff.zz = ee.zz + (fx[2].z - x2.z) - d.z * d.z - dot3(q[2], q[2]);
    front->rx = add3(sub3(p->rx, dots(a, h->rhs)), diagonal->rhs);
    front->rf = add3(sub3(p->re, dots(q, h->rhs)), front->rx);
    front->twist_x = sub3(p->prev_x, dots(a, h->twist));
    front->twist_f = add3(sub3(p->prev_e, dots(q, h->twist)), front->twist_x);
    front->twist = p->prev - dot3(h->twist, h->twist);
    front->twist_rhs = p->prev_rhs - dot3(h->twist, h->rhs);
}

#endif
