// Brushes on the hair of the document: guides, journal, undo steps.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/collision/collider.h"
#include "core/json/json.h"
#include "tools/studio/server/document/studio.h"

#include <string.h>

// Record of a part of a stroke: this header, stroke id, zero byte, name of the guides, zero byte,
// a byte per guide when masked, dabs.
typedef struct brush_header {
    uint64_t digest; // of the guides before
    uint32_t masked, reserved;
} brush_header;

uint64_t coif_studio_hair_revision(const coif_studio *studio)
{
    uint64_t digest = coif_hash64("", 0);
    for (int32_t i = 0; i < studio->hair.count; ++i) {
        const coif_edited_guides *edited = &studio->hair.items[i];
        if (edited->referenced) {
            const uint64_t revision[2] = {(uint64_t)i, edited->revision};
            digest = coif_hash64_extend(digest, revision, sizeof revision);
        }
    }
    return digest;
}

coif_edited_guides *coif_studio_edited_guides(coif_studio *studio, const coif_node *groom)
{
    const coif_value *value = coif_values_find(&groom->values, "edits");
    return value->text != NULL && value->text[0] != '\0'
               ? coif_hair_edits_find(&studio->hair, value->text)
               : NULL;
}

// The body at rest as a collider, and the part of it that hair grows on; kept until they change.
static const coif_brush_surfaces *surfaces_of(coif_studio *studio,
                                              const coif_growth_surface *surface)
{
    const int32_t index[2] = {(int32_t)(surface->body - studio->bodies), surface->group};
    const uint64_t key = coif_hash64_extend(studio->bodies_digest, index, sizeof index);
    if (studio->brush_surfaces == NULL || studio->brush_surfaces_key != key) {
        if (studio->brush_surfaces != NULL) {
            coif_arena_free(&studio->brush_arena);
        }
        coif_arena_init(&studio->brush_arena, "brush surfaces");
        coif_arena *arena = &studio->brush_arena;
        coif_brush_surfaces *made = coif_arena_new(arena, 1, coif_brush_surfaces);
        coif_collider_build(&made->body, surface->mesh, arena);
        made->has_sdf = coif_sdf_build(&made->sdf, surface->mesh, &made->body, arena);
        coif_scalp_locator_open(&made->scalp, surface->mesh, surface->params.group, arena);
        studio->brush_surfaces = made;
        studio->brush_surfaces_key = key;
    }
    return studio->brush_surfaces;
}

// `count` guides before the stroke.
static coif_status append(coif_studio *studio, const coif_edited_guides *edited, int32_t count,
                          uint64_t digest, const char *stroke, const coif_hair_stroke *part,
                          coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "journal");
    coif_strbuf op;
    coif_strbuf_init(&op, &scratch);
    const brush_header header = {digest, part->mask != NULL, 0};
    const char *name = coif_hair_edits_name(&studio->hair, edited);
    coif_strbuf_add_bytes(&op, (const char *)&header, sizeof header);
    coif_strbuf_add_bytes(&op, stroke, strlen(stroke) + 1);
    coif_strbuf_add_bytes(&op, name, strlen(name) + 1);
    if (part->mask != NULL) {
        coif_strbuf_add_bytes(&op, (const char *)part->mask, (size_t)count);
    }
    coif_strbuf_add_bytes(&op, part->dabs, part->size);
    return coif_studio_journal_append(studio, COIF_OP_BRUSH, op.data, op.size, error);
}

static coif_guide_state *copy_states(const coif_edited_guides *edited, coif_arena *arena)
{
    const coif_guide_edits *from = &edited->guides;
    coif_guide_edits *copy = coif_arena_new(arena, 1, coif_guide_edits);
    coif_guide_edits_copy(copy, from, arena);
    const int32_t count = from->edited.strand_count;
    coif_guide_state *states = coif_arena_new(arena, count, coif_guide_state);
    const coif_edited_guides before = {.guides = *copy};
    for (int32_t g = 0; g < count; ++g) {
        states[g] = coif_edited_guides_state(&before, g);
    }
    return states;
}

// A guide that was added did not act before.
static coif_guide_state state_before(const coif_edited_guides *edited, int32_t guide,
                                     const coif_guide_state *before, int32_t count)
{
    coif_guide_state state =
        guide < count ? before[guide] : coif_edited_guides_state(edited, guide);
    state.flags |= guide < count ? 0 : COIF_GUIDE_DELETED;
    return state;
}

static void write_back(coif_edited_guides *edited, const uint8_t *changed,
                       const coif_guide_state *before, int32_t count, uint64_t revision)
{
    for (int32_t g = 0; g < edited->guides.edited.strand_count; ++g) {
        if (changed[g]) {
            const coif_guide_state state = state_before(edited, g, before, count);
            coif_edited_guides_write(edited, g, &state, revision);
        }
    }
}

static bool any_of(const uint8_t *changed, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (changed[i]) {
            return true;
        }
    }
    return false;
}

coif_status coif_studio_brush(coif_studio *studio, int32_t groom, const char *stroke,
                              const coif_hair_stroke *part, coif_error *error)
{
    const coif_node *node;
    coif_growth_surface surface;
    COIF_TRY(coif_studio_groom(&node, studio, groom, error));
    COIF_TRY(coif_studio_growth_surface(&surface, studio, node, error));
    coif_edited_guides *edited = coif_studio_edited_guides(studio, node);
    if (edited == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "groom \"%s\" has no edited guides",
                         surface.params.name);
    }
    const char *file = surface.params.file;
    const bool exact = file != NULL && file[0] != '\0' && !surface.params.file_push_out;
    const coif_brush_surfaces *surfaces = surfaces_of(studio, &surface);
    const coif_hair_surface hair = {.body = {.collider = &surfaces->body,
                                             .clearance = exact ? 0.0f : surface.params.clearance,
                                             .sdf = surfaces->has_sdf ? &surfaces->sdf : NULL},
                                    .scalp = &surfaces->scalp,
                                    .points = surface.params.points,
                                    .radius = surface.params.radius};
    COIF_SCOPED_ARENA(scratch, "brush");
    const int32_t count = edited->guides.edited.strand_count;
    const coif_guide_state *before = copy_states(edited, &scratch);
    const uint64_t digest = coif_edited_guides_digest(edited);
    uint8_t *changed;
    COIF_TRY(coif_edited_guides_brush(&changed, edited, part, &hair, ++studio->revision, &scratch,
                                      studio->jobs, error));
    const int32_t count_after = edited->guides.edited.strand_count;
    if (!any_of(changed, count_after)) {
        return COIF_OK;
    }
    // A change that is confirmed to a client survives a crash.
    const coif_status status = append(studio, edited, count, digest, stroke, part, error);
    if (status != COIF_OK) {
        write_back(edited, changed, before, count, ++studio->revision);
        return status;
    }
    for (int32_t g = 0; g < count_after; ++g) {
        if (changed[g]) {
            const coif_guide_state state = state_before(edited, g, before, count);
            coif_history_add_guide(&studio->history, edited, stroke, g, &state);
        }
    }
    return COIF_OK;
}

// A file name beside the scene that does not exist yet: bob_hair.guides.
static const char *new_path(const coif_studio *studio, const char *groom, coif_arena *arena)
{
    const char *name = coif_path_name(studio->path);
    const char *dot = strrchr(name, '.');
    const int stem = (int)(dot != NULL ? dot - name : (ptrdiff_t)strlen(name));
    const char *path = NULL;
    for (int n = 1; path == NULL || coif_path_exists(path); ++n) {
        path = n == 1
                   ? coif_arena_print(arena, "%s/%.*s_%s.guides", studio->folder, stem, name, groom)
                   : coif_arena_print(arena, "%s/%.*s_%s%d.guides", studio->folder, stem, name,
                                      groom, n);
    }
    return path;
}

coif_status coif_studio_add_guides(coif_studio *studio, int32_t groom, const char *stroke,
                                   const coif_groom *strands, coif_error *error)
{
    const coif_node *node;
    COIF_TRY(coif_studio_groom(&node, studio, groom, error));
    coif_groom_params params;
    coif_node_read(node, 0.0, &params);
    COIF_SCOPED_ARENA(scratch, "guides");
    const char *path = new_path(studio, params.name, &scratch);
    COIF_TRY(coif_hair_edits_add(&studio->hair, path, strands, error));
    const coif_edit edit = {coif_arena_print(&scratch, "/grooms/%d/edits", groom),
                            coif_json_quote(coif_path_name(path), &scratch)};
    const coif_status status = coif_studio_edit(studio, &edit, 1, stroke, error);
    if (status != COIF_OK) {
        coif_hair_edits_remove_unsaved(&studio->hair);
    }
    return status;
}

// ---- journal

static coif_status fail_record(const coif_bytes *record, coif_error *error)
{
    return coif_fail(error, COIF_ERR_FORMAT, "%s: malformed record of a stroke on hair",
                     record->name);
}

// Reads a text with its zero byte.
static bool read_text(const char **text, const coif_bytes *record, size_t *at)
{
    *text = (const char *)record->data + *at;
    *at += strnlen(*text, record->size - *at) + 1;
    return *at <= record->size;
}

static int32_t groom_of(const coif_studio *studio, const coif_edited_guides *edited)
{
    const coif_node *grooms = coif_node_at(studio->scene.root, "grooms");
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_value *value = coif_values_find(&grooms->children[g].values, "edits");
        if (value->text != NULL && strcmp(value->text, edited->path) == 0) {
            return g;
        }
    }
    return -1;
}

coif_status coif_studio_replay_brush(coif_studio *studio, const coif_bytes *record,
                                     coif_error *error)
{
    brush_header header;
    size_t at = sizeof header;
    const char *stroke, *name;
    if (record->size < at) {
        return fail_record(record, error);
    }
    memcpy(&header, record->data, sizeof header);
    if (!read_text(&stroke, record, &at) || !read_text(&name, record, &at)) {
        return fail_record(record, error);
    }
    coif_edited_guides *edited = coif_hair_edits_find_name(&studio->hair, name);
    const int32_t groom = edited != NULL ? groom_of(studio, edited) : -1;
    if (groom < 0) {
        coif_log(COIF_LOG_WARNING,
                 "%s: the scene no longer refers to %s; strokes on it are ignored", record->name,
                 name);
        return COIF_OK;
    }
    if (coif_edited_guides_digest(edited) != header.digest &&
        !coif_edited_guides_restore_previous(edited, header.digest)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: strokes belong to another version of %s",
                         record->name, edited->path);
    }
    const size_t mask = header.masked ? (size_t)edited->guides.edited.strand_count : 0;
    if (mask > record->size - at) {
        return fail_record(record, error);
    }
    const char *data = (const char *)record->data + at;
    const coif_hair_stroke part = {data + mask, record->size - at - mask,
                                   header.masked ? (const uint8_t *)data : NULL};
    return coif_studio_brush(studio, groom, stroke, &part, error);
}

coif_status coif_studio_journal_guides(coif_studio *studio, const coif_edited_guides *edited,
                                       const char *stroke, uint64_t since, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "journal");
    coif_strbuf op;
    coif_strbuf_init(&op, &scratch);
    const char *name = coif_hair_edits_name(&studio->hair, edited);
    coif_strbuf_add_bytes(&op, stroke, strlen(stroke) + 1);
    coif_strbuf_add_bytes(&op, name, strlen(name) + 1);
    coif_edited_guides_pack(edited, since, &op);
    return coif_studio_journal_append(studio, COIF_OP_GUIDES, op.data, op.size, error);
}

typedef struct replay_ctx {
    coif_studio *studio;
    coif_edited_guides *edited;
    const char *stroke;
    uint64_t revision;
    coif_arena *arena;
} replay_ctx;

static void replay_guide(void *context, int32_t guide, const coif_guide_state *state)
{
    const replay_ctx *ctx = context;
    const coif_guide_state now = coif_edited_guides_state(ctx->edited, guide);
    const int32_t points = coif_strands_length(&ctx->edited->guides.edited, guide);
    const size_t bytes = sizeof(coif_vec4) * (size_t)points;
    coif_guide_state before = {.edited = coif_arena_new(ctx->arena, points, coif_vec4),
                               .rest = coif_arena_new(ctx->arena, points, coif_vec4),
                               .kept = now.kept,
                               .flags = now.flags};
    memcpy(before.edited, now.edited, bytes);
    memcpy(before.rest, now.rest, bytes);
    coif_edited_guides_write(ctx->edited, guide, state, ctx->revision);
    coif_history_add_guide(&ctx->studio->history, ctx->edited, ctx->stroke, guide, &before);
}

coif_status coif_studio_replay_guides(coif_studio *studio, const coif_bytes *record,
                                      coif_error *error)
{
    size_t at = 0;
    const char *stroke, *name;
    if (!read_text(&stroke, record, &at) || !read_text(&name, record, &at)) {
        return fail_record(record, error);
    }
    coif_edited_guides *edited = coif_hair_edits_find_name(&studio->hair, name);
    if (edited == NULL) {
        coif_log(COIF_LOG_WARNING,
                 "%s: the scene no longer refers to %s; strokes on it are ignored", record->name,
                 name);
        return COIF_OK;
    }
    COIF_SCOPED_ARENA(scratch, "replay");
    replay_ctx ctx = {studio, edited, stroke, ++studio->revision, &scratch};
    const coif_bytes records = {record->name, (const char *)record->data + at, record->size - at};
    return coif_edited_guides_unpack(edited, &records, replay_guide, &ctx, error);
}
