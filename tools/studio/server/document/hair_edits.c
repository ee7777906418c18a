// Edited guides of grooms: making, loading and saving.
#include "tools/studio/server/document/hair_edits.h"

#include "core/base/error.h"
#include "core/base/hash64.h"
#include "tools/studio/server/document/paint_map_io.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

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

// All arrays move to a new arena, so that memory does not grow with the number of strokes.
coif_status coif_edited_guides_extend(coif_edited_guides *guides, int32_t points, coif_error *error)
{
    const int32_t count = guides->guides.edited.strand_count;
    coif_edited_guides moved = *guides;
    coif_arena arena;
    coif_arena_init(&arena, "edited guides");
    const coif_status status =
        coif_guide_edits_extend(&moved.guides, &guides->guides, points, &arena, error);
    if (status != COIF_OK) {
        coif_arena_free(&arena);
        return status;
    }
    moved.path = coif_arena_copy_text(&arena, guides->path);
    moved.segments = coif_arena_new(&arena, moved.guides.edited.point_count, float);
    moved.revisions = coif_arena_new(&arena, count + 1, uint64_t);
    memcpy(moved.segments, guides->segments,
           sizeof(float) * (size_t)guides->guides.edited.point_count);
    memcpy(moved.revisions, guides->revisions, sizeof(uint64_t) * (size_t)count);
    coif_arena_free(&guides->arena);
    *guides = moved;
    coif_arena_move(&guides->arena, &arena);
    return COIF_OK;
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
    if (!coif_path_exists(path) ||
        coif_guide_edits_load(&previous.guides, path, &scratch, NULL) != COIF_OK ||
        coif_edited_guides_digest(&previous) != digest) {
        return false;
    }
    // Guides drawn since then are in the file that was written.
    const char *name = coif_arena_copy_text(&scratch, guides->path);
    coif_arena_free(&guides->arena);
    coif_arena_init(&guides->arena, "edited guides");
    guides->path = coif_arena_copy_text(&guides->arena, name);
    coif_guide_edits_copy(&guides->guides, &previous.guides, &guides->arena);
    init_item(guides);
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
