#include "tools/studio/server/document/hair_edits.h"

#include "core/base/error.h"
#include "core/base/hash64.h"
#include "tools/studio/server/document/paint_map_io.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

// Distance of the first point of a drawn line from the nearest root, m.
static const float DRAW_REACH = 0.02f;

coif_edited_guides *coif_hair_edits_find(coif_hair_edits *edits, const char *path)
{
    for (int32_t i = 0; i < edits->count; ++i) {
        if (strcmp(edits->items[i].path, path) == 0) {
            return &edits->items[i];
        }
    }
    return NULL;
}

const char *coif_hair_edits_name(const coif_hair_edits *edits, const coif_edited_guides *guides)
{
    const size_t length = strlen(edits->folder);
    const bool inside =
        strncmp(guides->path, edits->folder, length) == 0 && guides->path[length] == '/';
    return guides->path + (inside ? length + 1 : 0);
}

coif_edited_guides *coif_hair_edits_find_name(coif_hair_edits *edits, const char *name)
{
    for (int32_t i = 0; i < edits->count; ++i) {
        if (strcmp(coif_hair_edits_name(edits, &edits->items[i]), name) == 0) {
            return &edits->items[i];
        }
    }
    return NULL;
}

// ---- making and loading

static coif_status check_capacity(const coif_hair_edits *edits, const char *path, coif_error *error)
{
    return edits->count < COIF_MAX_EDITED_GROOMS
               ? COIF_OK
               : coif_fail(error, COIF_ERR_SCENE, "%s: more than %d grooms with edited guides",
                           path, COIF_MAX_EDITED_GROOMS);
}

static coif_edited_guides *begin_item(coif_hair_edits *edits, const char *path)
{
    coif_edited_guides *item = &edits->items[edits->count];
    *item = (coif_edited_guides){0};
    coif_arena_init(&item->arena, "edited guides");
    item->path = coif_arena_copy_text(&item->arena, path);
    return item;
}

static void init_item(coif_edited_guides *item)
{
    const coif_strands *edited = &item->guides.edited;
    item->segments = coif_arena_new(&item->arena, edited->point_count, float);
    item->revisions = coif_arena_new(&item->arena, edited->strand_count, uint64_t);
    item->stamp = coif_file_stamp_of(item->path);
    coif_strand_brush_measure(item->segments, edited);
}

static coif_status load_item(coif_hair_edits *edits, const char *path, coif_error *error)
{
    COIF_TRY(check_capacity(edits, path, error));
    coif_edited_guides *item = begin_item(edits, path);
    const coif_status status = coif_guide_edits_load(&item->guides, path, &item->arena, error);
    if (status != COIF_OK) {
        coif_arena_free(&item->arena);
        return status;
    }
    init_item(item);
    ++edits->count;
    return COIF_OK;
}

static const coif_value *edits_of(const coif_node *groom)
{
    const coif_value *value = coif_values_find(&groom->values, "edits");
    return value->text != NULL && value->text[0] != '\0' ? value : NULL;
}

coif_status coif_hair_edits_load_referenced(coif_hair_edits *edits, const coif_scene *scene,
                                            coif_error *error)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_value *value = edits_of(&grooms->children[g]);
        if (value != NULL && coif_hair_edits_find(edits, value->text) == NULL) {
            COIF_TRY(load_item(edits, value->text, error));
        }
    }
    for (int32_t i = 0; i < edits->count; ++i) {
        edits->items[i].referenced = false;
    }
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_value *value = edits_of(&grooms->children[g]);
        if (value != NULL) {
            coif_edited_guides *item = coif_hair_edits_find(edits, value->text);
            item->referenced = true;
            item->outside_folder = value->source != NULL && coif_path_escapes(value->source->text);
        }
    }
    return COIF_OK;
}

// The first strands, or an evenly distributed subset where strands are in any order.
static coif_status copy_strands(coif_guide_edits *guides, const coif_groom *groom,
                                coif_arena *arena, coif_error *error)
{
    const coif_strands *from = &groom->rest;
    const int32_t count =
        from->strand_count < COIF_MAX_EDIT_GUIDES ? from->strand_count : COIF_MAX_EDIT_GUIDES;
    COIF_SCOPED_ARENA(scratch, "guides");
    int32_t *order = coif_arena_new(&scratch, from->strand_count, int32_t);
    if (count < from->strand_count) {
        coif_groom_low_discrepancy_order(order, groom, &scratch);
    } else {
        for (int32_t g = 0; g < count; ++g) {
            order[g] = g;
        }
    }
    int32_t *lengths = coif_arena_new(&scratch, count, int32_t);
    for (int32_t g = 0; g < count; ++g) {
        lengths[g] = coif_strands_length(from, order[g]);
    }
    COIF_TRY(coif_guide_edits_init(guides, lengths, count, arena, error));
    for (int32_t g = 0; g < count; ++g) {
        const int32_t s = order[g], first = guides->edited.first[g];
        const size_t bytes = sizeof(coif_vec4) * (size_t)lengths[g];
        memcpy(guides->edited.points + first, from->points + from->first[s], bytes);
        memcpy(guides->rest + first, from->points + from->first[s], bytes);
        memcpy(guides->edited.root_uv + 2 * g, from->root_uv + 2 * (int64_t)s, 2 * sizeof(float));
        memcpy(&guides->normals[g], groom->root_frame + 9 * (int64_t)s + 6, sizeof(coif_vec3));
    }
    return COIF_OK;
}

coif_status coif_hair_edits_add(coif_hair_edits *edits, const char *path, const coif_groom *groom,
                                coif_error *error)
{
    COIF_TRY(check_capacity(edits, path, error));
    if (groom->rest.strand_count == 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "no hair grows here yet: raise the density or the number of strands");
    }
    coif_edited_guides *item = begin_item(edits, path);
    coif_status status = copy_strands(&item->guides, groom, &item->arena, error);
    if (status == COIF_OK) {
        status = coif_guide_edits_save(&item->guides, path, error);
    }
    if (status != COIF_OK) {
        coif_arena_free(&item->arena);
        return status;
    }
    init_item(item);
    item->unsaved_new = true;
    ++edits->count;
    return COIF_OK;
}

// ---- brushes

// Lengths are a function of the points, so that strokes replayed on a file give the same bits.
static void measure(coif_edited_guides *guides, int32_t guide)
{
    const coif_strands *edited = &guides->guides.edited;
    for (int32_t i = edited->first[guide] + 1; i < edited->first[guide + 1]; ++i) {
        guides->segments[i] = coif_length(
            coif_sub(coif_vec4_xyz(edited->points[i]), coif_vec4_xyz(edited->points[i - 1])));
    }
}

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
    const coif_brush_body *body;
    coif_arena *arena;
    coif_jobs *jobs;
    uint8_t *changed;
} brush_ctx;

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
    coif_strand_brush_apply(&strands, dabs, ctx->count, ctx->body, ctx->arena, ctx->jobs);
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
    const coif_brush_body nothing = {NULL, 0.0f};
    if (!coif_strand_brush_draw(target, count, moved, ctx->count, root, &nothing)) {
        return;
    }
    for (int32_t k = 1; k < count; ++k) {
        const coif_vec3 p = coif_lerp(coif_vec4_xyz(points[k]), coif_vec4_xyz(target[k]), weight);
        target[k] = (coif_vec4){p.x, p.y, p.z, points[k].w};
        segments[k] = coif_length(coif_sub(p, coif_vec4_xyz(target[k - 1])));
    }
    if (coif_strand_push_out(target, points, segments, count, 1, ctx->body)) {
        memcpy(points, target, sizeof *target * (size_t)count);
        memcpy(ctx->guides->segments + first, segments, sizeof *segments * (size_t)count);
        ctx->changed[guide] = 1;
    }
}

// A dab without hardness reaches the nearest guide with full weight.
static bool draw_line(const brush_ctx *ctx, const coif_vec3 *line)
{
    const coif_guide_edits *edits = &ctx->guides->guides;
    const coif_strand_dab *dab = &ctx->dabs[0];
    float nearest = INFINITY;
    int32_t at = -1;
    for (int32_t g = 0; g < edits->edited.strand_count; ++g) {
        const float distance = coif_length(coif_sub(root_of(edits, g), line[0]));
        if (distance < nearest && !(edits->flags[g] & COIF_GUIDE_FLAGS) && !is_masked(ctx, g)) {
            nearest = distance;
            at = g;
        }
    }
    if (at < 0 || nearest > fmaxf(dab->radius, DRAW_REACH)) {
        return false;
    }
    for (int32_t g = 0; g < edits->edited.strand_count; ++g) {
        const float t = coif_length(coif_sub(root_of(edits, g), line[0])) / dab->radius;
        const float s =
            t <= dab->hardness || g == at
                ? 1.0f
                : coif_clamp((1.0f - t) / (1.0f - fminf(dab->hardness, 0.999f)), 0.0f, 1.0f);
        const float weight = dab->strength * s * s * (3.0f - 2.0f * s);
        if (weight > 0.0f && !(edits->flags[g] & COIF_GUIDE_FLAGS) && !is_masked(ctx, g)) {
            draw_guide(ctx, g, line, weight);
        }
    }
    return true;
}

static coif_status draw(const brush_ctx *ctx, coif_error *error)
{
    const int32_t axis = ctx->dabs[0].mirror_axis;
    coif_vec3 *line = coif_arena_new(ctx->arena, ctx->count, coif_vec3);
    coif_vec3 *twin = coif_arena_new(ctx->arena, ctx->count, coif_vec3);
    for (int32_t i = 0; i < ctx->count; ++i) {
        line[i] = ctx->dabs[i].position;
        twin[i] = mirrored(line[i], axis);
    }
    bool drawn = draw_line(ctx, line);
    drawn = (ctx->dabs[0].mirror && draw_line(ctx, twin)) || drawn;
    return drawn ? COIF_OK
                 : coif_fail(error, COIF_ERR_ARGUMENT,
                             "no hair grows where the line begins: begin it at a root");
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
    coif_strand_brush_apply(&strands, ctx->dabs, ctx->count, ctx->body, ctx->arena, ctx->jobs);
    for (int32_t g = 0; g < count; ++g) {
        edits->flags[g] |= deleted[g] ? COIF_GUIDE_DELETED : 0;
    }
    if (ctx->dabs[0].tool == COIF_BRUSH_CUT) {
        cut_rest(ctx, lengths);
    }
}

coif_status coif_edited_guides_brush(uint8_t **changed, coif_edited_guides *guides,
                                     const coif_hair_stroke *stroke, const coif_brush_body *body,
                                     uint64_t revision, coif_arena *arena, coif_jobs *jobs,
                                     coif_error *error)
{
    const int32_t count = guides->guides.edited.strand_count;
    brush_ctx ctx = {.guides = guides,
                     .stroke = stroke,
                     .body = body,
                     .arena = arena,
                     .jobs = jobs,
                     .changed = coif_arena_new(arena, count, uint8_t)};
    coif_strand_dab *dabs = NULL;
    COIF_TRY(read_dabs(&dabs, &ctx.count, stroke, arena, error));
    ctx.dabs = dabs;
    if ((int)dabs[0].tool == COIF_BRUSH_DRAW) {
        COIF_TRY(draw(&ctx, error));
    } else if ((int)dabs[0].tool == COIF_BRUSH_PIN) {
        pin(&ctx);
    } else {
        brush(&ctx);
    }
    bool any = false;
    for (int32_t g = 0; g < count; ++g) {
        if (ctx.changed[g]) {
            guides->revisions[g] = revision;
            measure(guides, g);
            any = true;
        }
    }
    if (any) {
        guides->revision = revision;
        guides->dirty = true;
    }
    *changed = ctx.changed;
    return COIF_OK;
}

// ---- states

coif_guide_state coif_edited_guides_state(const coif_edited_guides *guides, int32_t guide)
{
    const coif_guide_edits *edits = &guides->guides;
    const int32_t first = edits->edited.first[guide];
    return (coif_guide_state){edits->edited.points + first, edits->rest + first, edits->kept[guide],
                              edits->flags[guide]};
}

void coif_edited_guides_write(coif_edited_guides *guides, int32_t guide,
                              const coif_guide_state *state, uint64_t revision)
{
    coif_guide_edits *edits = &guides->guides;
    const int32_t first = edits->edited.first[guide];
    const int32_t count = coif_strands_length(&edits->edited, guide);
    const size_t bytes = sizeof(coif_vec4) * (size_t)count;
    memcpy(edits->edited.points + first, state->edited, bytes);
    if (state->rest != NULL) {
        memcpy(edits->rest + first, state->rest, bytes);
    }
    edits->kept[guide] = state->kept;
    edits->flags[guide] = state->flags;
    measure(guides, guide);
    guides->revisions[guide] = guides->revision = revision;
    guides->dirty = true;
}

typedef struct guide_record {
    uint32_t guide, flags;
    float kept;
} guide_record;

void coif_edited_guides_pack(const coif_edited_guides *guides, uint64_t since, coif_strbuf *out)
{
    const coif_guide_edits *edits = &guides->guides;
    for (int32_t g = 0; g < edits->edited.strand_count; ++g) {
        if (guides->revisions[g] > since) {
            const guide_record record = {(uint32_t)g, edits->flags[g], edits->kept[g]};
            const int32_t first = edits->edited.first[g];
            const size_t bytes = sizeof(coif_vec4) * (size_t)coif_strands_length(&edits->edited, g);
            coif_strbuf_add_bytes(out, (const char *)&record, sizeof record);
            coif_strbuf_add_bytes(out, (const char *)(edits->edited.points + first), bytes);
            coif_strbuf_add_bytes(out, (const char *)(edits->rest + first), bytes);
        }
    }
}

coif_status coif_edited_guides_unpack(const coif_edited_guides *guides, const coif_bytes *records,
                                      coif_guide_visit *visit, void *context, coif_error *error)
{
    const coif_guide_edits *edits = &guides->guides;
    const char *data = records->data;
    COIF_SCOPED_ARENA(scratch, "guides");
    for (int apply = 0; apply < 2; ++apply) {
        for (size_t at = 0; at < records->size;) {
            guide_record record;
            size_t bytes = 0;
            if (records->size - at >= sizeof record) {
                memcpy(&record, data + at, sizeof record);
                at += sizeof record;
                if (record.guide < (uint32_t)edits->edited.strand_count) {
                    bytes = sizeof(coif_vec4) *
                            (size_t)coif_strands_length(&edits->edited, (int32_t)record.guide);
                }
            }
            if (bytes == 0 || records->size - at < 2 * bytes) {
                return coif_fail(error, COIF_ERR_FORMAT, "%s: malformed record of guides",
                                 records->name);
            }
            if (apply) {
                coif_guide_state state = {
                    .edited = coif_arena_new(&scratch, (int64_t)bytes / 16, coif_vec4),
                    .rest = coif_arena_new(&scratch, (int64_t)bytes / 16, coif_vec4),
                    .kept = record.kept,
                    .flags = (uint8_t)record.flags};
                memcpy(state.edited, data + at, bytes);
                memcpy(state.rest, data + at + bytes, bytes);
                visit(context, (int32_t)record.guide, &state);
            }
            at += 2 * bytes;
        }
    }
    return COIF_OK;
}

uint64_t coif_edited_guides_digest(const coif_edited_guides *guides)
{
    const coif_guide_edits *edits = &guides->guides;
    const size_t points = sizeof(coif_vec4) * (size_t)edits->edited.point_count;
    const size_t count = (size_t)edits->edited.strand_count;
    uint64_t digest = coif_hash64(edits->edited.points, points);
    digest = coif_hash64_extend(digest, edits->rest, points);
    digest = coif_hash64_extend(digest, edits->kept, count * sizeof *edits->kept);
    return coif_hash64_extend(digest, edits->flags, count);
}

uint8_t *coif_edited_guides_mask(const coif_edited_guides *guides, const coif_paint_map *map,
                                 uint16_t texel, coif_arena *arena)
{
    const coif_strands *edited = &guides->guides.edited;
    uint8_t *mask = coif_arena_new(arena, edited->strand_count, uint8_t);
    const float wanted = coif_paint_map_value(map, texel);
    const float tolerance =
        0.5f * fabsf(coif_paint_map_value(map, 1) - coif_paint_map_value(map, 0));
    for (int32_t g = 0; g < edited->strand_count; ++g) {
        const float u = edited->root_uv[2 * g], v = edited->root_uv[2 * g + 1];
        for (int32_t k = 0; k < map->udim_count; ++k) {
            const int32_t number = map->udims[k].number - COIF_UDIM_FIRST;
            const float u0 = number < 0 ? 0.0f : (float)(number % 10);
            const float v0 = number < 0 ? 0.0f : (float)(number / 10);
            if (u >= u0 && u <= u0 + 1.0f && v >= v0 && v <= v0 + 1.0f) {
                const float value =
                    coif_image_texel(&map->udims[k].image, map->channel, u - u0, v - v0);
                mask[g] = fabsf(value - wanted) <= tolerance;
            }
        }
    }
    return mask;
}

// ---- files

bool coif_edited_guides_modified_file(const coif_edited_guides *guides)
{
    const coif_file_stamp now = coif_file_stamp_of(guides->path);
    return guides->dirty && now.inode != 0 && memcmp(&now, &guides->stamp, sizeof now) != 0;
}

coif_status coif_edited_guides_save(coif_edited_guides *guides, coif_error *error)
{
    if (guides->outside_folder) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s is outside the folder of the scene and is not written: copy it there "
                         "and set \"edits\" of the groom to the copy",
                         guides->path);
    }
    COIF_TRY(coif_keep_previous(guides->path, error));
    COIF_TRY(coif_guide_edits_save(&guides->guides, guides->path, error));
    guides->stamp = coif_file_stamp_of(guides->path);
    guides->dirty = false;
    return COIF_OK;
}

bool coif_edited_guides_restore_previous(coif_edited_guides *guides, uint64_t digest)
{
    COIF_SCOPED_ARENA(scratch, "previous guides");
    const char *path = coif_previous_path(guides->path, &scratch);
    coif_edited_guides previous = {0};
    const coif_strands *now = &guides->guides.edited;
    if (!coif_path_exists(path) ||
        coif_guide_edits_load(&previous.guides, path, &scratch, NULL) != COIF_OK ||
        coif_edited_guides_digest(&previous) != digest ||
        coif_strands_topology_digest(&previous.guides.edited) !=
            coif_strands_topology_digest(now)) {
        return false;
    }
    coif_guide_edits_copy(&guides->guides, &previous.guides, &guides->arena);
    coif_strand_brush_measure(guides->segments, &guides->guides.edited);
    guides->dirty = true;
    return true;
}

void coif_hair_edits_remove_unsaved(const coif_hair_edits *edits)
{
    for (int32_t i = 0; i < edits->count; ++i) {
        if (edits->items[i].unsaved_new && !edits->items[i].referenced) {
            unlink(edits->items[i].path);
        }
    }
}

void coif_hair_edits_mark_saved(coif_hair_edits *edits)
{
    for (int32_t i = 0; i < edits->count; ++i) {
        edits->items[i].unsaved_new = edits->items[i].unsaved_new && !edits->items[i].referenced;
    }
}

void coif_hair_edits_free(coif_hair_edits *edits)
{
    for (int32_t i = 0; i < edits->count; ++i) {
        coif_arena_free(&edits->items[i].arena);
    }
}

// ---- snapshots

const coif_guide_edits *coif_hair_edits_override(void *edits, const char *path)
{
    const coif_edited_guides *found = coif_hair_edits_find(edits, path);
    return found != NULL ? &found->guides : NULL;
}

void coif_hair_edits_snapshot(coif_guide_overrides *overrides, const coif_hair_edits *edits,
                              coif_arena *arena)
{
    coif_hair_edits *copies = coif_arena_new(arena, 1, coif_hair_edits);
    for (int32_t i = 0; i < edits->count; ++i) {
        if (edits->items[i].referenced) {
            coif_edited_guides *copy = &copies->items[copies->count++];
            copy->path = coif_arena_copy_text(arena, edits->items[i].path);
            coif_guide_edits_copy(&copy->guides, &edits->items[i].guides, arena);
        }
    }
    *overrides = (coif_guide_overrides){copies, coif_hair_edits_override};
}
