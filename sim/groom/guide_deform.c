#include "sim/groom/guide_deform.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"

#include <string.h>

enum { BLOCK = 64 };

static const coif_rotation IDENTITY = {0.0f, 0.0f, 0.0f, 1.0f};

static coif_rotation normalized(coif_rotation q)
{
    const float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return length > 1e-6f ? (coif_rotation){q.x / length, q.y / length, q.z / length, q.w / length}
                          : IDENTITY;
}

static coif_rotation product(coif_rotation a, coif_rotation b)
{
    return (coif_rotation){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                           a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                           a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                           a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static coif_vec3 rotated(coif_rotation q, coif_vec3 v)
{
    const coif_vec3 axis = {q.x, q.y, q.z};
    const coif_vec3 t = coif_scale(coif_cross(axis, v), 2.0f);
    return coif_add(coif_mad(v, q.w, t), coif_cross(axis, t));
}

// The smallest rotation from one unit vector to another; by half a turn about any axis across.
static coif_rotation rotation_between(coif_vec3 from, coif_vec3 to)
{
    const float w = 1.0f + coif_dot(from, to);
    if (w < 1e-5f) {
        const coif_vec3 any =
            fabsf(from.x) < 0.8f ? coif_vec3_of(1.0f, 0.0f, 0.0f) : coif_vec3_of(0.0f, 1.0f, 0.0f);
        const coif_vec3 axis = coif_normalize(coif_cross(from, any));
        return (coif_rotation){axis.x, axis.y, axis.z, 0.0f};
    }
    const coif_vec3 axis = coif_cross(from, to);
    return normalized((coif_rotation){axis.x, axis.y, axis.z, w});
}

static coif_vec3 segment_at(const coif_vec4 *points, int32_t k)
{
    return coif_sub(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k - 1]));
}

void coif_guide_deform_update(coif_guide_deform *deform, int32_t guide)
{
    const coif_guide_edits *edits = deform->edits;
    const int32_t first = edits->edited.first[guide];
    const int32_t count = coif_strands_length(&edits->edited, guide);
    const coif_vec4 *edited = edits->edited.points + first, *rest = edits->rest + first;
    coif_rotation *rotations = deform->rotations + first;
    const bool same = memcmp(edited, rest, sizeof *edited * (size_t)count) == 0;
    deform->edited[guide] = !same || edits->kept[guide] != 1.0f;
    float length = 0.0f, rest_length = 0.0f;
    rotations[0] = IDENTITY;
    for (int32_t k = 1; k < count; ++k) {
        const coif_vec3 to = segment_at(edited, k), from = segment_at(rest, k);
        const float to_length = coif_length(to), from_length = coif_length(from);
        length += to_length;
        rest_length += from_length;
        rotations[k] = rotations[k - 1];
        if (!same && to_length > 0.0f && from_length > 0.0f) {
            const coif_vec3 carried =
                rotated(rotations[k - 1], coif_scale(from, 1.0f / from_length));
            rotations[k] = normalized(
                product(rotation_between(coif_normalize(carried), coif_scale(to, 1.0f / to_length)),
                        rotations[k - 1]));
        }
    }
    // Of combed guides the lengths differ by rounding only.
    const float scale = rest_length > 0.0f ? length / rest_length : 1.0f;
    deform->length_scale[guide] = fabsf(scale - 1.0f) < 1e-5f ? 1.0f : scale;
}

void coif_guide_deform_init(coif_guide_deform *deform, const coif_guide_edits *edits,
                            coif_arena *arena)
{
    const int32_t count = edits->edited.strand_count;
    coif_surface_point *roots = coif_arena_new(arena, count, coif_surface_point);
    for (int32_t g = 0; g < count; ++g) {
        roots[g] =
            (coif_surface_point){.position = coif_vec4_xyz(edits->rest[edits->edited.first[g]]),
                                 .normal = edits->normals[g]};
    }
    coif_guide_at *by_x = coif_guides_sort(roots, count, arena);
    int32_t acting = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (coif_guide_acts(edits->flags[by_x[i].guide])) {
            by_x[acting++] = by_x[i];
        }
    }
    *deform = (coif_guide_deform){
        .edits = edits,
        .roots = {.count = acting,
                  .roots = roots,
                  .region = coif_arena_new(arena, count, int32_t),
                  .by_x = by_x},
        .rotations = coif_arena_new(arena, edits->edited.point_count, coif_rotation),
        .length_scale = coif_arena_new(arena, count, float),
        .edited = coif_arena_new(arena, count, uint8_t)};
    for (int32_t g = 0; g < count; ++g) {
        coif_guide_deform_update(deform, g);
    }
}

void coif_guide_deform_bind(coif_guide_weights *weights, const coif_guide_deform *deform,
                            coif_vec3 root, coif_vec3 normal)
{
    coif_nearest_guides found;
    const coif_surface_point at = {.position = root, .normal = normal};
    coif_guides_find_nearest(&found, &deform->roots, &at, -1);
    weights->reach2 =
        found.count > COIF_NEAREST_GUIDES ? found.distance[COIF_NEAREST_GUIDES] : INFINITY;
    coif_guides_compute_weights(&found);
    for (int32_t i = 0; i < COIF_NEAREST_GUIDES; ++i) {
        weights->guide[i] = i < found.count ? found.guide[i] : -1;
        weights->weight[i] = i < found.count ? found.weight[i] : 0.0f;
    }
}

bool coif_guide_deform_deletes(const coif_guide_deform *deform, const coif_guide_weights *weights)
{
    const int32_t nearest = weights->guide[0];
    return nearest >= 0 && (deform->edits->flags[nearest] & COIF_GUIDE_DELETED) != 0;
}

// Blended rotation of the guides at a segment of a strand.
static coif_rotation blended(const coif_guide_deform *deform, const coif_guide_weights *weights,
                             int32_t k, int32_t count)
{
    const coif_strands *guides = &deform->edits->edited;
    coif_rotation sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < COIF_NEAREST_GUIDES && weights->guide[i] >= 0; ++i) {
        const int32_t guide = weights->guide[i], first = guides->first[guide];
        const int32_t segments = guides->first[guide + 1] - first - 1;
        const int32_t at = 1 + (int32_t)((int64_t)(k - 1) * segments / (count - 1));
        const coif_rotation q = deform->rotations[first + at];
        const float alignment = sum.x * q.x + sum.y * q.y + sum.z * q.z + sum.w * q.w;
        const float weight = alignment < 0.0f ? -weights->weight[i] : weights->weight[i];
        sum.x += weight * q.x;
        sum.y += weight * q.y;
        sum.z += weight * q.z;
        sum.w += weight * q.w;
    }
    return normalized(sum);
}

static bool is_edited(const coif_guide_deform *deform, const coif_guide_weights *weights)
{
    for (int32_t i = 0; i < COIF_NEAREST_GUIDES && weights->guide[i] >= 0; ++i) {
        if (deform->edited[weights->guide[i]] && weights->weight[i] > 0.0f) {
            return true;
        }
    }
    return false;
}

bool coif_guide_deform_strand(coif_vec4 *points, const coif_vec4 *before, int32_t count,
                              const coif_guide_deform *deform, const coif_guide_weights *weights,
                              const coif_brush_body *body, coif_vec4 *scratch)
{
    memcpy(points, before, sizeof *points * (size_t)count);
    if (!is_edited(deform, weights)) {
        return false;
    }
    float kept = 0.0f, scale = 0.0f;
    for (int32_t i = 0; i < COIF_NEAREST_GUIDES && weights->guide[i] >= 0; ++i) {
        kept += weights->weight[i] * deform->edits->kept[weights->guide[i]];
        scale += weights->weight[i] * deform->length_scale[weights->guide[i]];
    }
    if (kept < 0.99999f) {
        coif_strand_cut(points, count, kept, scratch);
    }
    scale = fabsf(scale - 1.0f) < 1e-5f ? 1.0f : scale;
    memcpy(scratch, points, sizeof *points * (size_t)count);
    for (int32_t k = 1; k < count; ++k) {
        const coif_vec3 step = rotated(blended(deform, weights, k, count), segment_at(scratch, k));
        const coif_vec3 to = coif_mad(coif_vec4_xyz(points[k - 1]), scale, step);
        points[k] = (coif_vec4){to.x, to.y, to.z, scratch[k].w};
    }
    float *segments = &scratch->x;
    for (int32_t k = 1; k < count; ++k) {
        segments[k] = coif_length(segment_at(points, k));
    }
    if (!coif_strand_push_out(points, before, segments, count, 1, body)) {
        memcpy(points, before, sizeof *points * (size_t)count);
    }
    return true;
}

typedef struct groom_ctx {
    coif_groom *groom;
    const coif_guide_deform *deform;
    const coif_brush_body *body;
    coif_vec4 *workers; // 2 * max_points per worker
    int32_t max_points;
} groom_ctx;

static void deform_block(void *context, int64_t begin, int64_t end, int worker)
{
    const groom_ctx *ctx = context;
    coif_strands *rest = &ctx->groom->rest;
    coif_vec4 *moved = ctx->workers + 2 * (int64_t)worker * ctx->max_points;
    for (int32_t s = (int32_t)begin; s < (int32_t)end; ++s) {
        coif_vec4 *points = rest->points + rest->first[s];
        const int32_t count = coif_strands_length(rest, s);
        const float *normal = ctx->groom->root_frame + 9 * (int64_t)s + 6;
        coif_guide_weights weights;
        coif_guide_deform_bind(&weights, ctx->deform, coif_vec4_xyz(points[0]),
                               coif_vec3_of(normal[0], normal[1], normal[2]));
        if (coif_guide_deform_strand(moved, points, count, ctx->deform, &weights, ctx->body,
                                     moved + ctx->max_points)) {
            memcpy(points, moved, sizeof *points * (size_t)count);
        }
    }
}

void coif_guide_deform_groom(coif_groom *groom, const coif_guide_deform *deform,
                             const coif_brush_body *body, coif_arena *scratch, coif_jobs *jobs)
{
    const int threads = jobs != NULL ? coif_jobs_threads(jobs) : 1;
    groom_ctx ctx = {.groom = groom, .deform = deform, .body = body};
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        const int32_t count = coif_strands_length(&groom->rest, s);
        ctx.max_points = count > ctx.max_points ? count : ctx.max_points;
    }
    ctx.workers = coif_arena_new(scratch, 2 * (int64_t)threads * ctx.max_points, coif_vec4);
    coif_parallel_for(jobs, groom->rest.strand_count, BLOCK, deform_block, &ctx);
}
