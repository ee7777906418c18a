// Writer of the Ogawa container.
#include "core/archive/alembic/ogawa_write.h"

#include "core/archive/alembic/ogawa_read.h"
#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/hash64.h"

#include <stdio.h>
#include <string.h>

// "Ogawa", 0 until the file is complete, version 1, offset of the root group.
static const unsigned char HEADER[16] = {'O', 'g', 'a', 'w', 'a', 0, 0, 1};

static coif_status append(coif_ogawa_writer *writer, const void *data, size_t size,
                          coif_error *error)
{
    writer->size += size;
    return coif_file_write(&writer->file, data, size, error);
}

coif_status coif_ogawa_create(coif_ogawa_writer *writer, const char *path, coif_arena *arena,
                              coif_error *error)
{
    *writer = (coif_ogawa_writer){.arena = arena};
    COIF_TRY(coif_file_open(&writer->file, path, COIF_FILE_WRITE, error));
    const coif_status status = append(writer, HEADER, sizeof HEADER, error);
    if (status != COIF_OK) {
        coif_file_close(&writer->file);
    }
    return status;
}

coif_ogawa_key coif_ogawa_key_of(const void *data, size_t size)
{
    const uint64_t plain = coif_hash64(data, size);
    return (coif_ogawa_key){{plain, coif_hash64_extend(1, data, size)}};
}

void coif_ogawa_key_extend(coif_ogawa_key *key, const void *data, size_t size)
{
    key->words[0] = coif_hash64_extend(key->words[0], data, size);
    key->words[1] = coif_hash64_extend(key->words[1] + 1, data, size);
}

coif_status coif_ogawa_put_keyed(uint64_t *reference, coif_ogawa_key *key,
                                 coif_ogawa_writer *writer, const void *data, size_t size,
                                 coif_error *error)
{
    char name[33];
    *reference = COIF_OGAWA_DATA;
    *key = coif_ogawa_key_of(data, size);
    if (size == 0) {
        return COIF_OK;
    }
    snprintf(name, sizeof name, "%016llx%016llx", (unsigned long long)key->words[0],
             (unsigned long long)key->words[1]);
    const int32_t known = coif_string_table_find(&writer->keys, name, sizeof name - 1);
    if (known >= 0) {
        *reference = writer->references[known];
        return COIF_OK;
    }
    const int32_t index =
        coif_string_table_intern(&writer->keys, name, sizeof name - 1, writer->arena);
    writer->references =
        coif_array_grow(writer->references, (size_t)index, 1, &writer->reference_capacity,
                        sizeof *writer->references, writer->arena);
    *reference = writer->references[index] = writer->size | COIF_OGAWA_DATA;
    const uint64_t bytes = sizeof *key + size;
    COIF_TRY(append(writer, &bytes, sizeof bytes, error));
    COIF_TRY(append(writer, key, sizeof *key, error));
    return append(writer, data, size, error);
}

coif_status coif_ogawa_put_data(uint64_t *reference, coif_ogawa_writer *writer, const void *data,
                                size_t size, coif_error *error)
{
    const uint64_t bytes = size;
    *reference = size > 0 ? writer->size | COIF_OGAWA_DATA : COIF_OGAWA_DATA;
    if (size == 0) {
        return COIF_OK;
    }
    COIF_TRY(append(writer, &bytes, sizeof bytes, error));
    return append(writer, data, size, error);
}

coif_status coif_ogawa_put_group(uint64_t *reference, coif_ogawa_writer *writer,
                                 const uint64_t *children, size_t count, coif_error *error)
{
    const uint64_t stored = count;
    *reference = count > 0 ? writer->size : 0;
    if (count == 0) {
        return COIF_OK;
    }
    COIF_TRY(append(writer, &stored, sizeof stored, error));
    return append(writer, children, count * sizeof *children, error);
}

coif_status coif_ogawa_commit(coif_ogawa_writer *writer, uint64_t root, coif_error *error)
{
    unsigned char header[sizeof HEADER];
    memcpy(header, HEADER, sizeof header);
    header[5] = 0xff;
    memcpy(header + 8, &root, sizeof root);
    coif_status status = coif_file_seek(&writer->file, 0, error);
    if (status == COIF_OK) {
        status = coif_file_write(&writer->file, header, sizeof header, error);
    }
    if (status == COIF_OK) {
        status = coif_file_commit(&writer->file, error);
    }
    coif_file_close(&writer->file);
    return status;
}

void coif_ogawa_discard(coif_ogawa_writer *writer)
{
    coif_file_close(&writer->file);
}
