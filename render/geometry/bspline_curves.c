#include "render/geometry/bspline_curves.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"

const char *const COIF_CURVE_NAMES[] = {"round", "flat", "linear", NULL};

typedef struct curves_job {
    coif_bspline_curves *curves;
    const coif_strands *strands;
    coif_vec4 *controls; // of the time step
} curves_job;

static coif_vec4 blend(float a, coif_vec4 p, float b, coif_vec4 q)
{
    return (coif_vec4){a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z, a * p.w + b * q.w};
}

// Forward elimination has the pivots p_i = 1 / (4 - p_i-1), which converge to float precision
// within a dozen steps, so a short table serves strands of any length.
enum { PIVOTS = 16 };

static void make_pivots(float pivots[PIVOTS])
{
    double pivot = 0.0;
    for (int i = 0; i < PIVOTS; ++i) {
        pivot = 1.0 / (4.0 - pivot);
        pivots[i] = (float)pivot;
    }
}

static float pivot_at(const float pivots[PIVOTS], int32_t i)
{
    return pivots[i < PIVOTS ? i : PIVOTS - 1];
}

// C_1 = P_0 and C_N = P_N-1 follow from the end conditions; between them
// C_i-1 + 4 C_i + C_i+1 = 6 P_i-1.
static void solve_strand(coif_vec4 *c, const coif_vec4 *p, int32_t n, const float *pivots)
{
    c[1] = p[0];
    c[n] = p[n - 1];
    coif_vec4 previous = p[0];
    for (int32_t i = 2; i < n; ++i) {
        const float pivot = pivot_at(pivots, i - 2);
        previous = blend(6.0f * pivot, p[i - 1], -pivot, previous);
        c[i] = previous;
    }
    for (int32_t i = n - 1; i >= 2; --i) {
        c[i] = blend(1.0f, c[i], -pivot_at(pivots, i - 2), c[i + 1]);
    }
    c[0] = blend(2.0f, c[1], -1.0f, c[2]);
    c[n + 1] = blend(2.0f, c[n], -1.0f, c[n - 1]);
    // The spline of the radius may overshoot below 0 at a pointed tip.
    for (int32_t i = 0; i < n + 2; ++i) {
        c[i].w = c[i].w > 0.0f ? c[i].w : 0.0f;
    }
}

static void copy_strand(coif_vec4 *c, const coif_vec4 *p, int32_t n)
{
    for (int32_t i = 0; i < n; ++i) {
        c[i + 1] = p[i];
    }
    c[0] = c[1];
    c[n + 1] = c[n];
}

static void fill_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const curves_job *job = context;
    coif_bspline_curves *curves = job->curves;
    const bool linear = curves->kind == COIF_CURVE_LINEAR;
    float pivots[PIVOTS];
    make_pivots(pivots);

    for (int32_t s = (int32_t)begin; s < (int32_t)end; ++s) {
        const int32_t first = job->strands->first[s];
        const int32_t n = coif_strands_length(job->strands, s);
        coif_vec4 *controls = job->controls + first + 2 * s;
        if (linear) {
            copy_strand(controls, job->strands->points + first, n);
        } else {
            solve_strand(controls, job->strands->points + first, n, pivots);
        }
        for (int32_t k = 0; k + 1 < n; ++k) {
            curves->indices[first - s + k] = (uint32_t)(first + 2 * s + k + linear);
            if (linear) {
                curves->flags[first - s + k] = (uint8_t)((k > 0) | (k + 2 < n) << 1);
            }
        }
    }
}

// Segments per strand, 0 where they differ.
static int32_t uniform_segment_count(const coif_strands *strands)
{
    const int32_t points = strands->strand_count > 0 ? coif_strands_length(strands, 0) : 0;
    for (int32_t s = 1; s < strands->strand_count; ++s) {
        if (coif_strands_length(strands, s) != points) {
            return 0;
        }
    }
    return points > 1 ? points - 1 : 0;
}

coif_status coif_bspline_curves_alloc(coif_bspline_curves *curves, const coif_strands *strands,
                                      coif_curve_kind kind, int32_t step_count, coif_arena *arena,
                                      coif_error *error)
{
    const int64_t control_count =
        (int64_t)strands->point_count + 2 * (int64_t)strands->strand_count;
    if (control_count > INT32_MAX) {
        return coif_fail(error, COIF_ERR_MEMORY, "%d strands with %d points are too many to draw",
                         strands->strand_count, strands->point_count);
    }
    *curves = (coif_bspline_curves){
        .kind = kind,
        .strand_count = strands->strand_count,
        .control_count = (int32_t)control_count,
        .segment_count = strands->point_count - strands->strand_count,
        .step_count = step_count,
        .segments_per_strand = uniform_segment_count(strands),
    };
    curves->controls = coif_arena_new(arena, (size_t)control_count * (size_t)step_count, coif_vec4);
    curves->indices = coif_arena_new(arena, curves->segment_count, uint32_t);
    if (kind == COIF_CURVE_LINEAR) {
        curves->flags = coif_arena_new(arena, curves->segment_count, uint8_t);
    }
    return COIF_OK;
}

void coif_bspline_curves_fill(coif_bspline_curves *curves, int32_t step,
                              const coif_strands *strands, coif_jobs *jobs)
{
    curves_job job = {curves, strands, coif_bspline_curves_step(curves, step)};
    coif_parallel_for(jobs, strands->strand_count, 256, fill_strands, &job);
}

coif_status coif_bspline_curves_init(coif_bspline_curves *curves, const coif_strands *strands,
                                     coif_curve_kind kind, coif_arena *arena, coif_jobs *jobs,
                                     coif_error *error)
{
    COIF_TRY(coif_bspline_curves_alloc(curves, strands, kind, 1, arena, error));
    coif_bspline_curves_fill(curves, 0, strands, jobs);
    return COIF_OK;
}

// The control points of a moving segment at a time.
static void mix_steps(coif_vec4 *mixed, const coif_bspline_curves *curves, coif_curve_coord coord)
{
    float t;
    const int32_t step = coif_motion_step_at(curves->step_count, coord.time, &t);
    const coif_vec4 *a =
        coif_bspline_curves_step(curves, step) + coif_bspline_curves_first(curves, coord.segment);
    const coif_vec4 *b = a + curves->control_count;
    const int count = curves->kind == COIF_CURVE_LINEAR ? 2 : 4;
    for (int i = 0; i < count; ++i) {
        mixed[i] = blend(1.0f - t, a[i], t, b[i]);
    }
}

// Cubic B-spline basis.
typedef struct basis {
    float b[4];
} basis;

static basis basis_at(float u)
{
    const float v = 1.0f - u;
    return (basis){{
        v * v * v * (1.0f / 6.0f),
        (4.0f + u * u * (3.0f * u - 6.0f)) * (1.0f / 6.0f),
        (4.0f + v * v * (3.0f * v - 6.0f)) * (1.0f / 6.0f),
        u * u * u * (1.0f / 6.0f),
    }};
}

void coif_bspline_curves_at(const coif_bspline_curves *curves, coif_curve_coord coord,
                            coif_vec4 *point, coif_vec4 *derivative)
{
    coif_vec4 mixed[4];
    const coif_vec4 *c = curves->controls + coif_bspline_curves_first(curves, coord.segment);
    if (curves->step_count > 1) {
        mix_steps(mixed, curves, coord);
        c = mixed;
    }
    const float u = coord.u;
    if (curves->kind == COIF_CURVE_LINEAR) {
        *point = blend(1.0f - u, c[0], u, c[1]);
        *derivative = blend(-1.0f, c[0], 1.0f, c[1]);
        return;
    }
    const float v = 1.0f - u;
    const basis w = basis_at(u);
    const coif_vec4 outer = blend(w.b[0], c[0], w.b[3], c[3]);
    const coif_vec4 inner = blend(w.b[1], c[1], w.b[2], c[2]);
    *point = blend(1.0f, outer, 1.0f, inner);
    const float d0 = -0.5f * v * v, d3 = 0.5f * u * u;
    const float d1 = 0.5f * u * (3.0f * u - 4.0f), d2 = -0.5f * v * (3.0f * v - 4.0f);
    *derivative = blend(1.0f, blend(d0, c[0], d3, c[3]), 1.0f, blend(d1, c[1], d2, c[2]));
}

// A value per control point at a position on its segment.
static float interpolate(const coif_bspline_curves *curves, const float *values,
                         coif_curve_coord coord)
{
    const float *c = values + coif_bspline_curves_first(curves, coord.segment);
    if (curves->kind == COIF_CURVE_LINEAR) {
        return (1.0f - coord.u) * c[0] + coord.u * c[1];
    }
    const basis w = basis_at(coord.u);
    return (w.b[0] * c[0] + w.b[3] * c[3]) + (w.b[1] * c[1] + w.b[2] * c[2]);
}

float coif_bspline_curves_opacity(const coif_bspline_curves *curves, coif_curve_coord coord)
{
    const float own = curves->opacity != NULL ? interpolate(curves, curves->opacity, coord) : 1.0f;
    if (curves->true_radius == NULL) {
        return own;
    }
    coif_vec4 point, along;
    coif_bspline_curves_at(curves, coord, &point, &along);
    const float radius = interpolate(curves, curves->true_radius, coord);
    return radius < point.w ? own * (radius / point.w) : own;
}

coif_vec3 coif_bspline_curves_normal(const coif_bspline_curves *curves, coif_curve_coord coord)
{
    float t = 0.0f;
    const int32_t step =
        curves->step_count > 1 ? coif_motion_step_at(curves->step_count, coord.time, &t) : 0;
    const size_t count = (size_t)curves->control_count;
    const coif_vec3 *n =
        curves->normals + (size_t)step * count + coif_bspline_curves_first(curves, coord.segment);
    const bool linear = curves->kind == COIF_CURVE_LINEAR;
    const basis w = linear ? (basis){{1.0f - coord.u, coord.u, 0.0f, 0.0f}} : basis_at(coord.u);
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < (linear ? 2 : 4); ++i) {
        sum = coif_mad(sum, w.b[i] * (1.0f - t), n[i]);
        if (t > 0.0f) {
            sum = coif_mad(sum, w.b[i] * t, n[count + (size_t)i]);
        }
    }
    return sum;
}

float coif_curve_offset(coif_curve_kind kind, float v, coif_vec3 normal, coif_vec3 y, coif_vec3 z)
{
    if (kind == COIF_CURVE_FLAT) {
        return coif_clamp(-v, -1.0f, 1.0f);
    }
    const float up = coif_dot(normal, y), aside = coif_dot(normal, z);
    const float length = sqrtf(up * up + aside * aside);
    return length > 0.0f ? coif_clamp(-aside / length, -1.0f, 1.0f) : 0.0f;
}

void coif_bspline_curves_widen_sections(coif_bspline_curves *curves, int32_t step,
                                        const coif_strands *strands)
{
    coif_vec4 *controls = coif_bspline_curves_step(curves, step);
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const float ratio = curves->section_ratio[s];
        const int32_t end = strands->first[s + 1] + 2 * (s + 1);
        for (int32_t i = strands->first[s] + 2 * s; i < end && ratio > 1.0f; ++i) {
            controls[i].w *= sqrtf(ratio);
        }
    }
}
