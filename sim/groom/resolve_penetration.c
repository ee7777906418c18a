#include "sim/groom/resolve_penetration.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"

#include <math.h>

enum { ATTEMPTS = 32, BLOCK = 64 };

typedef struct penetration_ctx {
    coif_strand_buffer *buffer;
    const coif_collider *body;
    const coif_param_values *clearance;
} penetration_ctx;

bool coif_segment_rotate_out(coif_penetrating_segment *seg, const coif_collider *body)
{
    if (seg->sdf != NULL && coif_sdf_outside_bound(seg->sdf, seg->to) >= seg->min_distance) {
        return true;
    }
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        const coif_closest_point_query query = {
            .position = seg->to,
            .max_distance = seg->min_distance + 2.0f * seg->length + body->surface.margin,
            .hint = seg->hint};
        coif_closest_point nearest;
        if (!coif_collider_closest_point(&nearest, body, &query)) {
            return true;
        }
        coif_contact_surface_apply(&body->surface, &nearest);
        seg->hint = nearest.triangle;
        // 2 % less is accepted; exact convergence would use up the iterations.
        if (nearest.distance >= 0.98f * seg->min_distance) {
            return true;
        }
        seg->to = coif_mad(seg->to, seg->min_distance - nearest.distance, nearest.normal);
        const coif_vec3 direction = coif_sub(seg->to, seg->from);
        const float length = coif_length(direction);
        seg->to = length > 0.0f ? coif_mad(seg->from, seg->length / length, direction)
                                : coif_mad(seg->from, seg->length, nearest.normal);
    }
    return false;
}

static void resolve_strand(const penetration_ctx *ctx, int32_t strand)
{
    coif_strand_buffer *g = ctx->buffer;
    const float clearance = ctx->clearance->per_strand != NULL ? ctx->clearance->per_strand[strand]
                                                               : ctx->clearance->constant;
    coif_penetrating_segment seg = {.hint = -1};
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
        seg.min_distance = coif_min_distance_near_root(min_distance, arc_length);
        const coif_vec3 unresolved = seg.to;
        coif_segment_rotate_out(&seg, ctx->body);
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

typedef struct measure_ctx {
    const coif_strand_buffer *buffer;
    const coif_collider *body;
    float tolerance;
    coif_penetration *strands;
} measure_ctx;

static void measure_block(void *context, int64_t begin, int64_t end, int worker)
{
    const measure_ctx *ctx = context;
    const coif_strand_buffer *b = ctx->buffer;
    (void)worker;
    for (int64_t s = begin; s < end; ++s) {
        coif_closest_point_query query = {.max_distance = 1e6f, .hint = -1};
        for (int32_t i = b->first[s]; i < b->first[s + 1]; ++i) {
            coif_closest_point nearest;
            query.position = coif_vec3_of(b->x[i], b->y[i], b->z[i]);
            if (!coif_collider_closest_point(&nearest, ctx->body, &query)) {
                break;
            }
            query.hint = nearest.triangle;
            ctx->strands[s].count += nearest.distance < -ctx->tolerance;
            ctx->strands[s].depth = fmaxf(ctx->strands[s].depth, -nearest.distance);
        }
    }
}

coif_penetration coif_measure_penetration(const coif_strand_buffer *buffer,
                                          const coif_collider *body, float tolerance,
                                          coif_jobs *jobs)
{
    COIF_SCOPED_ARENA(scratch, "penetration");
    measure_ctx ctx = {buffer, body, tolerance,
                       coif_arena_new(&scratch, buffer->strand_count, coif_penetration)};
    coif_parallel_for(jobs, buffer->strand_count, BLOCK, measure_block, &ctx);
    coif_penetration all = {0};
    for (int32_t s = 0; s < buffer->strand_count; ++s) {
        all.count += ctx.strands[s].count;
        all.depth = fmaxf(all.depth, ctx.strands[s].depth);
    }
    return all;
}
