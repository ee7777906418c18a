// USC-HairSalon files (.data): per strand a 32-bit point count and its positions, little endian,
// after a 32-bit strand count. Strands of one point stand for missing hair.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/text_writer.h"
#include "core/hair/formats/strand_builder.h"

#include <string.h>

// Reads a count at *offset, of elements of at least size bytes that follow.
static coif_status read_count(int32_t *count, size_t *offset, const coif_bytes *bytes, size_t size,
                              const char *what, coif_error *error)
{
    if (bytes->size - *offset < sizeof *count) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: truncated at byte %zu: expected %s",
                         bytes->name, *offset, what);
    }
    memcpy(count, (const char *)bytes->data + *offset, sizeof *count);
    if (*count < 0 || (size_t)*count > (bytes->size - *offset - 4) / size) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: byte %zu: %s is %d, but %zu bytes follow",
                         bytes->name, *offset, what, *count, bytes->size - *offset - 4);
    }
    *offset += sizeof *count;
    return COIF_OK;
}

static coif_status read_strand(coif_strand_builder *builder, size_t *offset,
                               const coif_bytes *bytes, coif_error *error)
{
    int32_t count = 0;
    COIF_TRY(read_count(&count, offset, bytes, 12, "a point count", error));
    for (int32_t k = 0; k < count; ++k, *offset += 12) {
        coif_vec4 point = {0};
        memcpy(&point, (const char *)bytes->data + *offset, 12);
        COIF_TRY(coif_strand_builder_add(builder, point, bytes->name, error));
    }
    return COIF_OK;
}

coif_status coif_hairsalon_read(coif_strand_file *file, const coif_bytes *bytes,
                                const coif_hair_import *import, coif_arena *arena,
                                coif_error *error)
{
    (void)import;
    size_t offset = 0;
    int32_t strands = 0;
    COIF_TRY(read_count(&strands, &offset, bytes, 4, "the strand count", error));
    COIF_SCOPED_ARENA(scratch, "HairSalon file");
    coif_strand_builder builder = {.arena = &scratch};
    for (int32_t s = 0; s < strands; ++s) {
        COIF_TRY(read_strand(&builder, &offset, bytes, error));
        coif_strand_builder_end(&builder, file);
    }
    return coif_strand_builder_finish(&builder, file, arena, error);
}

coif_status coif_hairsalon_save(const coif_strand_file *file, const char *path,
                                const coif_strand_export *desc, coif_error *error)
{
    (void)desc;
    const coif_strands *strands = &file->strands;
    coif_text_writer writer;
    COIF_TRY(coif_text_writer_open(&writer, path, error));
    coif_put_bytes(&writer, &strands->strand_count, 4);
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t count = coif_strands_length(strands, s);
        coif_put_bytes(&writer, &count, 4);
        for (int32_t i = strands->first[s]; i < strands->first[s + 1]; ++i) {
            coif_put_bytes(&writer, &strands->points[i], 12);
        }
    }
    return coif_text_writer_commit(&writer);
}
