// flatten: makes a flat map keep lengths, by turns of a local and a global step.
//
// Local: for every triangle, the map nearest to its present one that only turns (as rigid as
// possible; Liu et al. 2008), later one that stretches within bounds. Global: the points that fit
// all those maps best in the sense of least squares. The second phase is what keeps the worst
// triangle good, where the first only looks after the sum.
#include "tools/assets/mannequin/uv_chart.h"

#include <stdlib.h>

// Bounds on the singular values in the second phase, and on their ratio.
static const double LONGEST = 1.30, SHORTEST = 1.0 / 1.30, ROUNDEST = 1.24;

enum { RIGID_ROUNDS = 120, BOUNDED_ROUNDS = 200, SWEEPS = 16 };

typedef struct pair {
    double x, y;
} pair;

typedef struct spring {
    int other;
    int triangle;
    double weight;
    pair rest; // from the other point to this one, in the plane of the triangle
} spring;

typedef struct solver {
    head_chart *chart;
    pair *flat;     // the triangles laid out, three corners each
    double *weight; // of each edge, opposite to its corner
    double *turn;   // four numbers a triangle: the map it wants
    int *first;     // springs of point i are [first[i], first[i + 1])
    spring *spring;
} solver;

static void lay_out(solver *s, const head_mesh *mesh)
{
    const head_chart *chart = s->chart;

    for (int t = 0; t < chart->triangle_count; ++t) {
        head_vec p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = mesh->point[chart->point[chart->triangle[3 * t + k]]];
        }
        const head_vec a = vec_sub(p[1], p[0]), b = vec_sub(p[2], p[0]);
        const head_vec x = vec_unit(a);
        const double along = vec_dot(b, x);
        const double twice_area = vec_length(vec_cross(a, b));

        s->flat[3 * t] = (pair){0.0, 0.0};
        s->flat[3 * t + 1] = (pair){vec_length(a), 0.0};
        s->flat[3 * t + 2] = (pair){along, twice_area / vec_length(a)};
        for (int k = 0; k < 3; ++k) {
            // Cotangent weights, kept positive: an obtuse angle must not push points apart.
            const head_vec u = vec_sub(p[(k + 1) % 3], p[k]), v = vec_sub(p[(k + 2) % 3], p[k]);
            s->weight[3 * t + k] = fmax(vec_dot(u, v) / fmax(twice_area, 1e-9), 0.08);
        }
    }
}

static void string_up(solver *s)
{
    const head_chart *chart = s->chart;
    int *used = head_allocate((size_t)chart->point_count, sizeof *used);

    for (int i = 0; i < 3 * chart->triangle_count; ++i) {
        s->first[chart->triangle[i] + 1] += 2;
    }
    for (int i = 0; i < chart->point_count; ++i) {
        s->first[i + 1] += s->first[i];
    }
    for (int t = 0; t < chart->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            const int self = chart->triangle[3 * t + k];
            for (int n = 1; n < 3; ++n) {
                const int m = (k + n) % 3;
                const pair here = s->flat[3 * t + k], there = s->flat[3 * t + m];
                s->spring[s->first[self] + used[self]++] = (spring){
                    .other = chart->triangle[3 * t + m],
                    .triangle = t,
                    .weight = s->weight[3 * t + (3 - k - m)],
                    .rest = {here.x - there.x, here.y - there.y},
                };
            }
        }
    }
    free(used);
}

// The bounds applied to one pair of singular values.
static void bound(double *large, double *small, int rigid)
{
    if (rigid) {
        *large = *small = 1.0;
        return;
    }
    *large = fmin(fmax(*large, SHORTEST), LONGEST);
    *small = fmin(fmax(*small, SHORTEST), LONGEST);
    if (*large > ROUNDEST * *small) {
        const double mean = sqrt(*large * *small);
        *large = mean * sqrt(ROUNDEST);
        *small = mean / sqrt(ROUNDEST);
    }
}

// The map of triangle t as it is, with its singular values bounded. A 2 x 2 matrix is the sum of
// a similarity (e, h) and a mirrored similarity (f, g); their lengths give the singular values.
static void local_step(solver *s, int t, int rigid)
{
    const int *c = &s->chart->triangle[3 * t];
    const double *uv = s->chart->uv;
    const pair b = s->flat[3 * t + 1], d = s->flat[3 * t + 2];
    const double u1 = uv[2 * c[1]] - uv[2 * c[0]], v1 = uv[2 * c[1] + 1] - uv[2 * c[0] + 1];
    const double u2 = uv[2 * c[2]] - uv[2 * c[0]], v2 = uv[2 * c[2] + 1] - uv[2 * c[0] + 1];
    const double m00 = u1 / b.x, m10 = v1 / b.x;
    const double m01 = (u2 - m00 * d.x) / d.y, m11 = (v2 - m10 * d.x) / d.y;
    const double e = 0.5 * (m00 + m11), f = 0.5 * (m00 - m11);
    const double g = 0.5 * (m10 + m01), h = 0.5 * (m10 - m01);
    const double even = hypot(e, h), odd = hypot(f, g);
    double large = even + odd, small = even - odd;

    bound(&large, &small, rigid);
    const double keep = even > 1e-12 ? 0.5 * (large + small) / even : 0.0;
    const double skew = odd > 1e-12 ? 0.5 * (large - small) / odd : 0.0;
    double *turn = &s->turn[4 * t];
    turn[0] = keep * e + skew * f;
    turn[1] = -keep * h + skew * g;
    turn[2] = keep * h + skew * g;
    turn[3] = keep * e - skew * f;
}

// Over-relaxed sweeps over the points; warm started, so a few are enough each time.
static void global_step(solver *s)
{
    const double over = 1.6;
    double *uv = s->chart->uv;

    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        for (int i = 0; i < s->chart->point_count; ++i) {
            double u = 0.0, v = 0.0, weight = 0.0;
            for (int n = s->first[i]; n < s->first[i + 1]; ++n) {
                const spring *w = &s->spring[n];
                const double *m = &s->turn[4 * w->triangle];
                u += w->weight * (uv[2 * w->other] + m[0] * w->rest.x + m[1] * w->rest.y);
                v += w->weight * (uv[2 * w->other + 1] + m[2] * w->rest.x + m[3] * w->rest.y);
                weight += w->weight;
            }
            if (!s->chart->on_seam[i]) {
                uv[2 * i] += over * (u / weight - uv[2 * i]);
            }
            uv[2 * i + 1] += over * (v / weight - uv[2 * i + 1]);
        }
    }
}

void head_chart_flatten(head_chart *chart, const head_mesh *mesh)
{
    const size_t triangles = (size_t)chart->triangle_count;
    solver s = {
        .chart = chart,
        .flat = head_allocate(3 * triangles, sizeof(pair)),
        .weight = head_allocate(3 * triangles, sizeof(double)),
        .turn = head_allocate(4 * triangles, sizeof(double)),
        .first = head_allocate((size_t)chart->point_count + 1, sizeof(int)),
        .spring = head_allocate(6 * triangles, sizeof(spring)),
    };

    lay_out(&s, mesh);
    string_up(&s);
    for (int round = 0; round < RIGID_ROUNDS + BOUNDED_ROUNDS; ++round) {
        for (int t = 0; t < chart->triangle_count; ++t) {
            local_step(&s, t, round < RIGID_ROUNDS);
        }
        global_step(&s);
    }
    free(s.flat);
    free(s.weight);
    free(s.turn);
    free(s.first);
    free(s.spring);
}
