#include "sim/groom/strand_resample.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/hair/strands.h"
#include "sim/groom/strand_buffer.h"

#include <string.h>

enum { BLOCK = 256, COUNT_MULTIPLE = 8 };

static coif_vec3 point_of(const coif_strand_buffer *buffer, int32_t point)
{
    return coif_vec3_of(buffer->x[point], buffer->y[point], buffer->z[point]);
}

static float segment_length(const coif_strand_buffer *buffer, int32_t point)
{
    return coif_length(coif_sub(point_of(buffer, point + 1), point_of(buffer, point)));
}

static float strand_length(const coif_strand_buffer *buffer, int32_t strand)
{
    float length = 0.0f;
    for (int32_t i = buffer->first[strand]; i + 1 < buffer->first[strand + 1]; ++i) {
        length += segment_length(buffer, i);
    }
    return length;
}

static coif_vec3 catmull_rom(const coif_vec3 p[4], float t)
{
    const float a = 0.5f * (-t + 2.0f * t * t - t * t * t);
    const float b = 0.5f * (2.0f - 5.0f * t * t + 3.0f * t * t * t);
    const float c = 0.5f * (t + 4.0f * t * t - 3.0f * t * t * t);
    const float d = 0.5f * (t * t * t - t * t);
    return coif_mad(coif_mad(coif_mad(coif_scale(p[0], a), b, p[1]), c, p[2]), d, p[3]);
}

static void set_point(coif_strand_buffer *to, int32_t point, coif_vec3 at, float radius,
                      float origin)
{
    to->x[point] = at.x;
    to->y[point] = at.y;
    to->z[point] = at.z;
    to->radius[point] = radius;
    if (to->origin != NULL) {
        to->origin[point] = origin;
    }
}

// End point of the spline: parabola through the last three points.
static coif_vec3 extrapolate(const coif_strand_buffer *buffer, const int32_t ends[2], int32_t end,
                             int32_t in)
{
    const coif_vec3 a = point_of(buffer, end), b = point_of(buffer, end + in);
    if (ends[1] - ends[0] < 2) {
        return coif_sub(coif_scale(a, 2.0f), b);
    }
    const coif_vec3 c = point_of(buffer, end + 2 * in);
    return coif_add(coif_scale(coif_sub(a, b), 3.0f), c);
}

// Spline point at parameter t after an old point.
static void set_interpolated(coif_strand_buffer *to, int32_t point, const coif_strand_buffer *from,
                             const int32_t ends[2], int32_t at, float t)
{
    const coif_vec3 p[4] = {
        at > ends[0] ? point_of(from, at - 1) : extrapolate(from, ends, ends[0], 1),
        point_of(from, at), point_of(from, at + 1),
        at + 1 < ends[1] ? point_of(from, at + 2) : extrapolate(from, ends, ends[1], -1)};
    const float radius = from->radius[at] + t * (from->radius[at + 1] - from->radius[at]);
    const float origin = from->origin != NULL
                             ? from->origin[at] + t * (from->origin[at + 1] - from->origin[at])
                             : 0.0f;
    set_point(to, point, catmull_rom(p, t), radius, origin);
}

static void resample_strand(coif_strand_buffer *to, const coif_strand_buffer *from, int32_t strand)
{
    const int32_t ends[2] = {from->first[strand], from->first[strand + 1] - 1};
    const int32_t first = to->first[strand], last = to->first[strand + 1] - 1;
    const float step = strand_length(from, strand) / (float)(last - first);
    int32_t at = ends[0];
    float begin = 0.0f, span = segment_length(from, at);
    for (int32_t i = first + 1; i < last; ++i) {
        const float arc_length = (float)(i - first) * step;
        while (at + 1 < ends[1] && begin + span < arc_length) {
            begin += span;
            span = segment_length(from, ++at);
        }
        const float t = span > 0.0f ? coif_clamp((arc_length - begin) / span, 0.0f, 1.0f) : 0.0f;
        set_interpolated(to, i, from, ends, at, t);
    }
    set_point(to, first, point_of(from, ends[0]), from->radius[ends[0]],
              from->origin != NULL ? from->origin[ends[0]] : 0.0f);
    set_point(to, last, point_of(from, ends[1]), from->radius[ends[1]],
              from->origin != NULL ? from->origin[ends[1]] : 0.0f);
}

typedef struct resampling {
    const coif_strand_buffer *from;
    coif_strand_buffer *to;
} resampling;

static void resample_block(void *context, int64_t begin, int64_t end, int worker)
{
    const resampling *ctx = context;
    (void)worker;
    for (int32_t s = (int32_t)begin; s < (int32_t)end; ++s) {
        const int32_t old = ctx->from->first[s], first = ctx->to->first[s];
        const int32_t count = ctx->from->first[s + 1] - old;
        if (ctx->to->first[s + 1] - first != count) {
            resample_strand(ctx->to, ctx->from, s);
            continue;
        }
        const size_t bytes = sizeof(float) * (size_t)count;
        memcpy(ctx->to->x + first, ctx->from->x + old, bytes);
        memcpy(ctx->to->y + first, ctx->from->y + old, bytes);
        memcpy(ctx->to->z + first, ctx->from->z + old, bytes);
        memcpy(ctx->to->radius + first, ctx->from->radius + old, bytes);
        if (ctx->to->origin != NULL) {
            memcpy(ctx->to->origin + first, ctx->from->origin + old, bytes);
        }
    }
}

// Number of points that a strand needs and gets.
static int32_t choose_count(coif_resample_result *result, const coif_strand_buffer *buffer,
                            int32_t strand, const coif_resample_request *request)
{
    const int32_t has = buffer->first[strand + 1] - buffer->first[strand];
    const float max_segment = request->max_segment[strand];
    const float segments = max_segment > 0.0f ? strand_length(buffer, strand) / max_segment : 0.0f;
    // Rounding errors must not add a whole step.
    const int32_t needed = 1 + (int32_t)ceilf(coif_clamp(0.9999f * segments, 0.0f, 1e6f));
    result->needed = needed > result->needed ? needed : result->needed;
    if (needed <= has) {
        return has;
    }
    const int32_t rounded = (needed + COUNT_MULTIPLE - 1) / COUNT_MULTIPLE * COUNT_MULTIPLE;
    const int32_t count = rounded < request->max_points ? rounded : request->max_points;
    return count > has ? count : has;
}

// Replaces the arrays by ones with these offsets.
static void resample_all(coif_strand_buffer *buffer, const int32_t *first, coif_jobs *jobs)
{
    const int64_t total = first[buffer->strand_count];
    coif_strand_buffer finer = *buffer;
    finer.first = first;
    finer.point_count = (int32_t)total;
    finer.x = coif_arena_new(buffer->arena, total, float);
    finer.y = coif_arena_new(buffer->arena, total, float);
    finer.z = coif_arena_new(buffer->arena, total, float);
    finer.radius = coif_arena_new(buffer->arena, total, float);
    finer.origin = buffer->origin != NULL ? coif_arena_new(buffer->arena, total, float) : NULL;
    resampling ctx = {.from = buffer, .to = &finer};
    coif_parallel_for(jobs, buffer->strand_count, BLOCK, resample_block, &ctx);
    *buffer = finer;
}

coif_resample_result coif_strand_buffer_refine(coif_strand_buffer *buffer,
                                               const coif_resample_request *request,
                                               coif_jobs *jobs)
{
    const int32_t strands = buffer->strand_count;
    coif_resample_result result = {0, 0};
    int32_t *first = coif_arena_new(buffer->arena, strands + 1, int32_t);
    int64_t total = 0;
    for (int32_t s = 0; s < strands; ++s) {
        const int32_t count = choose_count(&result, buffer, s, request);
        result.given = count > result.given ? count : result.given;
        total += count;
        first[s + 1] = (int32_t)(total < INT32_MAX ? total : INT32_MAX);
    }
    // Unchanged, or too many points: the buffer stays as it is.
    if (total != buffer->point_count && total <= COIF_MAX_POINTS) {
        resample_all(buffer, first, jobs);
    }
    return result;
}

coif_status coif_strand_buffer_resample(coif_strand_buffer *buffer, const int32_t *counts,
                                        coif_jobs *jobs, coif_error *error)
{
    COIF_TRY(coif_strand_buffer_check_total(counts, buffer->strand_count, error));
    bool same = true;
    int32_t *first = coif_arena_new(buffer->arena, buffer->strand_count + 1, int32_t);
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        first[s + 1] = first[s] + counts[s];
        same = same && counts[s] == buffer->first[s + 1] - buffer->first[s];
    }
    if (!same) {
        resample_all(buffer, first, jobs);
    }
    return COIF_OK;
}
