// Reader and writer of .hair files.
#include "core/hair/formats/hair_file.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <assert.h>
#include <string.h>

enum { SEGMENTS = 1, POINTS = 2, THICKNESS = 4, TRANSPARENCY = 8, COLORS = 16 };

// The first 128 bytes, little endian on disk and in memory.
typedef struct hair_header {
    char magic[4];
    uint32_t strand_count, point_count;
    uint32_t arrays; // bits of the arrays that follow
    uint32_t default_segments;
    float default_thickness, default_transparency, default_color[3];
    char information[88];
} hair_header;

static_assert(sizeof(hair_header) == 128, "the header is written as in memory");

// Parser state: start of each array, NULL when absent.
typedef struct hair_reader {
    const char *name;
    hair_header header;
    const char *segments, *points, *thickness, *transparency, *colors;
    coif_hair_import import;
} hair_reader;

static coif_status check_header(const hair_header *header, size_t have, const char *name,
                                coif_error *error)
{
    if (have < sizeof header->magic || memcmp(header->magic, "HAIR", sizeof header->magic) != 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: not a .hair file: expected the magic HAIR",
                         name);
    }
    if (have < sizeof *header) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: truncated: %zu bytes, expected a header of %zu", name, have,
                         sizeof *header);
    }
    if ((header->arrays & POINTS) == 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: no points", name);
    }
    if (header->point_count > COIF_MAX_POINTS || header->strand_count > header->point_count) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: invalid counts of %u strands and %u points",
                         name, header->strand_count, header->point_count);
    }
    return COIF_OK;
}

// Start of the next array if its bit is set; the file size is checked afterwards.
static const char *locate_array(const hair_reader *reader, const char *data, uint64_t *offset,
                                int bit)
{
    const hair_header *header = &reader->header;
    const uint64_t per_point = bit == POINTS || bit == COLORS ? 12 : 4;
    if ((header->arrays & (uint32_t)bit) == 0) {
        return NULL;
    }
    const uint64_t begin = *offset;
    *offset += bit == SEGMENTS ? (uint64_t)header->strand_count * 2
                               : (uint64_t)header->point_count * per_point;
    return data + begin;
}

static coif_status locate_arrays(hair_reader *reader, const coif_bytes *bytes, coif_error *error)
{
    const size_t have = bytes->size < sizeof reader->header ? bytes->size : sizeof reader->header;
    if (have > 0) {
        memcpy(&reader->header, bytes->data, have);
    }
    COIF_TRY(check_header(&reader->header, have, bytes->name, error));
    uint64_t offset = sizeof reader->header;
    reader->segments = locate_array(reader, bytes->data, &offset, SEGMENTS);
    reader->points = locate_array(reader, bytes->data, &offset, POINTS);
    reader->thickness = locate_array(reader, bytes->data, &offset, THICKNESS);
    reader->transparency = locate_array(reader, bytes->data, &offset, TRANSPARENCY);
    reader->colors = locate_array(reader, bytes->data, &offset, COLORS);
    if (offset > bytes->size) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: truncated: %zu of %llu bytes for %u strands with %u points",
                         bytes->name, bytes->size, (unsigned long long)offset,
                         reader->header.strand_count, reader->header.point_count);
    }
    if (offset < bytes->size) {
        coif_log(COIF_LOG_WARNING, "%s: %llu trailing bytes ignored", bytes->name,
                 (unsigned long long)(bytes->size - offset));
    }
    return COIF_OK;
}

static uint32_t segments_of(const hair_reader *reader, uint32_t strand)
{
    if (reader->segments == NULL) {
        return reader->header.default_segments;
    }
    uint16_t segments;
    memcpy(&segments, reader->segments + 2 * (size_t)strand, sizeof segments);
    return segments;
}

// Lengths of the strands with segments; all strands together must own all points.
static coif_status read_lengths(int32_t *lengths, int32_t *count, const hair_reader *reader,
                                coif_error *error)
{
    uint64_t points = 0;
    *count = 0;
    for (uint32_t s = 0; s < reader->header.strand_count; ++s) {
        const uint64_t length = (uint64_t)segments_of(reader, s) + 1;
        points += length;
        if (points > reader->header.point_count) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: strand %u: strands need at least %llu points, header has %u",
                             reader->name, s, (unsigned long long)points,
                             reader->header.point_count);
        }
        if (length >= 2) {
            lengths[(*count)++] = (int32_t)length;
        }
    }
    if (points != reader->header.point_count) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: strands have %llu points, header has %u",
                         reader->name, (unsigned long long)points, reader->header.point_count);
    }
    return COIF_OK;
}

static void read_floats(float *values, const char *array, size_t index, int count)
{
    memcpy(values, array + index * (size_t)count * sizeof *values, (size_t)count * sizeof *values);
}

// Reads point `from` of the file to point `to`; false when a number is not finite.
static bool read_point(const hair_reader *reader, size_t from, coif_hair_file *hair, int32_t to)
{
    const float scale = reader->import.scale;
    float p[3], thickness = reader->header.default_thickness, transparency = 0.0f;
    coif_vec3 color = {0};
    read_floats(p, reader->points, from, 3);
    if (reader->thickness != NULL) {
        read_floats(&thickness, reader->thickness, from, 1);
    }
    if (reader->transparency != NULL) {
        read_floats(&transparency, reader->transparency, from, 1);
        hair->transparency[to] = transparency;
    }
    if (reader->colors != NULL) {
        read_floats(&color.x, reader->colors, from, 3);
        hair->strands.colors[to] = color;
    }
    const coif_vec4 point = {scale * p[0], scale * (reader->import.z_up ? p[2] : p[1]),
                             scale * (reader->import.z_up ? -p[1] : p[2]),
                             scale * 0.5f * thickness};
    hair->strands.points[to] = point;
    return isfinite(point.x) && isfinite(point.y) && isfinite(point.z) && isfinite(point.w) &&
           point.w >= 0.0f && isfinite(transparency) && isfinite(color.x) && isfinite(color.y) &&
           isfinite(color.z);
}

static coif_status read_points(coif_hair_file *hair, const hair_reader *reader, coif_error *error)
{
    size_t from = 0;
    int32_t to = 0;
    for (uint32_t s = 0; s < reader->header.strand_count; ++s) {
        const size_t length = (size_t)segments_of(reader, s) + 1;
        for (size_t k = 0; length >= 2 && k < length; ++k, ++to) {
            if (!read_point(reader, from + k, hair, to)) {
                return coif_fail(error, COIF_ERR_FORMAT,
                                 "%s: strand %u: point %zu is not finite or has negative thickness",
                                 reader->name, s, k);
            }
        }
        from += length;
    }
    return COIF_OK;
}

// Invalid defaults are replaced by 0: they may be unused.
static void read_defaults(coif_hair_file *hair, const hair_reader *reader)
{
    const hair_header *header = &reader->header;
    const float thickness = reader->import.scale * header->default_thickness;
    hair->default_thickness = isfinite(thickness) ? thickness : 0.0f;
    hair->default_transparency =
        isfinite(header->default_transparency) ? header->default_transparency : 0.0f;
    for (int i = 0; i < 3; ++i) {
        const float value = header->default_color[i];
        hair->default_color[i] = isfinite(value) ? value : 0.0f;
    }
    memcpy(hair->information, header->information, sizeof header->information);
}

static coif_status read_all(coif_hair_file *hair, const hair_reader *reader, coif_arena *arena,
                            coif_error *error)
{
    const uint32_t strands = reader->header.strand_count;
    int32_t *lengths = coif_arena_new(arena, strands, int32_t);
    int32_t count;
    *hair = (coif_hair_file){0};
    COIF_TRY(read_lengths(lengths, &count, reader, error));
    COIF_TRY(coif_strands_init(&hair->strands, lengths, count, arena, error));
    hair->skipped = (int32_t)strands - count;
    if (hair->skipped > 0) {
        coif_log(COIF_LOG_WARNING, "%s: %d of %u strands have no segments and are skipped",
                 reader->name, hair->skipped, strands);
    }
    if (reader->transparency != NULL) {
        hair->transparency = coif_arena_new(arena, hair->strands.point_count, float);
    }
    if (reader->colors != NULL) {
        hair->strands.colors = coif_arena_new(arena, hair->strands.point_count, coif_vec3);
    }
    read_defaults(hair, reader);
    return read_points(hair, reader, error);
}

coif_status coif_hair_file_read(coif_hair_file *hair, const coif_bytes *bytes,
                                const coif_hair_import *import, coif_arena *arena,
                                coif_error *error)
{
    hair_reader reader = {.name = bytes->name, .import = {.scale = 1.0f}};
    if (import != NULL) {
        reader.import = *import;
    }
    COIF_TRY(locate_arrays(&reader, bytes, error));
    return read_all(hair, &reader, arena, error);
}

// Checks the header first, so that a large file of another kind is not read.
static coif_status load_bytes(coif_bytes *bytes, const char *path, coif_arena *arena,
                              coif_error *error)
{
    coif_file file;
    hair_header header = {0};
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_READ, error));
    const size_t have = file.size < sizeof header ? (size_t)file.size : sizeof header;
    coif_status status = coif_file_read(&file, &header, have, error);
    if (status == COIF_OK) {
        status = check_header(&header, have, path, error);
    }
    coif_file_close(&file);
    COIF_TRY(status);

    char *data;
    bytes->name = path;
    COIF_TRY(coif_file_load(&data, &bytes->size, path, arena, error));
    bytes->data = data;
    return COIF_OK;
}

coif_status coif_hair_file_load(coif_hair_file *hair, const char *path,
                                const coif_hair_import *import, coif_arena *arena,
                                coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "hair file");
    coif_bytes bytes;
    COIF_TRY(load_bytes(&bytes, path, &scratch, error));
    return coif_hair_file_read(hair, &bytes, import, arena, error);
}

static hair_header header_of(const coif_hair_file *hair)
{
    hair_header header = {
        .magic = {'H', 'A', 'I', 'R'},
        .strand_count = (uint32_t)hair->strands.strand_count,
        .point_count = (uint32_t)hair->strands.point_count,
        .arrays = SEGMENTS | POINTS | THICKNESS | (hair->transparency != NULL ? TRANSPARENCY : 0u) |
                  (hair->strands.colors != NULL ? COLORS : 0u),
        .default_thickness = hair->default_thickness,
        .default_transparency = hair->default_transparency,
    };
    memcpy(header.default_color, hair->default_color, sizeof header.default_color);
    memcpy(header.information, hair->information, sizeof header.information);
    return header;
}

static coif_status write_segments(coif_file *file, const coif_strands *strands, coif_arena *scratch,
                                  coif_error *error)
{
    const size_t count = (size_t)strands->strand_count;
    uint16_t *segments = coif_arena_new(scratch, count, uint16_t);
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t count_of_strand = coif_strands_length(strands, s) - 1;
        if (count_of_strand > UINT16_MAX) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s: strand %d has %d segments, expected at most %d", file->path, s,
                             count_of_strand, UINT16_MAX);
        }
        segments[s] = (uint16_t)count_of_strand;
    }
    return coif_file_write(file, segments, count * sizeof *segments, error);
}

static coif_status write_all(coif_file *file, const coif_hair_file *hair, coif_arena *scratch,
                             coif_error *error)
{
    const coif_strands *strands = &hair->strands;
    const size_t count = (size_t)strands->point_count;
    const hair_header header = header_of(hair);
    coif_vec3 *positions = coif_arena_new(scratch, count, coif_vec3);
    float *thickness = coif_arena_new(scratch, count, float);
    for (size_t i = 0; i < count; ++i) {
        positions[i] = coif_vec4_xyz(strands->points[i]);
        thickness[i] = 2.0f * strands->points[i].w;
    }
    COIF_TRY(coif_file_write(file, &header, sizeof header, error));
    COIF_TRY(write_segments(file, strands, scratch, error));
    COIF_TRY(coif_file_write(file, positions, count * sizeof *positions, error));
    COIF_TRY(coif_file_write(file, thickness, count * sizeof *thickness, error));
    if (hair->transparency != NULL) {
        COIF_TRY(coif_file_write(file, hair->transparency, count * sizeof(float), error));
    }
    if (strands->colors != NULL) {
        COIF_TRY(coif_file_write(file, strands->colors, count * sizeof(coif_vec3), error));
    }
    return coif_file_commit(file, error);
}

coif_status coif_hair_file_save(const coif_hair_file *hair, const char *path, coif_error *error)
{
    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_WRITE, error));
    COIF_SCOPED_ARENA(scratch, "hair file");
    const coif_status status = write_all(&file, hair, &scratch, error);
    coif_file_close(&file);
    return status;
}
