// Reader of TressFX hair files.
#include "core/hair/formats/tfx_file.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <string.h>

enum { HEADER_WORDS = 40, POSITIONS = 3, POSITIONS_V3 = 36 }; // header words

// Counts, offset of the positions, and floats per position.
typedef struct layout {
    uint64_t strands, points, begin;
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

coif_status coif_tfx_file_read(coif_strands *strands, const coif_bytes *bytes, coif_arena *arena,
                               coif_error *error)
{
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
    return COIF_OK;
}

coif_status coif_tfx_file_load(coif_strands *strands, const char *path, coif_arena *arena,
                               coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "tfx file");
    char *data;
    coif_bytes bytes = {.name = path};
    coif_status status = coif_file_load(&data, &bytes.size, path, &scratch, error);
    if (status == COIF_OK) {
        bytes.data = data;
        status = coif_tfx_file_read(strands, &bytes, arena, error);
    }
    coif_arena_free(&scratch);
    return status;
}
