#include "sim/groom/strand_resample.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "core/hair/strands.h"

#include <string.h>

enum { BLOCK = 256, STEP = 8 };

static coif_vec3 point_of(const coif_strand_buffer *growth, int32_t point)
{
    return coif_vec3_of(growth->x[point], growth->y[point], growth->z[point]);
}

static float segment_of(const coif_strand_buffer *growth, int32_t point)
{
    return coif_length(coif_sub(point_of(growth, point + 1), point_of(growth, point)));
}

static float length_of(const coif_strand_buffer *growth, int32_t strand)
{
    float length = 0.0f;
    for (int32_t i = growth->first[strand]; i + 1 < growth->first[strand + 1]; ++i) {
        length += segment_of(growth, i);
    }
    return length;
}

static coif_vec3 curve_at(const coif_vec3 p[4], float t)
{
    const float a = 0.5f * (-t + 2.0f * t * t - t * t * t);
    const float b = 0.5f * (2.0f - 5.0f * t * t + 3.0f * t * t * t);
    const float c = 0.5f * (t + 4.0f * t * t - 3.0f * t * t * t);
    const float d = 0.5f * (t * t * t - t * t);
    return coif_mad(coif_mad(coif_mad(coif_scale(p[0], a), b, p[1]), c, p[2]), d, p[3]);
}

static void put(const coif_strand_buffer *to, int32_t point, coif_vec3 at, float radius,
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

// Where the curve would go on past its end: a parabola through the last three points.
static coif_vec3 beyond(const coif_strand_buffer *growth, const int32_t ends[2], int32_t end,
                        int32_t in)
{
    const coif_vec3 a = point_of(growth, end), b = point_of(growth, end + in);
    if (ends[1] - ends[0] < 2) {
        return coif_sub(coif_scale(a, 2.0f), b);
    }
    const coif_vec3 c = point_of(growth, end + 2 * in);
    return coif_add(coif_scale(coif_sub(a, b), 3.0f), c);
}

// The point that lies t of the way from one old point to the next.
static void put_between(const coif_strand_buffer *to, int32_t point, const coif_strand_buffer *from,
                        const int32_t ends[2], int32_t at, float t)
{
    const coif_vec3 p[4] = {at > ends[0] ? point_of(from, at - 1) : beyond(from, ends, ends[0], 1),
                            point_of(from, at), point_of(from, at + 1),
                            at + 1 < ends[1] ? point_of(from, at + 2)
                                             : beyond(from, ends, ends[1], -1)};
    const float radius = from->radius[at] + t * (from->radius[at + 1] - from->radius[at]);
    const float origin = from->origin != NULL
                             ? from->origin[at] + t * (from->origin[at + 1] - from->origin[at])
                             : 0.0f;
    put(to, point, curve_at(p, t), radius, origin);
}

static void redraw(const coif_strand_buffer *to, const coif_strand_buffer *from, int32_t strand)
{
    const int32_t ends[2] = {from->first[strand], from->first[strand + 1] - 1};
    const int32_t first = to->first[strand], last = to->first[strand + 1] - 1;
    const float step = length_of(from, strand) / (float)(last - first);
    int32_t at = ends[0];
    float begin = 0.0f, span = segment_of(from, at);
    for (int32_t i = first + 1; i < last; ++i) {
        const float wanted = (float)(i - first) * step;
        while (at + 1 < ends[1] && begin + span < wanted) {
            begin += span;
            span = segment_of(from, ++at);
        }
        const float t = span > 0.0f ? coif_clamp((wanted - begin) / span, 0.0f, 1.0f) : 0.0f;
        put_between(to, i, from, ends, at, t);
    }
    put(to, first, point_of(from, ends[0]), from->radius[ends[0]],
        from->origin != NULL ? from->origin[ends[0]] : 0.0f);
    put(to, last, point_of(from, ends[1]), from->radius[ends[1]],
        from->origin != NULL ? from->origin[ends[1]] : 0.0f);
}

typedef struct refining {
    const coif_strand_buffer *from, *to;
} refining;

static void refine_block(void *context, int64_t begin, int64_t end, int worker)
{
    const refining *all = context;
    (void)worker;
    for (int32_t s = (int32_t)begin; s < (int32_t)end; ++s) {
        const int32_t old = all->from->first[s], first = all->to->first[s];
        const int32_t count = all->from->first[s + 1] - old;
        if (all->to->first[s + 1] - first != count) {
            redraw(all->to, all->from, s);
            continue;
        }
        const size_t bytes = sizeof(float) * (size_t)count;
        memcpy(all->to->x + first, all->from->x + old, bytes);
        memcpy(all->to->y + first, all->from->y + old, bytes);
        memcpy(all->to->z + first, all->from->z + old, bytes);
        memcpy(all->to->radius + first, all->from->radius + old, bytes);
        if (all->to->origin != NULL) {
            memcpy(all->to->origin + first, all->from->origin + old, bytes);
        }
    }
}

// How many points a strand needs, and how many it gets.
static int32_t count_for(coif_resample_result *granted, const coif_strand_buffer *growth,
                         int32_t strand, const coif_resample_request *wish)
{
    const int32_t has = growth->first[strand + 1] - growth->first[strand];
    const float longest = wish->longest[strand];
    const float segments = longest > 0.0f ? length_of(growth, strand) / longest : 0.0f;
    // Rounding must not ask for a whole step more.
    const int32_t needed = 1 + (int32_t)ceilf(coif_clamp(0.9999f * segments, 0.0f, 1e6f));
    granted->needed = needed > granted->needed ? needed : granted->needed;
    if (needed <= has) {
        return has;
    }
    const int32_t even = (needed + STEP - 1) / STEP * STEP;
    const int32_t given = even < wish->most ? even : wish->most;
    return given > has ? given : has;
}

// The growth gets new arrays with these offsets.
static void redraw_all(coif_strand_buffer *growth, const int32_t *first, coif_jobs *jobs)
{
    const int64_t total = first[growth->strand_count];
    coif_strand_buffer finer = *growth;
    finer.first = first;
    finer.point_count = (int32_t)total;
    finer.x = coif_arena_new(growth->arena, total, float);
    finer.y = coif_arena_new(growth->arena, total, float);
    finer.z = coif_arena_new(growth->arena, total, float);
    finer.radius = coif_arena_new(growth->arena, total, float);
    finer.origin = growth->origin != NULL ? coif_arena_new(growth->arena, total, float) : NULL;
    refining all = {.from = growth, .to = &finer};
    coif_parallel_for(jobs, growth->strand_count, BLOCK, refine_block, &all);
    *growth = finer;
}

coif_resample_result coif_strand_buffer_refine(coif_strand_buffer *growth,
                                               const coif_resample_request *wish, coif_jobs *jobs)
{
    const int32_t strands = growth->strand_count;
    coif_resample_result granted = {0, 0};
    int32_t *first = coif_arena_new(growth->arena, strands + 1, int32_t);
    int64_t total = 0;
    for (int32_t s = 0; s < strands; ++s) {
        const int32_t count = count_for(&granted, growth, s, wish);
        granted.given = count > granted.given ? count : granted.given;
        total += count;
        first[s + 1] = (int32_t)(total < INT32_MAX ? total : INT32_MAX);
    }
    // Nothing to do, or more than fits: the groom stays as it is.
    if (total != growth->point_count && total <= COIF_MAX_POINTS) {
        redraw_all(growth, first, jobs);
    }
    return granted;
}

void coif_strand_buffer_resample(coif_strand_buffer *growth, const int32_t *counts, coif_jobs *jobs)
{
    bool same = true;
    int32_t *first = coif_arena_new(growth->arena, growth->strand_count + 1, int32_t);
    for (int32_t s = 0; s < growth->strand_count; ++s) {
        first[s + 1] = first[s] + counts[s];
        same = same && counts[s] == growth->first[s + 1] - growth->first[s];
    }
    if (!same) {
        redraw_all(growth, first, jobs);
    }
}
