// Points pushed out of posed colliders.
#include "sim/cache/push_out.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "sim/groom/resolve_penetration.h"

enum { STRANDS_PER_JOB = 64, MAX_PASSES = 4 };

typedef struct push_ctx {
    coif_strands *strands;
    const coif_push_out_desc *desc;
    float *distances; // per point: how far it moved
} push_ctx;

// Several colliders are resolved in turn until none moves the end.
static void resolve(coif_penetrating_segment *seg, const coif_push_out_desc *desc)
{
    for (int pass = 0; pass < MAX_PASSES; ++pass) {
        const coif_vec3 before = seg->to;
        for (int32_t c = 0; c < desc->collider_count; ++c) {
            seg->hint = desc->collider_count > 1 ? -1 : seg->hint; // triangles of another mesh
            coif_segment_rotate_out(seg, &desc->colliders[c]);
        }
        const coif_vec3 moved = coif_sub(seg->to, before);
        if (desc->collider_count < 2 || coif_dot(moved, moved) == 0.0f) {
            return;
        }
    }
}

static void push_strand(const push_ctx *ctx, int32_t strand)
{
    const coif_strands *strands = ctx->strands;
    coif_vec4 *points = strands->points + strands->first[strand];
    float *distances = ctx->distances + strands->first[strand];
    coif_penetrating_segment seg = {.hint = -1};
    coif_vec3 original_from = coif_vec4_xyz(points[0]);
    float arc_length = 0.0f;
    bool moved = false;
    for (int32_t k = 1; k < coif_strands_length(strands, strand); ++k) {
        const coif_vec3 original = coif_vec4_xyz(points[k]);
        seg.from = coif_vec4_xyz(points[k - 1]);
        seg.length = coif_length(coif_sub(original, original_from));
        const coif_vec3 edge = coif_sub(original, seg.from);
        const float length = coif_length(edge);
        seg.to = moved && length > 0.0f ? coif_mad(seg.from, seg.length / length, edge) : original;
        arc_length += seg.length;
        seg.min_distance =
            coif_min_distance_near_root(ctx->desc->distance + points[k].w, arc_length);
        resolve(&seg, ctx->desc);
        distances[k] = coif_length(coif_sub(seg.to, original));
        moved = moved || distances[k] > 0.0f;
        points[k] = (coif_vec4){seg.to.x, seg.to.y, seg.to.z, points[k].w};
        original_from = original;
    }
}

static void push_block(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    for (int64_t s = begin; s < end; ++s) {
        push_strand(context, (int32_t)s);
    }
}

coif_push_out_stats coif_push_out(coif_strands *strands, const coif_push_out_desc *desc)
{
    COIF_SCOPED_ARENA(scratch, "push out");
    push_ctx ctx = {strands, desc, coif_arena_new(&scratch, strands->point_count, float)};
    coif_parallel_for(desc->jobs, strands->strand_count, STRANDS_PER_JOB, push_block, &ctx);
    coif_push_out_stats stats = {.points = strands->point_count};
    double sum = 0.0;
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const double distance = (double)ctx.distances[i];
        stats.moved += distance > 0.0;
        stats.largest = distance > stats.largest ? distance : stats.largest;
        sum += distance;
    }
    stats.average = stats.moved > 0 ? sum / (double)stats.moved : 0.0;
    return stats;
}
