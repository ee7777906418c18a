// uv_arap: local/global parameterisation (Liu et al. 2008, "A Local/Global Approach to Mesh
// Parameterization").
//
// Local step: for each triangle the matrix closest to its current Jacobian, a rotation in the first
// phase (as rigid as possible), a matrix of bounded singular values in the second. Global step: the
// points that fit these matrices best in the least squares sense. The second phase bounds the worst
// triangle; the first minimises the sum only.
#include "tools/assets/mannequin/uv_chart.h"

// Bounds on the singular values in the second phase, and on their ratio.
static const double LARGEST = 1.30, SMALLEST = 1.0 / 1.30, LARGEST_RATIO = 1.24;

enum { RIGID_ITERATIONS = 120, BOUNDED_ITERATIONS = 200, SWEEPS = 16 };

typedef struct vec2d {
    double x, y;
} vec2d;

// A term of the linear system in the row of one point.
typedef struct term {
    int other;
    int triangle;
    double weight;
    vec2d rest; // from the other point to this one, in the plane of the triangle
} term;

typedef struct solver {
    uv_chart *chart;
    vec2d *flat;    // the triangles in their own planes, three corners each
    double *weight; // cotangent weight of the edge opposite to each corner
    double *target; // 2 x 2 matrix of each triangle
    int *first;     // terms of point i are [first[i], first[i + 1])
    term *terms;
} solver;

static void flatten_triangles(solver *s, const poly_mesh *mesh)
{
    const uv_chart *chart = s->chart;
    for (int t = 0; t < chart->triangle_count; ++t) {
        coif_vec3d p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = mesh->point[chart->point[chart->triangle[3 * t + k]]];
        }
        const coif_vec3d a = coif_vec3d_sub(p[1], p[0]), b = coif_vec3d_sub(p[2], p[0]);
        const coif_vec3d x = coif_vec3d_normalize(a);
        const double twice_area = coif_vec3d_length(coif_vec3d_cross(a, b));
        s->flat[3 * t] = (vec2d){0.0, 0.0};
        s->flat[3 * t + 1] = (vec2d){coif_vec3d_length(a), 0.0};
        s->flat[3 * t + 2] = (vec2d){coif_vec3d_dot(b, x), twice_area / coif_vec3d_length(a)};
        for (int k = 0; k < 3; ++k) {
            // Kept positive: a negative weight of an obtuse angle would repel points.
            const coif_vec3d u = coif_vec3d_sub(p[(k + 1) % 3], p[k]);
            const coif_vec3d v = coif_vec3d_sub(p[(k + 2) % 3], p[k]);
            s->weight[3 * t + k] = fmax(coif_vec3d_dot(u, v) / fmax(twice_area, 1e-9), 0.08);
        }
    }
}

static void assemble(solver *s)
{
    const uv_chart *chart = s->chart;
    int *used = coif_arena_new(chart->arena, chart->point_count, int);
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
                const vec2d a = s->flat[3 * t + k], b = s->flat[3 * t + m];
                s->terms[s->first[self] + used[self]++] = (term){
                    .other = chart->triangle[3 * t + m],
                    .triangle = t,
                    .weight = s->weight[3 * t + (3 - k - m)],
                    .rest = {a.x - b.x, a.y - b.y},
                };
            }
        }
    }
}

static void bound_singular_values(double *large, double *small, bool rigid)
{
    if (rigid) {
        *large = *small = 1.0;
        return;
    }
    *large = fmin(fmax(*large, SMALLEST), LARGEST);
    *small = fmin(fmax(*small, SMALLEST), LARGEST);
    if (*large > LARGEST_RATIO * *small) {
        const double mean = sqrt(*large * *small);
        *large = mean * sqrt(LARGEST_RATIO);
        *small = mean / sqrt(LARGEST_RATIO);
    }
}

// A 2 x 2 matrix is the sum of a similarity (e, h) and a reflected similarity (f, g); the sum and
// the difference of their norms are the singular values.
static void local_step(solver *s, int t, bool rigid)
{
    const int *c = &s->chart->triangle[3 * t];
    const double *uv = s->chart->uv;
    const vec2d b = s->flat[3 * t + 1], d = s->flat[3 * t + 2];
    const double u1 = uv[2 * c[1]] - uv[2 * c[0]], v1 = uv[2 * c[1] + 1] - uv[2 * c[0] + 1];
    const double u2 = uv[2 * c[2]] - uv[2 * c[0]], v2 = uv[2 * c[2] + 1] - uv[2 * c[0] + 1];
    const double m00 = u1 / b.x, m10 = v1 / b.x;
    const double m01 = (u2 - m00 * d.x) / d.y, m11 = (v2 - m10 * d.x) / d.y;
    const double e = 0.5 * (m00 + m11), f = 0.5 * (m00 - m11);
    const double g = 0.5 * (m10 + m01), h = 0.5 * (m10 - m01);
    const double similar = hypot(e, h), reflected = hypot(f, g);
    double large = similar + reflected, small = similar - reflected;
    bound_singular_values(&large, &small, rigid);
    const double p = similar > 1e-12 ? 0.5 * (large + small) / similar : 0.0;
    const double q = reflected > 1e-12 ? 0.5 * (large - small) / reflected : 0.0;
    double *target = &s->target[4 * t];
    target[0] = p * e + q * f;
    target[1] = -p * h + q * g;
    target[2] = p * h + q * g;
    target[3] = p * e - q * f;
}

// SOR sweeps; warm started, so a few suffice per iteration.
static void global_step(solver *s)
{
    const double relaxation = 1.6;
    double *uv = s->chart->uv;
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        for (int i = 0; i < s->chart->point_count; ++i) {
            double u = 0.0, v = 0.0, weight = 0.0;
            for (int n = s->first[i]; n < s->first[i + 1]; ++n) {
                const term *w = &s->terms[n];
                const double *m = &s->target[4 * w->triangle];
                u += w->weight * (uv[2 * w->other] + m[0] * w->rest.x + m[1] * w->rest.y);
                v += w->weight * (uv[2 * w->other + 1] + m[2] * w->rest.x + m[3] * w->rest.y);
                weight += w->weight;
            }
            if (!s->chart->on_seam[i]) {
                uv[2 * i] += relaxation * (u / weight - uv[2 * i]);
            }
            uv[2 * i + 1] += relaxation * (v / weight - uv[2 * i + 1]);
        }
    }
}

void uv_chart_solve_arap(uv_chart *chart, const poly_mesh *mesh)
{
    const size_t triangles = (size_t)chart->triangle_count;
    solver s = {
        .chart = chart,
        .flat = coif_arena_new(chart->arena, 3 * triangles, vec2d),
        .weight = coif_arena_new(chart->arena, 3 * triangles, double),
        .target = coif_arena_new(chart->arena, 4 * triangles, double),
        .first = coif_arena_new(chart->arena, chart->point_count + 1, int),
        .terms = coif_arena_new(chart->arena, 6 * triangles, term),
    };
    flatten_triangles(&s, mesh);
    assemble(&s);
    for (int iteration = 0; iteration < RIGID_ITERATIONS + BOUNDED_ITERATIONS; ++iteration) {
        for (int t = 0; t < chart->triangle_count; ++t) {
            local_step(&s, t, iteration < RIGID_ITERATIONS);
        }
        global_step(&s);
    }
}
