// Ogawa, the container of Alembic files: groups of references to groups and to blocks of data.
//
// Little endian. Header: "Ogawa", 0xff once the file is complete, u16 version, u64 offset of the
// root group. Group: u64 count and as many references. Data: u64 size and as many bytes. A
// reference is an offset; its top bit marks data, and offset 0 an empty group or empty data.
#ifndef COIF_CORE_ARCHIVE_ALEMBIC_OGAWA_READ_H
#define COIF_CORE_ARCHIVE_ALEMBIC_OGAWA_READ_H

#include "core/base/fs.h"

#define COIF_OGAWA_DATA ((uint64_t)1 << 63) // flag of references

typedef struct coif_ogawa {
    coif_bytes source; // data NULL: read from the file of that name
    coif_file file;
    uint64_t root;   // reference of the root group
    uint64_t budget; // bytes that structures may still take, see coif_ogawa_charge
} coif_ogawa;

typedef struct coif_ogawa_group {
    uint64_t offset, count; // of the references
} coif_ogawa_group;

typedef struct coif_ogawa_data {
    uint64_t offset, size; // of the bytes
} coif_ogawa_data;

// Opens and checks the header. A source with size 0 is sized; otherwise another size of the file is
// an error. Close it only after success.
coif_status coif_ogawa_open(coif_ogawa *ogawa, const coif_bytes *source, coif_error *error);
void coif_ogawa_close(coif_ogawa *ogawa);

// COIF_ERR_FORMAT "PATH: offset N: ...".
coif_status coif_ogawa_fail(const coif_ogawa *ogawa, uint64_t offset, coif_error *error,
                            const char *format, ...) COIF_PRINTF(4, 5);

// Counts bytes of the structure of the file: groups, headers and paths. More than a few times its
// size means that references are cyclic or shared; that is the error.
coif_status coif_ogawa_charge(coif_ogawa *ogawa, uint64_t bytes, uint64_t offset,
                              coif_error *error);

// The group or data of a reference, within the file.
coif_status coif_ogawa_group_at(coif_ogawa_group *group, coif_ogawa *ogawa, uint64_t reference,
                                coif_error *error);
coif_status coif_ogawa_data_at(coif_ogawa_data *data, coif_ogawa *ogawa, uint64_t reference,
                               coif_error *error);

// A reference of a group.
coif_status coif_ogawa_child(uint64_t *reference, coif_ogawa *ogawa, const coif_ogawa_group *group,
                             uint64_t index, coif_error *error);

coif_status coif_ogawa_read(coif_ogawa *ogawa, void *to, uint64_t offset, size_t bytes,
                            coif_error *error);

// Reads and charges the data that is a child of a group, followed by a zero byte.
coif_status coif_ogawa_load(coif_bytes *bytes, uint64_t *offset, coif_ogawa *ogawa,
                            const coif_ogawa_group *group, uint64_t index, coif_arena *arena,
                            coif_error *error);

#endif
