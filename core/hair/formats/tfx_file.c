// TressFX hair files (.tfx, versions 3 and 4).
//
// Little endian, a header of 32-bit words: version (a float), strand count, points per strand,
// offsets of positions and root UVs (version 3: position offset in word 36). Positions have four
// floats in version 4 (the last is 0 where the point is pinned) and three in version 3. There is no
// thickness.

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/text_writer.h"
#include "core/hair/formats/strand_file.h"

#include <string.h>

enum { HEADER_WORDS = 40, HEADER_WORDS_V3 = 74, POSITIONS = 3, ROOT_UVS = 4, POSITIONS_V3 = 36 };

// Counts, offsets of positions and root UVs (0: none), and floats per position.
typedef struct layout {
    uint64_t strands, points, begin, uvs;
    size_t floats;
} layout;

static coif_status read_header(layout *found, const coif_bytes *bytes, coif_error *error)
{
    uint32_t words[HEADER_WORDS];
    float version;
    if (bytes->size < sizeof words) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: truncated: %zu bytes, expected a .tfx header of %zu", bytes->name,
                         bytes->size, sizeof words);
    }
    memcpy(words, bytes->data, sizeof words);
    memcpy(&version, words, sizeof version);
    if (!(version >= 3.0f && version < 5.0f)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: not a .tfx file: version %g, expected 3 or 4",
                         bytes->name, (double)version);
    }
    const bool version3 = version < 4.0f;
    *found = (layout){.strands = words[1],
                      .points = words[2],
                      .begin = words[version3 ? POSITIONS_V3 : POSITIONS],
                      .uvs = version3 ? 0 : words[ROOT_UVS],
                      .floats = version3 ? 3 : 4};
    if (found->points < 2 || found->strands * found->points > COIF_MAX_POINTS) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: invalid size of %u strands of %u points",
                         bytes->name, words[1], words[2]);
    }
    const uint64_t end =
        found->begin + found->strands * found->points * found->floats * sizeof(float);
    if (found->begin < sizeof words || end > bytes->size) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: truncated: %zu of %llu bytes for %u strands of %u points",
                         bytes->name, bytes->size, (unsigned long long)end, words[1], words[2]);
    }
    return COIF_OK;
}

static void read_root_uvs(coif_strand_file *file, const layout *found, const coif_bytes *bytes)
{
    const uint64_t size = found->strands * 2 * sizeof(float);
    if (found->uvs < sizeof(uint32_t) * HEADER_WORDS || found->uvs + size > bytes->size) {
        return;
    }
    memcpy(file->strands.root_uv, (const char *)bytes->data + found->uvs, size);
    file->has_root_uv = true;
    for (uint64_t i = 0; i < 2 * found->strands; ++i) {
        file->has_root_uv = file->has_root_uv && isfinite(file->strands.root_uv[i]);
    }
}

coif_status coif_tfx_read(coif_strand_file *file, const coif_bytes *bytes,
                          const coif_hair_import *import, coif_arena *arena, coif_error *error)
{
    (void)import;
    coif_strands *strands = &file->strands;
    layout found = {.floats = 4};
    COIF_TRY(read_header(&found, bytes, error));
    int32_t *lengths = coif_arena_new(arena, found.strands, int32_t);
    for (uint64_t s = 0; s < found.strands; ++s) {
        lengths[s] = (int32_t)found.points;
    }
    COIF_TRY(coif_strands_init(strands, lengths, (int32_t)found.strands, arena, error));
    const char *positions = (const char *)bytes->data + found.begin;
    for (int32_t i = 0; i < strands->point_count; ++i) {
        float p[3];
        memcpy(p, positions + (size_t)i * found.floats * sizeof(float), sizeof p);
        strands->points[i] = (coif_vec4){p[0], p[1], p[2], 0.0f};
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: strand %d: point %d is not finite",
                             bytes->name, (int)(i / (int32_t)found.points),
                             (int)(i % (int32_t)found.points));
        }
    }
    read_root_uvs(file, &found, bytes);
    return COIF_OK;
}

coif_status coif_tfx_save(const coif_strand_file *file, const char *path,
                          const coif_strand_export *desc, coif_error *error)
{
    const coif_strands *strands = &file->strands;
    const bool version3 = desc->tfx_version == 3;
    const int32_t points = strands->strand_count > 0 ? coif_strands_length(strands, 0) : 2;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        if (coif_strands_length(strands, s) != points) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s: strand %d has %d points, strand 0 has %d; .tfx needs equal "
                             "counts, resample the strands",
                             path, s, coif_strands_length(strands, s), points);
        }
    }
    uint32_t words[HEADER_WORDS_V3] = {0, (uint32_t)strands->strand_count, (uint32_t)points};
    const size_t header = sizeof(uint32_t) * (version3 ? HEADER_WORDS_V3 : HEADER_WORDS);
    const size_t position = sizeof(float) * (version3 ? 3 : 4);
    const float version = version3 ? 3.0f : 4.0f;
    memcpy(words, &version, sizeof version);
    words[version3 ? POSITIONS_V3 : POSITIONS] = (uint32_t)header;
    const uint64_t uvs = header + position * (uint64_t)strands->point_count;
    const bool has_uvs = file->has_root_uv && !version3 && uvs <= UINT32_MAX;
    words[ROOT_UVS] = has_uvs ? (uint32_t)uvs : words[ROOT_UVS];
    coif_text_writer writer;
    COIF_TRY(coif_text_writer_open(&writer, path, error));
    coif_put_bytes(&writer, words, header);
    for (int32_t i = 0; i < strands->point_count; ++i) {
        coif_vec4 p = strands->points[i];
        p.w = i % points < 2 ? 0.0f : 1.0f; // the first segment is pinned to the scalp
        coif_put_bytes(&writer, &p, position);
    }
    if (has_uvs) {
        coif_put_bytes(&writer, strands->root_uv, 8 * (size_t)strands->strand_count);
    }
    return coif_text_writer_commit(&writer);
}
