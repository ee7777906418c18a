// Writer of the Ogawa container: data and groups are appended, equal data are stored once.
#ifndef COIF_CORE_ARCHIVE_ALEMBIC_OGAWA_WRITE_H
#define COIF_CORE_ARCHIVE_ALEMBIC_OGAWA_WRITE_H

#include "core/base/fs.h"
#include "core/base/string_table.h"

// Two independent 64-bit digests.
typedef struct coif_ogawa_key {
    uint64_t words[2];
} coif_ogawa_key;

typedef struct coif_ogawa_writer {
    coif_file file;
    uint64_t size;          // written so far
    coif_string_table keys; // of keyed data, in hexadecimal
    uint64_t *references;   // per key
    size_t reference_capacity;
    coif_arena *arena;
} coif_ogawa_writer;

coif_status coif_ogawa_create(coif_ogawa_writer *writer, const char *path, coif_arena *arena,
                              coif_error *error);

// Appends data after its key, or finds equal data written before. Empty data have no key.
coif_status coif_ogawa_put_keyed(uint64_t *reference, coif_ogawa_key *key,
                                 coif_ogawa_writer *writer, const void *data, size_t size,
                                 coif_error *error);
coif_status coif_ogawa_put_data(uint64_t *reference, coif_ogawa_writer *writer, const void *data,
                                size_t size, coif_error *error);
coif_status coif_ogawa_put_group(uint64_t *reference, coif_ogawa_writer *writer,
                                 const uint64_t *children, size_t count, coif_error *error);

coif_ogawa_key coif_ogawa_key_of(const void *data, size_t size);
void coif_ogawa_key_extend(coif_ogawa_key *key, const void *data, size_t size);

// Writes the header and commits the file. A file without commit leaves nothing behind.
coif_status coif_ogawa_commit(coif_ogawa_writer *writer, uint64_t root, coif_error *error);
void coif_ogawa_discard(coif_ogawa_writer *writer);

#endif
