// Weighted sums of strands in the frames of their roots.
#include "core/hair/strand_combine.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"

#include <string.h>

enum { STRANDS_PER_JOB = 256 };

void coif_root_frames_posed(coif_root_frame *frames, const coif_groom *groom, const coif_mesh *body)
{
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        const int32_t s = groom->simulated[i], triangle = groom->root_triangle[s];
        const float *b = groom->root_barycentric + 2 * (size_t)s;
        frames[i] = (coif_root_frame){coif_mesh_at(body, triangle, b[0], b[1]).position,
                                      coif_mesh_frame(body, triangle, b[0], b[1])};
    }
}

void coif_root_frames_rest(coif_root_frame *frames, const coif_groom *groom, const coif_vec4 *rest)
{
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        const int32_t s = groom->simulated[i];
        frames[i].origin = coif_vec4_xyz(rest[groom->rest.first[s]]);
        memcpy(&frames[i].axes, groom->root_frame + 9 * (size_t)s, sizeof frames[i].axes);
    }
}

static float weight_of(const coif_combine_desc *desc, int32_t term, int32_t strand)
{
    const float weight = desc->terms[term].weight;
    if (desc->mask == NULL) {
        return weight;
    }
    const float mask = desc->mask[strand];
    return term == 0 ? 1.0f - mask + mask * weight : mask * weight;
}

static coif_vec3 difference(const coif_vec4 *points, int32_t k)
{
    return coif_sub(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k - 1]));
}

static coif_vec4 with_position(coif_vec4 point, coif_vec3 position)
{
    return (coif_vec4){position.x, position.y, position.z, point.w};
}

void coif_restore_lengths(coif_vec4 *points, const float *lengths, const coif_vec4 *fallback,
                          int32_t count)
{
    coif_vec3 previous = coif_vec4_xyz(points[0]), placed = previous;
    for (int32_t k = 1; k < count; ++k) {
        const coif_vec3 position = coif_vec4_xyz(points[k]);
        coif_vec3 edge = coif_sub(position, previous);
        float length = coif_length(edge);
        if (!(length > 0.0f)) {
            edge = difference(fallback, k);
            length = coif_length(edge);
        }
        placed = length > 0.0f ? coif_mad(placed, lengths[k] / length, edge) : placed;
        points[k] = with_position(points[k], placed);
        previous = position;
    }
}

// Adds a weighted term to points and lengths.
static void add_term(coif_vec4 *points, float *lengths, const coif_combine_term *term,
                     const coif_root_frame *target, int32_t strand, float weight)
{
    const coif_strands *strands = term->strands;
    const coif_vec4 *from = strands->points + strands->first[strand];
    const coif_root_frame *source = term->roots != NULL ? &term->roots[strand] : NULL;
    for (int32_t k = 0; k < coif_strands_length(strands, strand); ++k) {
        coif_vec3 p = coif_vec4_xyz(from[k]);
        if (source != NULL) {
            const coif_vec3 local = coif_mat3_apply(&source->axes, coif_sub(p, source->origin));
            p = coif_add(target->origin, coif_mat3_apply_transposed(&target->axes, local));
        }
        const coif_vec3 sum = coif_mad(coif_vec4_xyz(points[k]), weight, p);
        points[k] = (coif_vec4){sum.x, sum.y, sum.z, points[k].w + weight * from[k].w};
        lengths[k] += k > 0 ? weight * coif_length(difference(from, k)) : 0.0f;
    }
}

static void combine_strand(coif_strands *result, const coif_combine_desc *desc, float *lengths,
                           int32_t strand)
{
    const int32_t first = result->first[strand], count = coif_strands_length(result, strand);
    coif_vec4 *points = result->points + first;
    const coif_combine_term *in_pose = NULL;
    int32_t used = 0, last = 0;
    for (int32_t t = 0; t < desc->term_count; ++t) {
        if (weight_of(desc, t, strand) != 0.0f) {
            in_pose = in_pose == NULL && desc->terms[t].roots == NULL ? &desc->terms[t] : in_pose;
            ++used;
            last = t;
        }
    }
    const coif_vec4 *only = desc->terms[last].strands->points + first;
    if (used == 1 && in_pose != NULL && weight_of(desc, last, strand) == 1.0f) {
        memcpy(points, only, (size_t)count * sizeof *points);
        return;
    }
    memset(points, 0, (size_t)count * sizeof *points);
    memset(lengths, 0, (size_t)count * sizeof *lengths);
    for (int32_t t = 0; t < desc->term_count; ++t) {
        const float weight = weight_of(desc, t, strand);
        if (weight != 0.0f) {
            add_term(points, lengths, &desc->terms[t],
                     desc->roots != NULL ? &desc->roots[strand] : NULL, strand, weight);
        }
    }
    for (int32_t k = 0; k < count; ++k) {
        // Weights below 0 may overshoot where lengths and radii change from frame to frame.
        lengths[k] = lengths[k] > 0.0f ? lengths[k] : 0.0f;
        points[k].w = points[k].w > 0.0f ? points[k].w : 0.0f;
    }
    if (in_pose != NULL) {
        points[0] = with_position(points[0], coif_vec4_xyz(in_pose->strands->points[first]));
    }
    coif_restore_lengths(points, lengths, only, count);
}

typedef struct combine_ctx {
    coif_strands *result;
    const coif_combine_desc *desc;
    float *lengths; // per point
} combine_ctx;

static void combine_block(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const combine_ctx *ctx = context;
    for (int32_t s = (int32_t)begin; s < end; ++s) {
        combine_strand(ctx->result, ctx->desc, ctx->lengths + ctx->result->first[s], s);
    }
}

void coif_strands_combine(coif_strands *result, const coif_combine_desc *desc)
{
    COIF_SCOPED_ARENA(scratch, "combine");
    combine_ctx ctx = {result, desc, coif_arena_new(&scratch, result->point_count, float)};
    coif_parallel_for(desc->jobs, result->strand_count, STRANDS_PER_JOB, combine_block, &ctx);
}

void coif_strands_compare(bool *changed, const coif_strands *strands, const coif_strands *other)
{
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const size_t bytes = (size_t)coif_strands_length(strands, s) * sizeof *strands->points;
        changed[s] = memcmp(strands->points + strands->first[s], other->points + other->first[s],
                            bytes) != 0;
    }
}

void coif_strands_difference(coif_strands *strands, const bool *changed, const coif_strands *before,
                             const coif_strands *after, double seconds)
{
    const float rate = seconds > 0.0 ? (float)(1.0 / seconds) : 0.0f;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        for (int32_t i = strands->first[s]; changed[s] && i < strands->first[s + 1]; ++i) {
            const coif_vec3 from = coif_vec4_xyz(before->points[i]);
            strands->velocities[i] =
                coif_scale(coif_sub(coif_vec4_xyz(after->points[i]), from), rate);
        }
    }
}
