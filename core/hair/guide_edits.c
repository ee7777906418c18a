// Files of edited guides: arrays as blocks of a pack, with validation on load.
#include "core/hair/guide_edits.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/pack/pack.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 7 };

coif_status coif_guide_edits_init(coif_guide_edits *edits, const int32_t *lengths, int32_t count,
                                  coif_arena *arena, coif_error *error)
{
    COIF_TRY(coif_strands_init(&edits->edited, lengths, count, arena, error));
    edits->rest = coif_arena_new(arena, edits->edited.point_count, coif_vec4);
    edits->normals = coif_arena_new(arena, count, coif_vec3);
    edits->kept = coif_arena_new(arena, count, float);
    edits->flags = coif_arena_new(arena, count, uint8_t);
    for (int32_t g = 0; g < count; ++g) {
        edits->kept[g] = 1.0f;
    }
    return COIF_OK;
}

// Arrays have capacity for one more guide.
static int32_t *lengths_of(const coif_strands *strands, coif_arena *arena)
{
    int32_t *lengths = coif_arena_new(arena, strands->strand_count + 1, int32_t);
    for (int32_t g = 0; g < strands->strand_count; ++g) {
        lengths[g] = coif_strands_length(strands, g);
    }
    return lengths;
}

// Blocks other than the lengths, for saving and loading.
static void list_blocks(coif_pack_block blocks[BLOCKS], const coif_guide_edits *edits)
{
    const coif_strands *edited = &edits->edited;
    const int64_t guides = edited->strand_count, points = edited->point_count;
    const int64_t stride = sizeof(coif_vec4);
    // clang-format off
    const coif_pack_block all[BLOCKS] = {
        {"positions", COIF_PACK_FLOAT, 3, COIF_CODEC_LOSSLESS, points, edited->points,     stride, 0},
        {"radius",    COIF_PACK_FLOAT, 1, COIF_CODEC_LOSSLESS, points, &edited->points->w, stride, 0},
        {"rest",      COIF_PACK_FLOAT, 4, COIF_CODEC_LOSSLESS, points, edits->rest,        0, 0},
        {"root_uv",   COIF_PACK_FLOAT, 2, COIF_CODEC_LOSSLESS, guides, edited->root_uv,    0, 0},
        {"normals",   COIF_PACK_FLOAT, 3, COIF_CODEC_LOSSLESS, guides, edits->normals,     0, 0},
        {"kept",      COIF_PACK_FLOAT, 1, COIF_CODEC_ZSTD,     guides, edits->kept,        0, 0},
        {"flags",     COIF_PACK_BYTE,  1, COIF_CODEC_ZSTD,     guides, edits->flags,       0, 0},
    };
    // clang-format on
    memcpy(blocks, all, sizeof all);
}

coif_status coif_guide_edits_save(const coif_guide_edits *edits, const char *path,
                                  coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "edited guides");
    coif_pack_block blocks[BLOCKS + 1] = {{.name = "lengths",
                                           .type = COIF_PACK_INT32,
                                           .components = 1,
                                           .codec = COIF_CODEC_LOSSLESS,
                                           .count = edits->edited.strand_count,
                                           .data = lengths_of(&edits->edited, &scratch)}};
    list_blocks(blocks + 1, edits);
    coif_pack pack = {.kind = COIF_PACK_GUIDES, .block_count = BLOCKS + 1, .blocks = blocks};
    return coif_pack_save(&pack, path, error);
}

static bool is_finite(const float *values, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static coif_status validate(const coif_guide_edits *edits, const char *name, coif_error *error)
{
    const coif_strands *edited = &edits->edited;
    const int32_t invalid = coif_strands_find_invalid(edited);
    if (invalid >= 0) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: point %d has a number that is not finite or a negative radius", name,
                         invalid);
    }
    if (!is_finite(&edits->rest->x, 4 * (int64_t)edited->point_count) ||
        !is_finite(&edits->normals->x, 3 * (int64_t)edited->strand_count) ||
        !is_finite(edited->root_uv, 2 * (int64_t)edited->strand_count)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: a guide has a number that is not finite",
                         name);
    }
    for (int32_t g = 0; g < edited->strand_count; ++g) {
        if (!(edits->kept[g] > 0.0f && edits->kept[g] <= 1.0f) ||
            edits->flags[g] > COIF_GUIDE_FLAGS) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: guide %d keeps %g of its length and has flags %d; expected above "
                             "0 to 1 and 0 to %d",
                             name, g, (double)edits->kept[g], edits->flags[g], COIF_GUIDE_FLAGS);
        }
    }
    return COIF_OK;
}

coif_status coif_guide_edits_read(coif_guide_edits *edits, const coif_bytes *bytes,
                                  coif_arena *arena, coif_error *error)
{
    coif_pack pack;
    COIF_TRY(coif_pack_read(&pack, bytes, COIF_PACK_GUIDES, arena, error));
    const coif_pack_block *lengths;
    const coif_pack_block wanted = {
        .name = "lengths", .type = COIF_PACK_INT32, .components = 1, .count = -1};
    COIF_TRY(coif_pack_need(&lengths, &pack, bytes->name, &wanted, error));
    if (lengths->count > COIF_MAX_POINTS) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: more than %d guides", bytes->name,
                         COIF_MAX_POINTS);
    }
    // Memory is bounded by the file.
    int64_t points = 0;
    for (int64_t g = 0; g < lengths->count; ++g) {
        points += ((const int32_t *)lengths->data)[g];
    }
    const coif_pack_block *positions = coif_pack_find(&pack, "positions", COIF_PACK_FLOAT, 3);
    if (positions == NULL || positions->count != points) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: lengths of guides add up to %lld points",
                         bytes->name, (long long)points);
    }
    coif_error cause = {.status = COIF_OK};
    if (coif_guide_edits_init(edits, lengths->data, (int32_t)lengths->count, arena, &cause) !=
        COIF_OK) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: %s", bytes->name, cause.text);
    }
    coif_pack_block blocks[BLOCKS];
    list_blocks(blocks, edits);
    COIF_TRY(coif_pack_copy(&pack, bytes->name, blocks, BLOCKS, error));
    return validate(edits, bytes->name, error);
}

coif_status coif_guide_edits_load(coif_guide_edits *edits, const char *path, coif_arena *arena,
                                  coif_error *error)
{
    char *data;
    size_t size;
    COIF_TRY(coif_file_load(&data, &size, path, arena, error));
    const coif_bytes bytes = {path, data, size};
    return coif_guide_edits_read(edits, &bytes, arena, error);
}

static void copy_guides(coif_guide_edits *copy, const coif_guide_edits *edits)
{
    const coif_strands *from = &edits->edited;
    const size_t guides = (size_t)from->strand_count, points = (size_t)from->point_count;
    memcpy(copy->edited.points, from->points, points * sizeof *from->points);
    memcpy(copy->edited.root_uv, from->root_uv, 2 * guides * sizeof *from->root_uv);
    memcpy(copy->rest, edits->rest, points * sizeof *edits->rest);
    memcpy(copy->normals, edits->normals, guides * sizeof *edits->normals);
    memcpy(copy->kept, edits->kept, guides * sizeof *edits->kept);
    memcpy(copy->flags, edits->flags, guides * sizeof *edits->flags);
}

void coif_guide_edits_copy(coif_guide_edits *copy, const coif_guide_edits *edits, coif_arena *arena)
{
    COIF_SCOPED_ARENA(scratch, "lengths");
    const coif_status status = coif_guide_edits_init(copy, lengths_of(&edits->edited, &scratch),
                                                     edits->edited.strand_count, arena, NULL);
    COIF_REQUIRE(status == COIF_OK); // the lengths are those of valid guides
    copy_guides(copy, edits);
}

coif_status coif_guide_edits_extend(coif_guide_edits *copy, const coif_guide_edits *edits,
                                    int32_t points, coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "lengths");
    const int32_t count = edits->edited.strand_count;
    int32_t *lengths = lengths_of(&edits->edited, &scratch);
    lengths[count] = points;
    COIF_TRY(coif_guide_edits_init(copy, lengths, count + 1, arena, error));
    copy_guides(copy, edits);
    return COIF_OK;
}

coif_status coif_guides_read(coif_strand_file *file, const coif_bytes *bytes,
                             const coif_hair_import *import, coif_arena *arena, coif_error *error)
{
    (void)import;
    coif_guide_edits edits;
    COIF_TRY(coif_guide_edits_read(&edits, bytes, arena, error));
    const coif_strands *from = &edits.edited;
    int32_t *lengths = coif_arena_new(arena, from->strand_count, int32_t);
    int32_t count = 0;
    for (int32_t g = 0; g < from->strand_count; ++g) {
        if (!(edits.flags[g] & COIF_GUIDE_DELETED)) {
            lengths[count++] = coif_strands_length(from, g);
        }
    }
    COIF_TRY(coif_strands_init(&file->strands, lengths, count, arena, error));
    for (int32_t g = 0, s = 0; g < from->strand_count; ++g) {
        if (!(edits.flags[g] & COIF_GUIDE_DELETED)) {
            memcpy(file->strands.points + file->strands.first[s], from->points + from->first[g],
                   sizeof *from->points * (size_t)lengths[s]);
            memcpy(file->strands.root_uv + 2 * s, from->root_uv + 2 * g, 2 * sizeof(float));
            ++s;
        }
    }
    file->has_radius = file->has_root_uv = true;
    return COIF_OK;
}
