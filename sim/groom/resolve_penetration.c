#include "sim/groom/resolve_penetration.h"

#include "core/base/jobs.h"

enum { ATTEMPTS = 32, BLOCK = 64 };

// Near the root hair must touch the scalp: the clearance grows with arc length at this rate.
static const float CLEARANCE_SLOPE = 0.3f;

typedef struct penetration_ctx {
    coif_strand_buffer *buffer;
    const coif_collider *body;
    const coif_param_values *clearance;
} penetration_ctx;

typedef struct segment {
    coif_vec3 from, to;
    float length, min_distance; // min_distance: of its end from the body
    int32_t hint;
} segment;

// Rotates the segment until its end is clear: moves the end out along the normal, then restores
// the length.
static void rotate_out(segment *seg, const coif_collider *body)
{
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        const coif_closest_point_query query = {.position = seg->to,
                                                .max_distance =
                                                    seg->min_distance + 2.0f * seg->length,
                                                .hint = seg->hint};
        coif_closest_point nearest;
        if (!coif_collider_closest_point(&nearest, body, &query)) {
            return;
        }
        seg->hint = nearest.triangle;
        // 2 % less is accepted; exact convergence would use up the iterations.
        if (nearest.distance >= 0.98f * seg->min_distance) {
            return;
        }
        seg->to = coif_mad(seg->to, seg->min_distance - nearest.distance, nearest.normal);
        const coif_vec3 direction = coif_sub(seg->to, seg->from);
        const float length = coif_length(direction);
        seg->to = length > 0.0f ? coif_mad(seg->from, seg->length / length, direction)
                                : coif_mad(seg->from, seg->length, nearest.normal);
    }
}

static void resolve_strand(const penetration_ctx *ctx, int32_t strand)
{
    coif_strand_buffer *g = ctx->buffer;
    const float clearance = ctx->clearance->per_strand != NULL ? ctx->clearance->per_strand[strand]
                                                               : ctx->clearance->constant;
    segment seg = {.hint = -1};
    coif_vec3 offset = {0.0f, 0.0f, 0.0f};
    float arc_length = 0.0f;
    for (int32_t i = g->first[strand] + 1; i < g->first[strand + 1]; ++i) {
        const coif_vec3 from = coif_vec3_of(g->x[i - 1], g->y[i - 1], g->z[i - 1]);
        const coif_vec3 original = coif_vec3_of(g->x[i], g->y[i], g->z[i]);
        // Points before this one have been moved by the offset already.
        seg.from = from;
        seg.to = coif_add(original, offset);
        seg.length = coif_length(coif_sub(seg.to, from));
        arc_length += seg.length;
        const float *per_point = ctx->clearance->per_point;
        const float min_distance = (per_point != NULL ? per_point[i] : clearance) + g->radius[i];
        seg.min_distance = CLEARANCE_SLOPE * arc_length < min_distance
                               ? CLEARANCE_SLOPE * arc_length
                               : min_distance;
        const coif_vec3 unresolved = seg.to;
        rotate_out(&seg, ctx->body);
        const coif_vec3 correction = coif_sub(seg.to, unresolved);
        if (correction.x != 0.0f || correction.y != 0.0f || correction.z != 0.0f) {
            offset = coif_add(offset, correction);
        }
        g->x[i] = seg.to.x;
        g->y[i] = seg.to.y;
        g->z[i] = seg.to.z;
    }
}

static void resolve_block(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    for (int64_t s = begin; s < end; ++s) {
        resolve_strand(context, (int32_t)s);
    }
}

void coif_resolve_penetration(coif_strand_buffer *buffer, const coif_collider *body,
                              const coif_param_values *clearance, coif_jobs *jobs)
{
    penetration_ctx ctx = {buffer, body, clearance};
    coif_parallel_for(jobs, buffer->strand_count, BLOCK, resolve_block, &ctx);
}
