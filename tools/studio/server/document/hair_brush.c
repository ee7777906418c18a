// Dabs of the wire format applied to edited guides.
#include "core/base/error.h"
#include "tools/studio/server/document/hair_edits.h"

#include <math.h>
#include <string.h>

// Distance of the first point of a drawn line from the surface that hair grows on, m.
static const float DRAW_REACH = 0.02f;

// Between a drawn guide and its mirror image, m.
static const float MIN_DISTANCE = 0.001f;

static coif_vec3 vector_at(const float *values)
{
    return coif_vec3_of(values[0], values[1], values[2]);
}

static coif_status read_dabs(coif_strand_dab **dabs, int32_t *count, const coif_hair_stroke *stroke,
                             coif_arena *arena, coif_error *error)
{
    const unsigned char *data = stroke->dabs;
    *count = (int32_t)(stroke->size / COIF_DAB_BYTES);
    if (stroke->size == 0 || stroke->size % COIF_DAB_BYTES != 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "dabs: %zu bytes, expected a multiple of %d",
                         stroke->size, COIF_DAB_BYTES);
    }
    *dabs = coif_arena_new(arena, *count, coif_strand_dab);
    for (int32_t i = 0; i < *count; ++i) {
        uint32_t head[2];
        float v[17];
        memcpy(head, data + (size_t)COIF_DAB_BYTES * (size_t)i, sizeof head);
        memcpy(v, data + (size_t)COIF_DAB_BYTES * (size_t)i + sizeof head, sizeof v);
        bool valid =
            head[0] < COIF_HAIR_TOOLS && (i == 0 || head[0] == (*dabs)[0].tool) && head[1] >> 2 < 3;
        for (int k = 0; k < 16; ++k) {
            valid = valid && fabsf(v[k]) < 1e6f;
        }
        if (!valid || v[13] <= 0.0f || v[14] < 0.0f || v[14] > 1.0f || v[15] < 0.0f ||
            v[15] > 1.0f) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "dab %d: tool %u, radius %g, strength %g, hardness %g: expected one "
                             "tool below %d, a radius above 0, and 0 to 1",
                             i, head[0], (double)v[13], (double)v[14], (double)v[15],
                             COIF_HAIR_TOOLS);
        }
        (*dabs)[i] = (coif_strand_dab){.tool = (coif_brush_tool)head[0],
                                       .position = vector_at(v),
                                       .view = vector_at(v + 3),
                                       .front = v[6],
                                       .drag = vector_at(v + 7),
                                       .normal = vector_at(v + 10),
                                       .radius = v[13],
                                       .strength = v[14],
                                       .hardness = v[15],
                                       .invert = (head[1] & 1) != 0,
                                       .mirror = (head[1] & 2) != 0,
                                       .mirror_axis = (int32_t)(head[1] >> 2)};
    }
    return COIF_OK;
}

// Part of a stroke on guides.
typedef struct brush_ctx {
    coif_edited_guides *guides;
    const coif_strand_dab *dabs;
    int32_t count;
    const coif_hair_stroke *stroke;
    const coif_hair_surface *surface;
    coif_arena *arena;
    coif_jobs *jobs;
    uint8_t *changed;
} brush_ctx;

enum { MAX_ADDED = 2 }; // guides of one request: a line and its mirror image
enum { NOT_BRUSHED = COIF_GUIDE_DELETED | COIF_GUIDE_PINNED };

static bool is_masked(const brush_ctx *ctx, int32_t guide)
{
    return ctx->stroke->mask != NULL && !ctx->stroke->mask[guide];
}

// Guides that dabs reach get 1 in hit.
static void find_hit(const brush_ctx *ctx, uint8_t *hit)
{
    const coif_guide_edits *edits = &ctx->guides->guides;
    const int32_t count = edits->edited.strand_count;
    coif_strand_dab *dabs = coif_arena_new(ctx->arena, ctx->count, coif_strand_dab);
    memcpy(dabs, ctx->dabs, sizeof *dabs * (size_t)ctx->count);
    for (int32_t i = 0; i < ctx->count; ++i) {
        dabs[i].tool = COIF_BRUSH_DELETE; // which only marks strands
    }
    const coif_brush_strands strands = {.strand_count = count,
                                        .first = edits->edited.first,
                                        .points = edits->edited.points,
                                        .segments = ctx->guides->segments,
                                        .normals = edits->normals,
                                        .deleted = hit,
                                        .changed = coif_arena_new(ctx->arena, count, uint8_t)};
    coif_strand_brush_apply(&strands, dabs, ctx->count, &ctx->surface->body, ctx->arena, ctx->jobs);
}

static void pin(const brush_ctx *ctx)
{
    coif_guide_edits *edits = &ctx->guides->guides;
    uint8_t *hit = coif_arena_new(ctx->arena, edits->edited.strand_count, uint8_t);
    find_hit(ctx, hit);
    const uint8_t wanted = ctx->dabs[0].invert ? 0 : COIF_GUIDE_PINNED;
    for (int32_t g = 0; g < edits->edited.strand_count; ++g) {
        if (hit[g] && !is_masked(ctx, g) && (edits->flags[g] & COIF_GUIDE_PINNED) != wanted) {
            edits->flags[g] ^= COIF_GUIDE_PINNED;
            ctx->changed[g] = 1;
        }
    }
}

static coif_vec3 root_of(const coif_guide_edits *edits, int32_t guide)
{
    return coif_vec4_xyz(edits->edited.points[edits->edited.first[guide]]);
}

static coif_vec3 mirrored(coif_vec3 v, int32_t axis)
{
    return coif_vec3_of(axis == 0 ? -v.x : v.x, axis == 1 ? -v.y : v.y, axis == 2 ? -v.z : v.z);
}

// The drawn line moved to the root of the guide, blended with its shape.
static void draw_guide(const brush_ctx *ctx, int32_t guide, const coif_vec3 *line, float weight)
{
    coif_guide_edits *edits = &ctx->guides->guides;
    const int32_t first = edits->edited.first[guide];
    const int32_t count = coif_strands_length(&edits->edited, guide);
    coif_vec4 *points = edits->edited.points + first;
    const coif_vec3 root = coif_vec4_xyz(points[0]), offset = coif_sub(root, line[0]);
    coif_vec3 *moved = coif_arena_new(ctx->arena, ctx->count, coif_vec3);
    coif_vec4 *target = coif_arena_new(ctx->arena, count, coif_vec4);
    float *segments = coif_arena_new(ctx->arena, count, float);
    for (int32_t i = 0; i < ctx->count; ++i) {
        moved[i] = coif_add(line[i], offset);
    }
    memcpy(target, points, sizeof *target * (size_t)count);
    const coif_brush_body nothing = {.collider = NULL};
    if (!coif_strand_brush_draw(target, count, moved, ctx->count, root, &nothing)) {
        return;
    }
    for (int32_t k = 1; k < count; ++k) {
        const coif_vec3 p = coif_lerp(coif_vec4_xyz(points[k]), coif_vec4_xyz(target[k]), weight);
        target[k] = (coif_vec4){p.x, p.y, p.z, points[k].w};
        segments[k] = coif_length(coif_sub(p, coif_vec4_xyz(target[k - 1])));
    }
    if (coif_strand_push_out(target, points, segments, count, 1, &ctx->surface->body)) {
        memcpy(points, target, sizeof *target * (size_t)count);
        memcpy(ctx->guides->segments + first, segments, sizeof *segments * (size_t)count);
        ctx->changed[guide] = 1;
    }
}

// Guides with roots within the brush take the shape of the line.
static bool follow_line(const brush_ctx *ctx, const coif_vec3 *line)
{
    const coif_guide_edits *edits = &ctx->guides->guides;
    const coif_strand_dab *dab = &ctx->dabs[0];
    bool any = false;
    for (int32_t g = 0; g < edits->edited.strand_count; ++g) {
        const float distance = coif_length(coif_sub(root_of(edits, g), line[0]));
        const float weight = dab->strength * coif_strand_dab_falloff(dab, distance);
        if (weight > 0.0f && !(edits->flags[g] & NOT_BRUSHED) && !is_masked(ctx, g)) {
            draw_guide(ctx, g, line, weight);
            any = true;
        }
    }
    return any;
}

static int32_t nearest_guide(const coif_guide_edits *edits, coif_vec3 root)
{
    int32_t nearest = -1;
    float least = INFINITY;
    for (int32_t g = 0; g < edits->edited.strand_count; ++g) {
        const float distance = coif_length(coif_sub(root_of(edits, g), root));
        if (distance < least && coif_guide_acts(edits->flags[g])) {
            least = distance;
            nearest = g;
        }
    }
    return nearest;
}

// A guide along the line. Hair around it follows the difference between it and the nearest guide
// at rest; without other guides it is its own rest shape.
static coif_status add_guide(brush_ctx *ctx, const coif_vec3 *line, coif_error *error)
{
    const coif_hair_surface *surface = ctx->surface;
    coif_scalp_location at;
    if (!coif_scalp_locator_closest(&at, surface->scalp, line[0]) || at.distance > DRAW_REACH) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "no hair grows where the line begins: begin it on the scalp");
    }
    const coif_surface_point root =
        coif_mesh_at(surface->scalp->mesh, at.triangle, at.weights[0], at.weights[1]);
    const int32_t nearest = nearest_guide(&ctx->guides->guides, root.position);
    const int32_t count =
        nearest >= 0 ? coif_strands_length(&ctx->guides->guides.edited, nearest) : surface->points;
    coif_vec4 *points = coif_arena_new(ctx->arena, count, coif_vec4);
    for (int32_t k = 0; k < count; ++k) {
        const coif_strands *edited = &ctx->guides->guides.edited;
        points[k].w = nearest >= 0 ? edited->points[edited->first[nearest] + k].w : surface->radius;
    }
    const coif_brush_body *body = &surface->body;
    if (!coif_strand_brush_draw(points, count, line, ctx->count, root.position, body)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "the line is shorter than a millimetre or lies inside the body");
    }
    if (ctx->guides->guides.edited.strand_count >= COIF_MAX_GUIDES_OF_GROOM) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "the groom has %d guides already",
                         COIF_MAX_GUIDES_OF_GROOM);
    }
    COIF_TRY(coif_edited_guides_extend(ctx->guides, count, error));
    coif_guide_edits *edits = &ctx->guides->guides;
    const int32_t guide = edits->edited.strand_count - 1;
    coif_vec4 *edited = edits->edited.points + edits->edited.first[guide];
    coif_vec4 *rest = edits->rest + edits->edited.first[guide];
    memcpy(edited, points, sizeof *points * (size_t)count);
    memcpy(rest, points, sizeof *points * (size_t)count);
    for (int32_t k = 0; nearest >= 0 && k < count; ++k) {
        const coif_vec4 *from = edits->rest + edits->edited.first[nearest];
        const coif_vec3 p =
            coif_add(root.position, coif_sub(coif_vec4_xyz(from[k]), coif_vec4_xyz(from[0])));
        rest[k] = (coif_vec4){p.x, p.y, p.z, points[k].w};
    }
    edits->normals[guide] = root.normal;
    edits->edited.root_uv[2 * guide] = root.uv.x;
    edits->edited.root_uv[2 * guide + 1] = root.uv.y;
    edits->flags[guide] = COIF_GUIDE_ADDED;
    return COIF_OK;
}

// Inverted, existing hair follows the line.
static coif_status draw(brush_ctx *ctx, coif_error *error)
{
    const coif_strand_dab *dab = &ctx->dabs[0];
    const int32_t axis = dab->mirror_axis;
    coif_vec3 *line = coif_arena_new(ctx->arena, ctx->count, coif_vec3);
    coif_vec3 *twin = coif_arena_new(ctx->arena, ctx->count, coif_vec3);
    for (int32_t i = 0; i < ctx->count; ++i) {
        line[i] = ctx->dabs[i].position;
        twin[i] = mirrored(line[i], axis);
    }
    if (!dab->invert) {
        COIF_TRY(add_guide(ctx, line, error));
        if (dab->mirror && coif_length(coif_sub(twin[0], line[0])) > MIN_DISTANCE) {
            add_guide(ctx, twin, NULL); // the other side may have no scalp there
        }
        return COIF_OK;
    }
    bool any = follow_line(ctx, line);
    any = (dab->mirror && follow_line(ctx, twin)) || any;
    return any ? COIF_OK
               : coif_fail(error, COIF_ERR_ARGUMENT, "no hair grows where the line begins");
}

// Guides that were cut: rest is cut at the same fraction of its length.
static void cut_rest(const brush_ctx *ctx, const float *lengths)
{
    coif_guide_edits *edits = &ctx->guides->guides;
    for (int32_t g = 0; g < edits->edited.strand_count; ++g) {
        const int32_t first = edits->edited.first[g],
                      count = coif_strands_length(&edits->edited, g);
        if (!ctx->changed[g]) {
            continue;
        }
        float length = 0.0f;
        for (int32_t k = 1; k < count; ++k) {
            length += ctx->guides->segments[first + k];
        }
        const float fraction = length / lengths[g];
        coif_strand_cut(edits->rest + first, count, fraction,
                        coif_arena_new(ctx->arena, count, coif_vec4));
        const float kept = edits->kept[g] * fraction;
        edits->kept[g] = kept > 1e-6f ? kept : 1e-6f;
    }
}

static void brush(const brush_ctx *ctx)
{
    coif_guide_edits *edits = &ctx->guides->guides;
    const int32_t count = edits->edited.strand_count;
    float *weights = coif_arena_new(ctx->arena, count, float);
    float *lengths = coif_arena_new(ctx->arena, count, float);
    uint8_t *deleted = coif_arena_new(ctx->arena, count, uint8_t);
    for (int32_t g = 0; g < count; ++g) {
        weights[g] = (edits->flags[g] & COIF_GUIDE_PINNED) || is_masked(ctx, g) ? 0.0f : 1.0f;
        deleted[g] = (edits->flags[g] & COIF_GUIDE_DELETED) != 0;
        for (int32_t i = edits->edited.first[g] + 1; i < edits->edited.first[g + 1]; ++i) {
            lengths[g] += ctx->guides->segments[i];
        }
    }
    const coif_brush_strands strands = {.strand_count = count,
                                        .first = edits->edited.first,
                                        .points = edits->edited.points,
                                        .segments = ctx->guides->segments,
                                        .normals = edits->normals,
                                        .weights = weights,
                                        .deleted = deleted,
                                        .changed = ctx->changed};
    coif_strand_brush_apply(&strands, ctx->dabs, ctx->count, &ctx->surface->body, ctx->arena,
                            ctx->jobs);
    for (int32_t g = 0; g < count; ++g) {
        edits->flags[g] |= deleted[g] ? COIF_GUIDE_DELETED : 0;
    }
    if (ctx->dabs[0].tool == COIF_BRUSH_CUT) {
        cut_rest(ctx, lengths);
    }
}

coif_status coif_edited_guides_brush(uint8_t **changed, coif_edited_guides *guides,
                                     const coif_hair_stroke *stroke,
                                     const coif_hair_surface *surface, uint64_t revision,
                                     coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    const int32_t before = guides->guides.edited.strand_count;
    brush_ctx ctx = {.guides = guides,
                     .stroke = stroke,
                     .surface = surface,
                     .arena = arena,
                     .jobs = jobs,
                     .changed = coif_arena_new(arena, before + MAX_ADDED, uint8_t)};
    coif_strand_dab *dabs = NULL;
    COIF_TRY(read_dabs(&dabs, &ctx.count, stroke, arena, error));
    ctx.dabs = dabs;
    coif_status status = COIF_OK;
    if ((int)dabs[0].tool == COIF_BRUSH_DRAW) {
        status = draw(&ctx, error);
    } else if ((int)dabs[0].tool == COIF_BRUSH_PIN) {
        pin(&ctx);
    } else {
        brush(&ctx);
    }
    bool any = false;
    for (int32_t g = 0; g < guides->guides.edited.strand_count; ++g) {
        ctx.changed[g] |= g >= before;
        if (ctx.changed[g]) {
            guides->revisions[g] = revision;
            coif_edited_guides_measure(guides, g);
            any = true;
        }
    }
    if (any) {
        guides->revision = revision;
        guides->dirty = true;
    }
    *changed = ctx.changed;
    return status;
}
