// Reader of the Ogawa container.
#include "core/archive/alembic/ogawa_read.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HEADER_BYTES = 16, FROZEN_BYTE = 5, VERSION_BYTE = 7, ROOT_BYTE = 8 };

coif_status coif_ogawa_fail(const coif_ogawa *ogawa, uint64_t offset, coif_error *error,
                            const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return coif_fail(error, COIF_ERR_FORMAT, "%s: offset %llu: %s", ogawa->source.name,
                     (unsigned long long)offset, text);
}

static coif_status read_header(coif_ogawa *ogawa, coif_error *error)
{
    unsigned char header[HEADER_BYTES];
    if (ogawa->source.size < sizeof header) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: truncated: %zu bytes, expected %zu of header",
                         ogawa->source.name, ogawa->source.size, sizeof header);
    }
    COIF_TRY(coif_ogawa_read(ogawa, header, 0, sizeof header, error));
    if (memcmp(header, "Ogawa", 5) != 0) {
        return coif_ogawa_fail(ogawa, 0, error, "not an Ogawa file");
    }
    if (header[FROZEN_BYTE] != 0xff) {
        return coif_ogawa_fail(ogawa, FROZEN_BYTE, error,
                               "the file was not completed by the program that wrote it");
    }
    if (header[VERSION_BYTE] != 1) {
        return coif_ogawa_fail(ogawa, VERSION_BYTE, error, "Ogawa version %d, expected 1",
                               header[VERSION_BYTE]);
    }
    memcpy(&ogawa->root, header + ROOT_BYTE, sizeof ogawa->root);
    return COIF_OK;
}

static coif_status open_file(coif_ogawa *ogawa, coif_error *error)
{
    if (ogawa->source.data != NULL) {
        return COIF_OK;
    }
    COIF_TRY(coif_file_open(&ogawa->file, ogawa->source.name, COIF_FILE_READ, error));
    if (ogawa->source.size != 0 && ogawa->source.size != ogawa->file.size) {
        coif_ogawa_close(ogawa);
        return coif_fail(
            error, COIF_ERR_IO, "%s: changed from %zu to %llu bytes since it was opened",
            ogawa->source.name, ogawa->source.size, (unsigned long long)ogawa->file.size);
    }
    ogawa->source.size = (size_t)ogawa->file.size;
    return COIF_OK;
}

coif_status coif_ogawa_open(coif_ogawa *ogawa, const coif_bytes *source, coif_error *error)
{
    *ogawa = (coif_ogawa){.source = *source, .file = {.descriptor = -1}};
    COIF_TRY(open_file(ogawa, error));
    ogawa->budget = 4 * (uint64_t)ogawa->source.size + 65536; // paths repeat names
    const coif_status status = read_header(ogawa, error);
    if (status != COIF_OK) {
        coif_ogawa_close(ogawa);
    }
    return status;
}

void coif_ogawa_close(coif_ogawa *ogawa)
{
    coif_file_close(&ogawa->file);
}

coif_status coif_ogawa_charge(coif_ogawa *ogawa, uint64_t bytes, uint64_t offset, coif_error *error)
{
    if (bytes > ogawa->budget) {
        return coif_ogawa_fail(ogawa, offset, error,
                               "groups and headers exceed the %zu bytes of the file many times",
                               ogawa->source.size);
    }
    ogawa->budget -= bytes;
    return COIF_OK;
}

coif_status coif_ogawa_read(coif_ogawa *ogawa, void *to, uint64_t offset, size_t bytes,
                            coif_error *error)
{
    const uint64_t size = ogawa->source.size;
    if (offset > size || bytes > size - offset) {
        return coif_ogawa_fail(ogawa, offset, error, "%zu bytes, but the file has %llu", bytes,
                               (unsigned long long)size);
    }
    if (ogawa->source.data != NULL) {
        memcpy(to, (const char *)ogawa->source.data + offset, bytes);
        return COIF_OK;
    }
    COIF_TRY(coif_file_seek(&ogawa->file, offset, error));
    return coif_file_read(&ogawa->file, to, bytes, error);
}

// Reads the count of a group or the size of data and checks it against the file.
static coif_status read_count(uint64_t *count, coif_ogawa *ogawa, uint64_t offset, uint64_t stride,
                              coif_error *error)
{
    COIF_TRY(coif_ogawa_read(ogawa, count, offset, sizeof *count, error));
    if (*count > (ogawa->source.size - offset - sizeof *count) / stride) {
        return coif_ogawa_fail(
            ogawa, offset, error, "%llu %s, but the file has %zu bytes", (unsigned long long)*count,
            stride == 1 ? "bytes of data" : "references of a group", ogawa->source.size);
    }
    return COIF_OK;
}

coif_status coif_ogawa_group_at(coif_ogawa_group *group, coif_ogawa *ogawa, uint64_t reference,
                                coif_error *error)
{
    *group = (coif_ogawa_group){0};
    if ((reference & COIF_OGAWA_DATA) != 0) {
        return coif_ogawa_fail(ogawa, reference & ~COIF_OGAWA_DATA, error,
                               "data, expected a group");
    }
    if (reference == 0) {
        return COIF_OK;
    }
    group->offset = reference + sizeof(uint64_t);
    return read_count(&group->count, ogawa, reference, sizeof(uint64_t), error);
}

coif_status coif_ogawa_data_at(coif_ogawa_data *data, coif_ogawa *ogawa, uint64_t reference,
                               coif_error *error)
{
    *data = (coif_ogawa_data){0};
    if ((reference & COIF_OGAWA_DATA) == 0) {
        return coif_ogawa_fail(ogawa, reference, error, "a group, expected data");
    }
    if (reference == COIF_OGAWA_DATA) {
        return COIF_OK;
    }
    const uint64_t offset = reference & ~COIF_OGAWA_DATA;
    data->offset = offset + sizeof(uint64_t);
    return read_count(&data->size, ogawa, offset, 1, error);
}

coif_status coif_ogawa_child(uint64_t *reference, coif_ogawa *ogawa, const coif_ogawa_group *group,
                             uint64_t index, coif_error *error)
{
    if (index >= group->count) {
        return coif_ogawa_fail(ogawa, group->offset, error,
                               "a group of %llu references, expected at least %llu",
                               (unsigned long long)group->count, (unsigned long long)index + 1);
    }
    return coif_ogawa_read(ogawa, reference, group->offset + index * sizeof *reference,
                           sizeof *reference, error);
}

coif_status coif_ogawa_load(coif_bytes *bytes, uint64_t *offset, coif_ogawa *ogawa,
                            const coif_ogawa_group *group, uint64_t index, coif_arena *arena,
                            coif_error *error)
{
    uint64_t reference;
    coif_ogawa_data data;
    COIF_TRY(coif_ogawa_child(&reference, ogawa, group, index, error));
    COIF_TRY(coif_ogawa_data_at(&data, ogawa, reference, error));
    COIF_TRY(coif_ogawa_charge(ogawa, data.size, data.offset, error));
    char *copy = coif_arena_new(arena, data.size + 1, char);
    COIF_TRY(coif_ogawa_read(ogawa, copy, data.offset, (size_t)data.size, error));
    *bytes = (coif_bytes){.name = ogawa->source.name, .data = copy, .size = (size_t)data.size};
    *offset = data.offset;
    return COIF_OK;
}
