// pbd_kernels: distance, angle and dihedral constraints along a strand, and their rest values.
// Compiled once per vector width; the kernel table is at the end.
//
// Every lane is a strand of its own, so no kernel branches on data and no graph colouring is
// needed: two lanes never share a point. A sweep is a dependency chain of divisions and square
// roots, and its latency is the cost; so points stay in registers, and independent work is
// interleaved.
#include "core/simd/simd_vec3.h"
#include "sim/solver/methods/pbd/pbd.h"

// Stiffness per iteration at point i.
static inline coif_simd iteration_stiffness_at(const coif_strand_block *block, int row, int32_t i,
                                               float k)
{
    const coif_simd *own = (const coif_simd *)block->iteration_stiffness[row];
    return own != NULL ? own[i] : coif_simd_all(k);
}

// Bending stiffness per iteration at point i.
static inline coif_simd bend_at(const coif_strand_block *block, int32_t i, float k)
{
    const coif_simd *stiffness = (const coif_simd *)coif_pbd_of(block)->stiffness;
    return coif_simd_min(iteration_stiffness_at(block, COIF_ITERATION_BEND, i, k) * stiffness[i],
                         coif_simd_all(1.0f));
}

// The same for the pairs of a span.
static inline coif_simd span_bend_at(const coif_strand_block *block, const coif_pbd_span *span,
                                     int32_t i, const coif_substep *step)
{
    if (span->stiffness == 1.0f) {
        return bend_at(block, i, step->bend_stiffness);
    }
    const coif_simd *own = (const coif_simd *)span->k_rows;
    const coif_simd *stiffness = (const coif_simd *)coif_pbd_of(block)->stiffness;
    return coif_simd_min((own != NULL ? own[i] : coif_simd_all(span->k)) * stiffness[i],
                         coif_simd_all(1.0f));
}

// Keeps two points at their rest distance:
//
//   C(a, b) = |b - a| - rest            n = (b - a) / |b - a|
//   a += k wa / (wa + wb) C n           b -= k wb / (wa + wb) C n
static inline void pull(simd_vec3 *a, simd_vec3 *b, coif_simd wa, coif_simd wb, coif_simd rest,
                        coif_simd k)
{
    const simd_vec3 d = sub3(*b, *a);
    const coif_simd length = coif_simd_sqrt(dot3(d, d)) + SIMD_TINY;
    const coif_simd push = k * (length - rest) / ((wa + wb + SIMD_TINY) * length);
    *a = add3(*a, scale3(d, wa * push));
    *b = sub3(*b, scale3(d, wb * push));
}

static void project_stretch(const coif_strand_block *block, coif_solver_scratch *scratch,
                            const coif_substep *step)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    simd_vec3 a = load3(&scratch->predicted, 0);
    for (int32_t i = 0; i + 1 < block->length; ++i) {
        simd_vec3 b = load3(&scratch->predicted, i + 1);
        pull(&a, &b, w[i], w[i + 1], rest[i],
             iteration_stiffness_at(block, COIF_ITERATION_STRETCH, i, step->stretch_stiffness));
        store3(&scratch->predicted, i, a);
        a = b;
    }
    store3(&scratch->predicted, block->length - 1, a);
}

static void project_bend_distances(const coif_strand_block *block, coif_solver_scratch *scratch,
                                   const coif_pbd_span *span, const coif_substep *step)
{
    const coif_bend_pairs pairs = span->pairs;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)span->rest;
    for (int32_t i = pairs.begin; i < pairs.end; ++i) {
        const int32_t j = i + pairs.span;
        simd_vec3 a = load3(&scratch->predicted, i);
        simd_vec3 b = load3(&scratch->predicted, j);
        pull(&a, &b, w[i], w[j], rest[i - pairs.begin],
             span_bend_at(block, span, i + pairs.span / 2, step));
        store3(&scratch->predicted, i, a);
        store3(&scratch->predicted, j, b);
    }
}

// No segment after (i, i + 1) touches point i, so the span (i - 2, i) can be projected here, in
// parallel with the chain of segments.
static void project_stretch_bend(const coif_strand_block *block, coif_solver_scratch *scratch,
                                 const coif_pbd_span *span, const coif_substep *step)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    const coif_simd *far = (const coif_simd *)span->rest;
    const int32_t last = block->length - 1;
    simd_vec3 a = load3(&scratch->predicted, 0);
    simd_vec3 before[2] = {a, a}; // points i - 2 and i - 1
    for (int32_t i = 0; i < last; ++i) {
        simd_vec3 b = load3(&scratch->predicted, i + 1);
        pull(&a, &b, w[i], w[i + 1], rest[i],
             iteration_stiffness_at(block, COIF_ITERATION_STRETCH, i, step->stretch_stiffness));
        if (i >= 2) {
            pull(&before[0], &a, w[i - 2], w[i], far[i - 2],
                 span_bend_at(block, span, i - 1, step));
            store3(&scratch->predicted, i - 2, before[0]);
        }
        before[0] = before[1];
        before[1] = a;
        a = b;
    }
    if (last >= 2) {
        pull(&before[0], &a, w[last - 2], w[last], far[last - 2],
             span_bend_at(block, span, last - 1, step));
        store3(&scratch->predicted, last - 2, before[0]);
    }
    store3(&scratch->predicted, last - 1, before[1]);
    store3(&scratch->predicted, last, a);
}

// Long-range attachment (Kim et al. 2012): no point is farther from the root than the arc length up
// to it. One-sided, and effective in one iteration however long the strand.
static void project_attachment(const coif_strand_block *block, coif_solver_scratch *scratch,
                               float k)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)block->rest_length;
    simd_vec3 root = load3(&scratch->predicted, 0);
    coif_simd arc_length = coif_simd_all(0.0f);
    for (int32_t i = 1; i < block->length; ++i) {
        arc_length += rest[i - 1];
        const simd_vec3 p = load3(&scratch->predicted, i);
        const simd_vec3 d = sub3(p, root);
        const coif_simd length = coif_simd_sqrt(dot3(d, d)) + SIMD_TINY;
        const coif_simd push = iteration_stiffness_at(block, COIF_ITERATION_ATTACH, i, k) *
                               (length - arc_length) / ((w[0] + w[i] + SIMD_TINY) * length);
        const coif_simd_mask outside = length > arc_length;
        root = select3(outside, add3(root, scale3(d, w[0] * push)), root);
        store3(&scratch->predicted, i, select3(outside, sub3(p, scale3(d, w[i] * push)), p));
    }
    store3(&scratch->predicted, 0, root);
}

// Segments shorter than this (m, squared), or joints straighter than this (sine, squared), have no
// defined angle and are not moved.
static const float MIN_LENGTH2 = 1e-16f;
static const float MIN_SINE2 = 1e-12f;

static const float PI = 3.14159265f;

// The angle whose cosine and sine are proportional to c and s, between -pi and pi: atan2 without
// the C library, to 3e-7. The polynomial for atan below pi / 8 is that of Cephes (Moshier 1989).
static inline coif_simd angle_of(coif_simd c, coif_simd s)
{
    const coif_simd zero = coif_simd_all(0.0f);
    const coif_simd_mask backward = c < 0.0f;
    const coif_simd_mask below = s < 0.0f;
    const coif_simd x = coif_simd_select(backward, zero - c, c);
    const coif_simd y = coif_simd_select(below, zero - s, s);
    const coif_simd_mask steep = y > x;
    const coif_simd high = coif_simd_select(steep, y, x);
    const coif_simd low = coif_simd_select(steep, x, y);
    // Above tan(pi / 8) the argument is reduced by pi / 4: tan(a - pi / 4) = (t - 1) / (t + 1).
    const coif_simd_mask middle = low > 0.41421356f * high;
    const coif_simd t = coif_simd_select(middle, low - high, low) /
                        (coif_simd_select(middle, low + high, high) + 1e-30f);
    const coif_simd z = t * t;
    const coif_simd series =
        ((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z -
        3.33329491539e-1f;
    const coif_simd turn = series * z * t + t + coif_simd_select(middle, zero + 0.25f * PI, zero);
    const coif_simd half = coif_simd_select(steep, 0.5f * PI - turn, turn);
    const coif_simd whole = coif_simd_select(backward, PI - half, half);
    return coif_simd_select(below, zero - whole, whole);
}

// a where the mask is set, else zero. Masked-out values may be infinite or NaN, and so would be a
// product with zero; hence positions are updated by select.
static inline coif_simd masked(coif_simd_mask mask, coif_simd a)
{
    return (coif_simd)(mask & (coif_simd_mask)a);
}

static inline simd_vec3 moved(simd_vec3 p, simd_vec3 direction, coif_simd disp)
{
    return select3(disp != 0.0f, sub3(p, scale3(direction, disp)), p);
}

// The angle between two parts of the strand, e to the joint and f from it, about their common
// normal, and its gradients at both ends. That at the joint is minus their sum.
//
//   angle = atan2(|e x f|, e . f)        d angle / da = axis x e / e^2      d / db = axis x f / f^2
typedef struct joint {
    coif_simd angle;
    simd_vec3 to_a, to_b;
    coif_simd_mask bent;
} joint;

static inline joint joint_of(simd_vec3 a, simd_vec3 m, simd_vec3 b)
{
    const simd_vec3 e = sub3(m, a);
    const simd_vec3 f = sub3(b, m);
    const simd_vec3 n = cross3(e, f);
    const coif_simd ee = dot3(e, e);
    const coif_simd ff = dot3(f, f);
    const coif_simd nn = dot3(n, n);
    const coif_simd area = coif_simd_sqrt(nn);
    const simd_vec3 axis = scale3(n, 1.0f / area);
    return (joint){.angle = angle_of(dot3(e, f), area),
                   .to_a = scale3(cross3(axis, e), 1.0f / ee),
                   .to_b = scale3(cross3(axis, f), 1.0f / ff),
                   .bent = (ee > MIN_LENGTH2) & (ff > MIN_LENGTH2) & (nn > MIN_SINE2 * ee * ff)};
}

// Angle constraint at the middle of the points i and j.
static void project_bend_angles(const coif_strand_block *block, coif_solver_scratch *scratch,
                                const coif_pbd_span *span, const coif_substep *step)
{
    const coif_bend_pairs pairs = span->pairs;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)span->rest;
    for (int32_t i = pairs.begin; i < pairs.end; ++i) {
        const int32_t middle = i + pairs.span / 2;
        const int32_t j = i + pairs.span;
        const simd_vec3 a = load3(&scratch->predicted, i);
        const simd_vec3 m = load3(&scratch->predicted, middle);
        const simd_vec3 b = load3(&scratch->predicted, j);
        const joint now = joint_of(a, m, b);
        const simd_vec3 to_m = add3(now.to_a, now.to_b); // negative gradient
        const coif_simd weight = w[i] * dot3(now.to_a, now.to_a) + w[middle] * dot3(to_m, to_m) +
                                 w[j] * dot3(now.to_b, now.to_b);
        const coif_simd push =
            masked(now.bent & (weight > 0.0f), span_bend_at(block, span, middle, step) *
                                                   (now.angle - rest[i - pairs.begin]) / weight);
        store3(&scratch->predicted, i, moved(a, now.to_a, w[i] * push));
        store3(&scratch->predicted, middle, moved(m, to_m, -w[middle] * push));
        store3(&scratch->predicted, j, moved(b, now.to_b, w[j] * push));
    }
}

// Signed dihedral angle of four points. The papers use arccos(n1 . n2), which does not distinguish
// a left-handed curl from a right-handed one. Gradients by Blondel and Karplus (1996):
//
//   n1 = e x f        n2 = f x g        angle = atan2(|f| e . n2, n1 . n2)
typedef struct dihedral {
    coif_simd angle;
    simd_vec3 to[4];
    coif_simd_mask bent;
} dihedral;

static inline dihedral dihedral_of(const simd_vec3 p[4])
{
    const simd_vec3 e = sub3(p[1], p[0]);
    const simd_vec3 f = sub3(p[2], p[1]);
    const simd_vec3 g = sub3(p[3], p[2]);
    const simd_vec3 n1 = cross3(e, f);
    const simd_vec3 n2 = cross3(f, g);
    const coif_simd ee = dot3(e, e);
    const coif_simd ff = dot3(f, f);
    const coif_simd gg = dot3(g, g);
    const coif_simd a2 = dot3(n1, n1);
    const coif_simd b2 = dot3(n2, n2);
    const coif_simd length = coif_simd_sqrt(ff);
    const coif_simd inverse = 1.0f / length;
    const simd_vec3 a = scale3(n1, 1.0f / a2);
    const simd_vec3 b = scale3(n2, 1.0f / b2);
    const simd_vec3 shear = add3(scale3(a, dot3(e, f) * inverse), scale3(b, dot3(g, f) * inverse));
    const simd_vec3 first = scale3(a, length);
    const simd_vec3 last = scale3(b, length);
    const coif_simd zero = coif_simd_all(0.0f);
    return (dihedral){.angle = angle_of(dot3(n1, n2), length * dot3(e, n2)),
                      .to = {scale3(first, zero - 1.0f), add3(first, shear),
                             sub3(scale3(last, zero - 1.0f), shear), last},
                      .bent = (ee > MIN_LENGTH2) & (ff > MIN_LENGTH2) & (gg > MIN_LENGTH2) &
                              (a2 > MIN_SINE2 * ee * ff) & (b2 > MIN_SINE2 * ff * gg)};
}

static void project_dihedrals(const coif_strand_block *block, coif_solver_scratch *scratch,
                              const float *angles, float k)
{
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *rest = (const coif_simd *)angles;
    const coif_simd zero = coif_simd_all(0.0f);
    for (int32_t i = 0; i + 3 < block->length; ++i) {
        simd_vec3 p[4];
        for (int j = 0; j < 4; ++j) {
            p[j] = load3(&scratch->predicted, i + j);
        }
        const dihedral now = dihedral_of(p);
        coif_simd weight = zero;
        for (int j = 0; j < 4; ++j) {
            weight += w[i + j] * dot3(now.to[j], now.to[j]);
        }
        // Difference modulo 2 pi.
        coif_simd away = now.angle - rest[i];
        away = coif_simd_select(away > PI, away - 2.0f * PI, away);
        away = coif_simd_select(away < -PI, away + 2.0f * PI, away);
        const coif_simd push =
            masked(now.bent & (weight > 0.0f), bend_at(block, i + 1, k) * away / weight);
        for (int j = 0; j < 4; ++j) {
            store3(&scratch->predicted, i + j, moved(p[j], now.to[j], w[i + j] * push));
        }
    }
}

static void measure_pairs(const coif_strand_block *block, const coif_pbd_span *span, bool angles)
{
    const coif_bend_pairs pairs = span->pairs;
    for (int32_t i = pairs.begin; i < pairs.end; ++i) {
        const simd_vec3 a = load3(&block->rest_local, i);
        const simd_vec3 m = load3(&block->rest_local, i + pairs.span / 2);
        const simd_vec3 b = load3(&block->rest_local, i + pairs.span);
        const simd_vec3 d = sub3(b, a);
        ((coif_simd *)span->rest)[i - pairs.begin] =
            span->scale * (angles ? joint_of(a, m, b).angle : coif_simd_sqrt(dot3(d, d)));
    }
}

static void rest(coif_strand_block *block)
{
    coif_pbd *pbd = coif_pbd_of(block);
    for (int32_t i = 0; i < pbd->span_count; ++i) {
        measure_pairs(block, &pbd->spans[i], pbd->bending != COIF_BEND_DISTANCE);
    }
    for (int32_t i = 0; i + 3 < block->length && pbd->rest_dihedrals != NULL; ++i) {
        simd_vec3 p[4];
        for (int j = 0; j < 4; ++j) {
            p[j] = load3(&block->rest_local, i + j);
        }
        ((coif_simd *)pbd->rest_dihedrals)[i] = dihedral_of(p).angle;
    }
}

const coif_pbd_kernels COIF_SIMD(coif_pbd_kernels) = {
    .precompute_rest = rest,
    .project_stretch_bend = project_stretch_bend,
    .project_stretch = project_stretch,
    .project_bend_distances = project_bend_distances,
    .project_bend_angles = project_bend_angles,
    .project_dihedrals = project_dihedrals,
    .project_attachment = project_attachment,
};
