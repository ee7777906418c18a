// Frame cache files.
#include "core/hair/frame_cache.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/pack/pack.h"

#include <string.h>

// State of saving or loading a frame.
typedef struct frame_file {
    const char *path;
    const coif_groom *groom;
    uint64_t identity[2]; // digests of the groom and of the offsets of its simulated strands
    int32_t number[2];    // frame number; reset strands
    double time;
    coif_frame_stats stats;
    coif_pack pack;
    coif_pack_block blocks[12]; // source or destination
    int32_t block_count;
} frame_file;

static void add(frame_file *file, coif_pack_block block)
{
    COIF_REQUIRE((size_t)file->block_count < COIF_COUNT_OF(file->blocks));
    file->blocks[file->block_count++] = block;
}

static void add_header_blocks(frame_file *file)
{
    const coif_pack_codec raw = COIF_CODEC_RAW;
    add(file, (coif_pack_block){"groom", COIF_PACK_INT64, 2, raw, 1, file->identity, 0, 0});
    add(file, (coif_pack_block){"frame", COIF_PACK_INT32, 2, raw, 1, file->number, 0, 0});
    add(file, (coif_pack_block){"time", COIF_PACK_DOUBLE, 1, raw, 1, &file->time, 0, 0});
}

static coif_pack_block stats_block(const frame_file *file)
{
    return (coif_pack_block){
        "statistics", COIF_PACK_DOUBLE, 3, COIF_CODEC_RAW, 1, &file->stats, 0, 0};
}

// Three floats per point; stride 0 when contiguous.
static coif_pack_block vectors(const char *name, const coif_strands *strands, const void *data,
                               int64_t stride)
{
    return (coif_pack_block){.name = name,
                             .type = COIF_PACK_FLOAT,
                             .components = 3,
                             .codec = COIF_CODEC_LOSSLESS,
                             .count = strands->point_count,
                             .data = data,
                             .stride = stride};
}

static coif_pack_block radius_of(const coif_strands *strands)
{
    coif_pack_block block = vectors("radius", strands, &strands->points->w, sizeof(coif_vec4));
    block.components = 1;
    return block;
}

static coif_pack_block positions_of(const coif_strands *strands)
{
    return vectors("positions", strands, strands->points, sizeof(coif_vec4));
}

// Rest points of all strands of the groom at this frame.
static coif_pack_block rest_of(const coif_groom *groom, coif_vec4 *rest)
{
    return (coif_pack_block){.name = "rest",
                             .type = COIF_PACK_FLOAT,
                             .components = 4,
                             .codec = COIF_CODEC_LOSSLESS,
                             .count = groom->rest.point_count,
                             .data = rest};
}

// Radius and colours equal to those of the groom are not stored.
static bool radius_differs(const coif_strands *strands, const coif_groom *groom)
{
    for (int32_t i = 0; i < strands->strand_count; ++i) {
        const coif_vec4 *rest = groom->rest.points + groom->rest.first[groom->simulated[i]];
        const coif_vec4 *now = strands->points + strands->first[i];
        for (int32_t k = 0; k < coif_strands_length(strands, i); ++k) {
            if (memcmp(&now[k].w, &rest[k].w, sizeof rest[k].w) != 0) {
                return true;
            }
        }
    }
    return false;
}

static bool colors_differ(const coif_strands *strands, const coif_groom *groom)
{
    if (strands->colors == NULL || groom->rest.colors == NULL) {
        return strands->colors != NULL;
    }
    for (int32_t i = 0; i < strands->strand_count; ++i) {
        const coif_vec3 *rest = groom->rest.colors + groom->rest.first[groom->simulated[i]];
        const coif_vec3 *now = strands->colors + strands->first[i];
        if (memcmp(now, rest, (size_t)coif_strands_length(strands, i) * sizeof *now) != 0) {
            return true;
        }
    }
    return false;
}

static coif_status identify(uint64_t identity[2], const coif_groom *groom, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "frame");
    int32_t *first = coif_arena_new(&arena, groom->simulated_count + 1, int32_t);
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        first[i + 1] = first[i] + coif_strands_length(&groom->rest, groom->simulated[i]);
    }
    const coif_strands shape = {.strand_count = groom->simulated_count, .first = first};
    identity[0] = groom->digest;
    identity[1] = coif_strands_topology_digest(&shape);
    // A groom that was not saved yet has no stored digest.
    return groom->digest != 0 ? COIF_OK : coif_groom_digest(&identity[0], groom, error);
}

static coif_status check_numbers(const coif_strands *strands, const char *path, coif_status status,
                                 coif_error *error)
{
    const int32_t invalid = coif_strands_find_invalid(strands);
    if (invalid < 0) {
        return COIF_OK;
    }
    int32_t s = 0;
    while (strands->first[s + 1] <= invalid) {
        ++s;
    }
    return coif_fail(error, status, "%s: strand %d: point %d is not finite", path, s,
                     invalid - strands->first[s]);
}

coif_status coif_frame_cache_save(const coif_strands *strands, const coif_groom *groom,
                                  const coif_frame_cache_desc *desc, const char *path,
                                  coif_error *error)
{
    frame_file file = {.path = path,
                       .groom = groom,
                       .number = {desc->frame, desc->reset_count},
                       .time = desc->time,
                       .stats = desc->stats};
    COIF_TRY(identify(file.identity, groom, error));
    if (coif_strands_topology_digest(strands) != file.identity[1]) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: strands do not match the simulated strands of the groom", path);
    }
    COIF_TRY(check_numbers(strands, path, COIF_ERR_ARGUMENT, error));

    const char *text = desc->metadata != NULL ? desc->metadata : "";
    coif_pack_block positions = positions_of(strands);
    coif_pack_block velocities = vectors("velocities", strands, strands->velocities, 0);
    positions.codec = velocities.codec =
        desc->quantise ? COIF_CODEC_QUANTISED : COIF_CODEC_LOSSLESS;
    add_header_blocks(&file);
    add(&file, stats_block(&file));
    add(&file, (coif_pack_block){"metadata", COIF_PACK_BYTE, 1, COIF_CODEC_RAW,
                                 (int64_t)strlen(text), text, 0, 0});
    add(&file, positions);
    if (strands->velocities != NULL) {
        add(&file, velocities);
    }
    if (radius_differs(strands, groom)) {
        add(&file, radius_of(strands));
    }
    if (colors_differ(strands, groom)) {
        add(&file, vectors("colors", strands, strands->colors, 0));
    }
    if (strands->rest != NULL) {
        add(&file, rest_of(groom, strands->rest));
    }
    file.pack = (coif_pack){.kind = COIF_PACK_STRANDS,
                            .block_count = file.block_count,
                            .blocks = file.blocks,
                            .jobs = desc->jobs};
    return coif_pack_save(&file.pack, path, error);
}

static coif_status check_groom(const frame_file *file, coif_error *error)
{
    uint64_t expected[2];
    COIF_TRY(identify(expected, file->groom, error));
    if (memcmp(file->identity, expected, sizeof expected) != 0) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: is a frame of groom %016llx, expected %016llx", file->path,
                         (unsigned long long)file->identity[0], (unsigned long long)expected[0]);
    }
    return COIF_OK;
}

static coif_status has_block(bool *found, const frame_file *file, coif_pack_block expected,
                             coif_error *error)
{
    const coif_pack_block *block;
    COIF_TRY(coif_pack_accept(&block, &file->pack, file->path, &expected, error));
    *found = block != NULL;
    return COIF_OK;
}

static coif_status check_rest(coif_vec4 *rest, const frame_file *file, coif_error *error)
{
    coif_strands all = file->groom->rest;
    all.points = rest;
    return rest == NULL ? COIF_OK : check_numbers(&all, file->path, COIF_ERR_FORMAT, error);
}

// Reads the strands; values that the frame does not store are those of the groom.
static coif_status read_strands(coif_strands *strands, frame_file *file, coif_arena *arena,
                                coif_error *error)
{
    COIF_TRY(coif_groom_simulated(strands, file->groom, arena, error));
    bool radius, velocities, colors, rest;
    COIF_TRY(has_block(&radius, file, radius_of(strands), error));
    COIF_TRY(has_block(&velocities, file, vectors("velocities", strands, NULL, 0), error));
    COIF_TRY(has_block(&colors, file, vectors("colors", strands, NULL, 0), error));
    COIF_TRY(has_block(&rest, file, rest_of(file->groom, NULL), error));

    file->block_count = 0;
    add(file, positions_of(strands));
    if (radius) {
        add(file, radius_of(strands));
    }
    if (velocities) {
        strands->velocities = coif_arena_new(arena, strands->point_count, coif_vec3);
        add(file, vectors("velocities", strands, strands->velocities, 0));
    }
    if (colors) {
        strands->colors = coif_arena_new(arena, strands->point_count, coif_vec3);
        add(file, vectors("colors", strands, strands->colors, 0));
    }
    if (rest) {
        strands->rest = coif_arena_new(arena, file->groom->rest.point_count, coif_vec4);
        add(file, rest_of(file->groom, strands->rest));
    }
    COIF_TRY(coif_pack_copy(&file->pack, file->path, file->blocks, file->block_count, error));
    COIF_TRY(check_rest(strands->rest, file, error));
    return check_numbers(strands, file->path, COIF_ERR_FORMAT, error);
}

// Whether the positions are quantised.
static bool is_quantised(const coif_pack *pack)
{
    const coif_pack_block *positions = coif_pack_find(pack, "positions", COIF_PACK_FLOAT, 3);
    return positions != NULL && positions->codec == COIF_CODEC_QUANTISED;
}

static coif_status load(coif_strands *strands, frame_file *file, coif_arena *arena,
                        coif_arena *scratch, coif_error *error)
{
    COIF_TRY(coif_pack_load(&file->pack, file->path, COIF_PACK_STRANDS, scratch, error));
    add_header_blocks(file);
    COIF_TRY(coif_pack_copy(&file->pack, file->path, file->blocks, file->block_count, error));
    COIF_TRY(check_groom(file, error));
    const coif_pack_block expected = stats_block(file);
    bool has_stats; // optional
    COIF_TRY(has_block(&has_stats, file, expected, error));
    if (has_stats) {
        COIF_TRY(coif_pack_copy(&file->pack, file->path, &expected, 1, error));
    }
    return read_strands(strands, file, arena, error);
}

coif_status coif_frame_cache_load(coif_strands *strands, coif_frame_cache_desc *desc,
                                  const coif_groom *groom, const char *path, coif_arena *arena,
                                  coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "frame file");
    frame_file file = {.path = path, .groom = groom};
    COIF_TRY(load(strands, &file, arena, &scratch, error));
    if (desc != NULL) {
        *desc = (coif_frame_cache_desc){
            .frame = file.number[0],
            .time = file.time,
            .quantise = is_quantised(&file.pack),
            .reset_count = file.number[1],
            .stats = file.stats,
            .metadata = coif_pack_metadata(&file.pack, "metadata", arena),
        };
    }
    return COIF_OK;
}

char *coif_groom_file_path(const char *folder, const char *name, coif_arena *arena)
{
    return coif_arena_print(arena, "%s/%s.groom", folder, name);
}

char *coif_frame_file_path(const char *folder, const char *name, int frame, coif_arena *arena)
{
    return coif_arena_print(arena, "%s/%s.%04d.strands", folder, name, frame);
}

char *coif_state_file_path(const char *folder, const char *name, int frame, coif_arena *arena)
{
    return coif_arena_print(arena, "%s/%s.%04d.state", folder, name, frame);
}
