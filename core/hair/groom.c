// Groom files: arrays as blocks of a pack, with validation on load.
#include "core/hair/groom.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/pack/pack.h"

#include <string.h>

enum { MAX_BLOCKS = 20 };

coif_status coif_groom_init(coif_groom *groom, const int32_t *lengths, int32_t strand_count,
                            coif_arena *arena, coif_error *error)
{
    *groom = (coif_groom){.metadata = ""};
    COIF_TRY(coif_strands_init(&groom->rest, lengths, strand_count, arena, error));
    const size_t count = (size_t)strand_count;
    groom->root_triangle = coif_arena_new(arena, count, int32_t);
    groom->root_barycentric = coif_arena_new(arena, 2 * count, float);
    groom->root_frame = coif_arena_new(arena, 9 * count, float);
    groom->random = coif_arena_new(arena, count, uint32_t);
    groom->simulated = coif_arena_new(arena, count, int32_t);
    groom->guides = coif_arena_new(arena, COIF_GUIDES_PER_CHILD * count, int32_t);
    groom->guide_weights = coif_arena_new(arena, COIF_GUIDES_PER_CHILD * count, float);
    groom->simulated_count = strand_count;
    for (int32_t s = 0; s < strand_count; ++s) {
        groom->simulated[s] = s;
        int32_t *guides = &groom->guides[COIF_GUIDES_PER_CHILD * (size_t)s];
        guides[0] = s;
        guides[1] = guides[2] = -1;
        groom->guide_weights[COIF_GUIDES_PER_CHILD * (size_t)s] = 1.0f;
    }
    return COIF_OK;
}

// Blocks other than lengths and metadata, for saving and loading.
static int32_t list_blocks(coif_pack_block *blocks, const coif_groom *groom)
{
    const coif_strands *rest = &groom->rest;
    const int32_t strands = rest->strand_count, points = rest->point_count;
    const int32_t stride = sizeof(coif_vec4);
    // clang-format off
    const coif_pack_block all[] = {
        {"positions",     COIF_PACK_FLOAT, 3, COIF_CODEC_LOSSLESS, points,  rest->points,            stride, 0},
        {"radius",        COIF_PACK_FLOAT, 1, COIF_CODEC_LOSSLESS, points,  &rest->points->w,        stride, 0},
        {"root_uv",       COIF_PACK_FLOAT, 2, COIF_CODEC_LOSSLESS, strands, rest->root_uv,           0, 0},
        {"root_triangle", COIF_PACK_INT32, 1, COIF_CODEC_LOSSLESS, strands, groom->root_triangle,    0, 0},
        {"root_weights",  COIF_PACK_FLOAT, 2, COIF_CODEC_LOSSLESS, strands, groom->root_barycentric, 0, 0},
        {"root_frame",    COIF_PACK_FLOAT, 9, COIF_CODEC_LOSSLESS, strands, groom->root_frame,       0, 0},
        {"random",        COIF_PACK_INT32, 1, COIF_CODEC_RAW,      strands, groom->random,           0, 0},
        {"simulated",     COIF_PACK_INT32, 1, COIF_CODEC_LOSSLESS, groom->simulated_count, groom->simulated, 0, 0},
        {"guides",        COIF_PACK_INT32, 3, COIF_CODEC_ZSTD,     strands, groom->guides,           0, 0},
        {"guide_weights", COIF_PACK_FLOAT, 3, COIF_CODEC_ZSTD,     strands, groom->guide_weights,    0, 0},
        {"mesh",          COIF_PACK_INT64, 1, COIF_CODEC_RAW,      1,       &groom->mesh_digest,     0, 0},
        {"colors",        COIF_PACK_FLOAT, 3, COIF_CODEC_LOSSLESS, points,  rest->colors,            0, 0},
        {"clump_scale",   COIF_PACK_FLOAT, 2, COIF_CODEC_ZSTD,     strands, groom->clump_scale,      0, 0},
        {"ties",          COIF_PACK_FLOAT, COIF_TIE_FLOATS, COIF_CODEC_LOSSLESS, groom->tie_count, groom->ties, 0, 0},
        {"tie_fraction",  COIF_PACK_FLOAT, 1, COIF_CODEC_ZSTD,     strands, groom->tie_fraction,     0, 0},
        {"region",        COIF_PACK_INT32, 1, COIF_CODEC_ZSTD,     strands, groom->region,           0, 0},
        {"clump",         COIF_PACK_INT32, 1, COIF_CODEC_ZSTD,     strands, groom->clump,            0, 0},
    };
    // clang-format on
    // The last six blocks are optional.
    int32_t count = 0;
    const int32_t required = (int32_t)COIF_COUNT_OF(all) - 6;
    for (int32_t i = 0; i < (int32_t)COIF_COUNT_OF(all); ++i) {
        if (i < required || all[i].data != NULL) {
            blocks[count++] = all[i];
        }
    }
    return count;
}

typedef coif_status (*pack_use)(coif_pack *pack, const char *path, coif_error *error);

static coif_status digest_only(coif_pack *pack, const char *path, coif_error *error)
{
    (void)path;
    return coif_pack_digest(pack, error);
}

// Describes the groom as a pack and passes it to `use`: saving or digest.
static coif_status with_pack(uint64_t *digest, const coif_groom *groom, pack_use use,
                             const char *path, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "groom");
    const int32_t strands = groom->rest.strand_count;
    int32_t *lengths = coif_arena_new(&arena, strands, int32_t);
    for (int32_t s = 0; s < strands; ++s) {
        lengths[s] = coif_strands_length(&groom->rest, s);
    }
    const char *metadata = groom->metadata != NULL ? groom->metadata : "";
    coif_pack_block blocks[MAX_BLOCKS] = {
        {"lengths", COIF_PACK_INT32, 1, COIF_CODEC_LOSSLESS, strands, lengths, 0, 0},
        {"metadata", COIF_PACK_BYTE, 1, COIF_CODEC_RAW, (int64_t)strlen(metadata), metadata, 0, 0},
    };
    coif_pack pack = {.kind = COIF_PACK_GROOM,
                      .block_count = 2 + list_blocks(blocks + 2, groom),
                      .blocks = blocks};
    const coif_status status = use(&pack, path, error);
    *digest = pack.digest;
    return status;
}

coif_status coif_groom_save(coif_groom *groom, const char *path, coif_error *error)
{
    uint64_t digest;
    COIF_TRY(with_pack(&digest, groom, coif_pack_save, path, error));
    groom->digest = digest;
    return COIF_OK;
}

coif_status coif_groom_digest(uint64_t *digest, const coif_groom *groom, coif_error *error)
{
    return with_pack(digest, groom, digest_only, "", error);
}

// Validates lengths against the number of points before memory is allocated.
static coif_status check_lengths(const coif_pack_block *lengths, const coif_pack *pack,
                                 const char *path, coif_error *error)
{
    const int32_t *length = lengths->data;
    coif_pack_block expected = {.name = "positions", .type = COIF_PACK_FLOAT, .components = 3};
    for (int64_t s = 0; s < lengths->count && expected.count <= COIF_MAX_POINTS; ++s) {
        expected.count += length[s];
        if (length[s] < 2) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: strand %lld has %d points, expected 2 or more", path,
                             (long long)s, length[s]);
        }
    }
    if (expected.count > COIF_MAX_POINTS) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: more than %d points", path, COIF_MAX_POINTS);
    }
    const coif_pack_block *positions;
    return coif_pack_need(&positions, pack, path, &expected, error);
}

static coif_status check_binding(const coif_groom *groom, int32_t strand, const char *path,
                                 coif_error *error)
{
    if (groom->root_triangle[strand] < 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: strand %d: root triangle %d is negative",
                         path, strand, groom->root_triangle[strand]);
    }
    for (int i = 0; i < COIF_GUIDES_PER_CHILD; ++i) {
        const size_t at = COIF_GUIDES_PER_CHILD * (size_t)strand + (size_t)i;
        const int32_t guide = groom->guides[at];
        const float weight = groom->guide_weights[at];
        if (guide < -1 || guide >= groom->simulated_count || !(weight >= 0.0f && weight <= 1.0f)) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: strand %d: invalid guide %d of %d with weight %g", path, strand,
                             guide, groom->simulated_count, (double)weight);
        }
    }
    return COIF_OK;
}

// Validates all indices and numbers.
static coif_status check_content(const coif_groom *groom, const char *path, coif_error *error)
{
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        const int32_t before = i > 0 ? groom->simulated[i - 1] : -1;
        if (groom->simulated[i] <= before || groom->simulated[i] >= groom->rest.strand_count) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: simulated strand %d has invalid index %d of %d", path, i,
                             groom->simulated[i], groom->rest.strand_count);
        }
    }
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        COIF_TRY(check_binding(groom, s, path, error));
        float sum = groom->root_barycentric[2 * s] + groom->root_barycentric[2 * s + 1];
        for (int i = 0; i < 9; ++i) {
            sum += groom->root_frame[9 * (size_t)s + (size_t)i];
        }
        for (int i = 0; i < 2 && groom->clump_scale != NULL; ++i) {
            const float scale = groom->clump_scale[2 * (size_t)s + (size_t)i];
            if (!(scale >= 0.0f && scale <= 10.0f)) {
                return coif_fail(error, COIF_ERR_FORMAT,
                                 "%s: strand %d: clump scale %g, expected 0 to 10", path, s,
                                 (double)scale);
            }
        }
        const float tie = groom->tie_fraction != NULL ? groom->tie_fraction[s] : 0.0f;
        if (!(tie >= 0.0f && tie < 1.0f)) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: strand %d: tie fraction %g, expected 0 to 1", path, s,
                             (double)tie);
        }
        const int32_t centre = groom->clump != NULL ? groom->clump[s] : -1;
        if (centre < -1 || centre >= groom->rest.strand_count) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: strand %d: invalid clump centre %d", path,
                             s, centre);
        }
        if (!isfinite(sum)) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: strand %d: root is not finite", path, s);
        }
    }
    for (int32_t i = 0; i < COIF_TIE_FLOATS * groom->tie_count; ++i) {
        if (!isfinite(groom->ties[i])) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: tie %d is not finite", path,
                             i / COIF_TIE_FLOATS);
        }
    }
    const int32_t invalid = coif_strands_find_invalid(&groom->rest);
    if (invalid >= 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: point %d is not finite", path, invalid);
    }
    return COIF_OK;
}

static coif_status has_block(bool *found, const coif_pack *pack, const char *path, const char *name,
                             coif_pack_type type, int32_t components, coif_error *error)
{
    const coif_pack_block expected = {
        .name = name, .type = type, .components = components, .count = -1};
    const coif_pack_block *block;
    COIF_TRY(coif_pack_accept(&block, pack, path, &expected, error));
    *found = block != NULL;
    return COIF_OK;
}

static coif_status read_blocks(coif_groom *groom, const coif_pack *pack, const char *path,
                               coif_arena *arena, coif_error *error)
{
    coif_pack_block expected = {
        .name = "lengths", .type = COIF_PACK_INT32, .components = 1, .count = -1};
    const coif_pack_block *lengths, *simulated;
    COIF_TRY(coif_pack_need(&lengths, pack, path, &expected, error));
    COIF_TRY(check_lengths(lengths, pack, path, error));
    COIF_TRY(coif_groom_init(groom, lengths->data, (int32_t)lengths->count, arena, error));

    expected.name = "simulated";
    COIF_TRY(coif_pack_need(&simulated, pack, path, &expected, error));
    if (simulated->count > lengths->count) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: %lld simulated strands, but only %lld strands", path,
                         (long long)simulated->count, (long long)lengths->count);
    }
    groom->simulated_count = (int32_t)simulated->count;

    const int64_t strands = groom->rest.strand_count, points = groom->rest.point_count;
    bool found;
    COIF_TRY(has_block(&found, pack, path, "colors", COIF_PACK_FLOAT, 3, error));
    groom->rest.colors = found ? coif_arena_new(arena, points, coif_vec3) : NULL;
    COIF_TRY(has_block(&found, pack, path, "clump_scale", COIF_PACK_FLOAT, 2, error));
    groom->clump_scale = found ? coif_arena_new(arena, 2 * strands, float) : NULL;
    const coif_pack_block *ties;
    expected = (coif_pack_block){
        .name = "ties", .type = COIF_PACK_FLOAT, .components = COIF_TIE_FLOATS, .count = -1};
    COIF_TRY(coif_pack_accept(&ties, pack, path, &expected, error));
    if (ties != NULL && ties->count > strands) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: %lld ties, but only %lld strands", path,
                         (long long)ties->count, (long long)strands);
    }
    groom->tie_count = ties != NULL ? (int32_t)ties->count : 0;
    groom->ties = ties != NULL ? coif_arena_new(arena, COIF_TIE_FLOATS * ties->count, float) : NULL;
    COIF_TRY(has_block(&found, pack, path, "tie_fraction", COIF_PACK_FLOAT, 1, error));
    groom->tie_fraction = found ? coif_arena_new(arena, strands, float) : NULL;
    COIF_TRY(has_block(&found, pack, path, "region", COIF_PACK_INT32, 1, error));
    groom->region = found ? coif_arena_new(arena, strands, int32_t) : NULL;
    COIF_TRY(has_block(&found, pack, path, "clump", COIF_PACK_INT32, 1, error));
    groom->clump = found ? coif_arena_new(arena, strands, int32_t) : NULL;
    coif_pack_block blocks[MAX_BLOCKS];
    const int32_t count = list_blocks(blocks, groom);
    COIF_TRY(coif_pack_copy(pack, path, blocks, count, error));
    groom->metadata = coif_pack_metadata(pack, "metadata", arena);
    groom->digest = pack->digest;
    return check_content(groom, path, error);
}

// From bytes, or from the file where bytes is NULL.
static coif_status load(coif_groom *groom, const coif_bytes *bytes, const char *path,
                        coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "groom file");
    coif_pack pack;
    COIF_TRY(bytes != NULL ? coif_pack_read(&pack, bytes, COIF_PACK_GROOM, &scratch, error)
                           : coif_pack_load(&pack, path, COIF_PACK_GROOM, &scratch, error));
    return read_blocks(groom, &pack, path, arena, error);
}

coif_status coif_groom_load(coif_groom *groom, const char *path, coif_arena *arena,
                            coif_error *error)
{
    return load(groom, NULL, path, arena, error);
}

coif_status coif_groom_read(coif_groom *groom, const coif_bytes *bytes, coif_arena *arena,
                            coif_error *error)
{
    return load(groom, bytes, bytes->name, arena, error);
}

coif_status coif_groom_simulated(coif_strands *strands, const coif_groom *groom, coif_arena *arena,
                                 coif_error *error)
{
    const coif_strands *rest = &groom->rest;
    int32_t *lengths = coif_arena_new(arena, groom->simulated_count, int32_t);
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        lengths[i] = coif_strands_length(rest, groom->simulated[i]);
    }
    COIF_TRY(coif_strands_init(strands, lengths, groom->simulated_count, arena, error));
    if (rest->colors != NULL) {
        strands->colors = coif_arena_new(arena, strands->point_count, coif_vec3);
    }
    for (int32_t i = 0; i < strands->strand_count; ++i) {
        const int32_t s = groom->simulated[i];
        const size_t count = (size_t)lengths[i];
        memcpy(strands->points + strands->first[i], rest->points + rest->first[s],
               count * sizeof *rest->points);
        if (rest->colors != NULL) {
            memcpy(strands->colors + strands->first[i], rest->colors + rest->first[s],
                   count * sizeof *rest->colors);
        }
        memcpy(strands->root_uv + 2 * (size_t)i, rest->root_uv + 2 * (size_t)s, 2 * sizeof(float));
    }
    return COIF_OK;
}

coif_status coif_groom_check_roots(const coif_groom *groom, int32_t triangle_count,
                                   const char *name, coif_error *error)
{
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        if (groom->root_triangle[s] < 0 || groom->root_triangle[s] >= triangle_count) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: the root of strand %d is on triangle %d of a mesh of %d", name, s,
                             groom->root_triangle[s], triangle_count);
        }
    }
    return COIF_OK;
}
