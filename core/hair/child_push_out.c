#include "core/hair/child_push_out.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "core/collision/posed_surface.h"

enum { STRANDS_PER_JOB = 256, MAX_ITERATIONS = 32 };

// The distance grows from the root at this rate of the arc length: hair must touch the scalp there.
static const float ROOT_SLOPE = 0.3f;

// Slightly less is accepted; exact convergence would use up the iterations.
static const float ACCEPTED = 0.98f;

typedef struct push_ctx {
    coif_strands *all;
    const bool *simulated;
    coif_posed_surface surface;
} push_ctx;

typedef struct child_segment {
    coif_vec3 from, to;
    float length, min_distance;
} child_segment;

static void rotate_out(child_segment *segment, coif_surface_sample *sample,
                       const coif_posed_surface *surface)
{
    for (int i = 0; i < MAX_ITERATIONS; ++i) {
        segment->to =
            coif_mad(segment->to, segment->min_distance - sample->distance, sample->normal);
        const coif_vec3 direction = coif_sub(segment->to, segment->from);
        const float length = coif_length(direction);
        segment->to = length > 0.0f ? coif_mad(segment->from, segment->length / length, direction)
                                    : coif_mad(segment->from, segment->length, sample->normal);
        if (!coif_posed_surface_sample(sample, surface, segment->to, segment->min_distance) ||
            sample->distance >= ACCEPTED * segment->min_distance) {
            return;
        }
    }
}

// Distance that point k keeps.
static float min_distance_at(const coif_vec4 *points, int32_t k)
{
    const float clearance = COIF_CHILD_CLEARANCE + points[k].w;
    float arc_length = 0.0f;
    for (int32_t i = 1; i <= k && ROOT_SLOPE * arc_length < clearance; ++i) {
        arc_length += coif_length(coif_sub(coif_vec4_xyz(points[i]), coif_vec4_xyz(points[i - 1])));
    }
    return fminf(clearance, ROOT_SLOPE * arc_length);
}

// First point from k on that is too close to the surface.
static int32_t find_penetration(const push_ctx *ctx, const coif_vec4 *points, int32_t k,
                                int32_t count, coif_surface_sample *sample)
{
    for (; k < count; k += 4) {
        coif_vec4 group[4];
        float widest = 0.0f;
        for (int i = 0; i < 4; ++i) {
            group[i] = points[k + i < count ? k + i : count - 1];
            widest = fmaxf(widest, group[i].w);
        }
        const simd_float4 bounds =
            coif_posed_surface_bounds4(&ctx->surface, group, COIF_CHILD_CLEARANCE + widest);
        for (int i = 0; i < 4 && k + i < count; ++i) {
            if (bounds[i] < 0.0f) {
                const float min_distance = min_distance_at(points, k + i);
                if (coif_posed_surface_sample(sample, &ctx->surface, coif_vec4_xyz(group[i]),
                                              min_distance) &&
                    sample->distance < ACCEPTED * min_distance) {
                    return k + i;
                }
            }
        }
    }
    return count;
}

// Rotates the segment that ends at point k out of the body, then those behind it, whose
// predecessors have moved.
static void push_from(const push_ctx *ctx, coif_vec4 *points, int32_t k, int32_t count,
                      coif_surface_sample *sample)
{
    child_segment segment = {.to = coif_vec4_xyz(points[k - 1])};
    coif_vec3 original_from = segment.to;
    const int32_t first = k;
    float free = 0.0f; // lower bound of the distance at the end of the segment
    for (; k < count; ++k) {
        const coif_vec3 original = coif_vec4_xyz(points[k]);
        const float min_distance = min_distance_at(points, k);
        segment.from = segment.to;
        segment.length = coif_length(coif_sub(original, original_from));
        segment.min_distance = min_distance;
        original_from = original;
        const coif_vec3 direction = coif_sub(original, segment.from);
        const float length = coif_length(direction);
        segment.to = k == first      ? original
                     : length > 0.0f ? coif_mad(segment.from, segment.length / length, direction)
                                     : segment.from;
        free -= 1.0001f * segment.length;
        if (free < min_distance) {
            if (coif_posed_surface_sample(sample, &ctx->surface, segment.to, min_distance) &&
                sample->distance < ACCEPTED * min_distance) {
                rotate_out(&segment, sample, &ctx->surface);
                sample->distance = 0.0f;
            }
            free = sample->distance;
        }
        points[k] = (coif_vec4){segment.to.x, segment.to.y, segment.to.z, points[k].w};
    }
}

static void push_children(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const push_ctx *ctx = context;
    for (int64_t s = begin; s < end; ++s) {
        if (!ctx->simulated[s]) {
            coif_vec4 *points = ctx->all->points + ctx->all->first[s];
            const int32_t count = coif_strands_length(ctx->all, (int32_t)s);
            coif_surface_sample sample = {.hint = -1};
            const int32_t k = find_penetration(ctx, points, 1, count, &sample);
            push_from(ctx, points, k, count, &sample);
        }
    }
}

void coif_push_children_out(coif_strands *all, const coif_groom *groom, const coif_collider *body,
                            float time, coif_jobs *jobs)
{
    if (groom->simulated_count == all->strand_count) {
        return;
    }
    COIF_SCOPED_ARENA(scratch, "push children out");
    bool *simulated = coif_arena_new(&scratch, all->strand_count, bool);
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        simulated[groom->simulated[i]] = true;
    }
    push_ctx ctx = {.all = all, .simulated = simulated};
    coif_posed_surface_init(&ctx.surface, body, time);
    coif_parallel_for(jobs, all->strand_count, STRANDS_PER_JOB, push_children, &ctx);
}

void coif_child_collider_build(coif_collider *collider, const coif_mesh *rest, coif_arena *arena)
{
    coif_collider_build(collider, rest, arena);
    coif_collider_build_sdf(collider, rest, arena);
}
