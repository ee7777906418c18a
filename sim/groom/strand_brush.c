#include "sim/groom/strand_brush.h"

#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/jobs.h"

#include <string.h>

enum { BLOCK = 32 };

typedef struct brush_ctx {
    const coif_brush_strands *strands;
    const coif_strand_dab *dabs, *mirrored;
    int32_t dab_count;
    const coif_brush_body *body;
    coif_brush_strand *workers; // scratch arrays per worker
} brush_ctx;

// A ball around the points.
typedef struct strand_bound {
    coif_vec3 center;
    float radius;
} strand_bound;

static strand_bound bound_of(const coif_brush_strand *strand)
{
    coif_bounds bounds = coif_bounds_empty();
    for (int32_t k = 0; k < strand->count; ++k) {
        coif_bounds_add(&bounds, coif_vec4_xyz(strand->points[k]));
    }
    return (strand_bound){coif_lerp(bounds.low, bounds.high, 0.5f),
                          0.50001f * coif_length(coif_sub(bounds.high, bounds.low))};
}

// Most strands are far from most dabs.
static bool is_near(const strand_bound *bound, const coif_strand_dab *dab)
{
    const coif_vec3 to = coif_sub(bound->center, dab->position);
    const float along = coif_dot(to, dab->view), reach = dab->radius + bound->radius;
    const coif_vec3 across = coif_mad(to, -along, dab->view);
    return along >= -dab->front - bound->radius && along <= reach &&
           coif_dot(across, across) <= 1.0001f * reach * reach;
}

static float along_axis(coif_vec3 v, int32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// A strand on the other side gets the mirrored dab first, so that mirrored strands get the same
// sequence.
static bool apply_pair(coif_brush_strand *strand, const coif_strand_dab *dab,
                       const coif_strand_dab *mirrored, const coif_brush_body *body)
{
    if (!dab->mirror) {
        return coif_brush_apply_dab(strand, dab, body);
    }
    const coif_vec3 root = coif_vec4_xyz(strand->points[0]);
    const bool other_side =
        along_axis(root, dab->mirror_axis) * along_axis(dab->position, dab->mirror_axis) < 0.0f;
    const bool first = coif_brush_apply_dab(strand, other_side ? mirrored : dab, body);
    return coif_brush_apply_dab(strand, other_side ? dab : mirrored, body) || first;
}

static void apply_block(void *context, int64_t begin, int64_t end, int worker)
{
    const brush_ctx *ctx = context;
    const coif_brush_strands *all = ctx->strands;
    for (int64_t s = begin; s < end; ++s) {
        coif_brush_strand strand = ctx->workers[worker];
        strand.count = all->first[s + 1] - all->first[s];
        strand.points = all->points + all->first[s];
        strand.segments = all->segments + all->first[s];
        strand.normal = all->normals[s];
        strand.mask = all->weights != NULL ? all->weights[s] : 1.0f;
        strand.deleted = all->deleted[s] != 0;
        if (strand.mask <= 0.0f || strand.deleted) {
            continue;
        }
        bool changed = false;
        strand_bound bound = bound_of(&strand);
        for (int32_t d = 0; d < ctx->dab_count; ++d) {
            const coif_strand_dab *dab = &ctx->dabs[d], *mirrored = &ctx->mirrored[d];
            if ((is_near(&bound, dab) || (dab->mirror && is_near(&bound, mirrored))) &&
                apply_pair(&strand, dab, mirrored, ctx->body)) {
                changed = true;
                bound = bound_of(&strand);
            }
        }
        all->deleted[s] = strand.deleted;
        all->changed[s] |= changed;
    }
}

static coif_vec3 mirrored_at(coif_vec3 v, int32_t axis)
{
    return coif_vec3_of(axis == 0 ? -v.x : v.x, axis == 1 ? -v.y : v.y, axis == 2 ? -v.z : v.z);
}

static coif_strand_dab mirrored_dab(const coif_strand_dab *dab)
{
    coif_strand_dab mirrored = *dab;
    mirrored.position = mirrored_at(dab->position, dab->mirror_axis);
    mirrored.view = mirrored_at(dab->view, dab->mirror_axis);
    mirrored.drag = mirrored_at(dab->drag, dab->mirror_axis);
    mirrored.normal = mirrored_at(dab->normal, dab->mirror_axis);
    mirrored.invert = dab->invert != (dab->tool == COIF_BRUSH_TWIST); // the turn is mirrored
    return mirrored;
}

// A ball is a cylinder without direction.
static coif_strand_dab prepared_dab(const coif_strand_dab *dab)
{
    coif_strand_dab prepared = *dab;
    prepared.view = coif_normalize(dab->view);
    prepared.normal = coif_normalize(dab->normal);
    prepared.front = dab->front > dab->radius ? dab->front : dab->radius;
    return prepared;
}

void coif_strand_brush_apply(const coif_brush_strands *strands, const coif_strand_dab *dabs,
                             int32_t count, const coif_brush_body *body, coif_arena *scratch,
                             coif_jobs *jobs)
{
    const int threads = jobs != NULL ? coif_jobs_threads(jobs) : 1;
    coif_strand_dab *all = coif_arena_new(scratch, 2 * (int64_t)count, coif_strand_dab);
    for (int32_t d = 0; d < count; ++d) {
        all[d] = prepared_dab(&dabs[d]);
        all[count + d] = mirrored_dab(&all[d]);
    }
    int32_t max_points = 0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t points = strands->first[s + 1] - strands->first[s];
        max_points = points > max_points ? points : max_points;
    }
    coif_brush_strand *workers = coif_arena_new(scratch, threads, coif_brush_strand);
    for (int i = 0; i < threads; ++i) {
        workers[i].moved = coif_arena_new(scratch, max_points, coif_vec3);
        workers[i].rotations = coif_arena_new(scratch, max_points, coif_vec3);
        workers[i].weights = coif_arena_new(scratch, max_points, float);
        workers[i].kept = coif_arena_new(scratch, max_points, coif_vec4);
    }
    brush_ctx ctx = {.strands = strands,
                     .dabs = all,
                     .mirrored = all + count,
                     .dab_count = count,
                     .body = body,
                     .workers = workers};
    coif_parallel_for(jobs, strands->strand_count, BLOCK, apply_block, &ctx);
}

void coif_strand_brush_measure(float *segments, const coif_strands *strands)
{
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t first = strands->first[s];
        segments[first] = 0.0f;
        for (int32_t i = first + 1; i < strands->first[s + 1]; ++i) {
            segments[i] = coif_length(
                coif_sub(coif_vec4_xyz(strands->points[i]), coif_vec4_xyz(strands->points[i - 1])));
        }
    }
}

// ---- drawn strands

// Points at equal distances along a polyline that starts at the root.
static float resample_line(coif_vec4 *points, int32_t count, const coif_vec3 *line,
                           int32_t line_count, coif_vec3 root)
{
    float length = 0.0f;
    for (int32_t i = 1; i < line_count; ++i) {
        length += coif_length(coif_sub(line[i], i == 1 ? root : line[i - 1]));
    }
    int32_t at = 1;
    float begin = 0.0f;
    for (int32_t k = 0; k < count && length > 0.0f; ++k) {
        const float wanted = length * (float)k / (float)(count - 1);
        float span = coif_length(coif_sub(line[at], at == 1 ? root : line[at - 1]));
        while (at + 1 < line_count && begin + span < wanted) {
            begin += span;
            ++at;
            span = coif_length(coif_sub(line[at], line[at - 1]));
        }
        const float t = span > 0.0f ? coif_clamp((wanted - begin) / span, 0.0f, 1.0f) : 0.0f;
        coif_set_position(&points[k], coif_lerp(at == 1 ? root : line[at - 1], line[at], t));
    }
    return length;
}

bool coif_strand_brush_draw(coif_vec4 *points, int32_t count, const coif_vec3 *line,
                            int32_t line_count, coif_vec3 root, const coif_brush_body *body)
{
    if (line_count < 2 ||
        resample_line(points, count, line, line_count, root) < COIF_SHORTEST_STRAND) {
        return false;
    }
    COIF_SCOPED_ARENA(scratch, "drawn strand");
    float *segments = coif_arena_new(&scratch, count, float);
    coif_vec4 *before = coif_arena_new(&scratch, count, coif_vec4);
    for (int32_t k = 1; k < count; ++k) {
        segments[k] = coif_length(coif_sub(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k - 1])));
    }
    memcpy(before, points, sizeof *points * (size_t)count);
    coif_strand_push_out(points, before, segments, count, 1, body);
    for (int32_t k = 1; body->collider != NULL && k < count; ++k) {
        if (coif_brush_is_inside(body, points[k])) {
            return false;
        }
    }
    return true;
}
