// PLY files (Turk 1994): header and numbers, ASCII or binary of either byte order.
#ifndef COIF_CORE_MESH_PLY_PARSE_H
#define COIF_CORE_MESH_PLY_PARSE_H

#include "core/base/fs.h"

enum { COIF_PLY_ELEMENTS = 16, COIF_PLY_PROPERTIES = 256, COIF_PLY_NAME = 40 };

typedef enum coif_ply_type {
    COIF_PLY_INT8,
    COIF_PLY_UINT8,
    COIF_PLY_INT16,
    COIF_PLY_UINT16,
    COIF_PLY_INT32,
    COIF_PLY_UINT32,
    COIF_PLY_FLOAT32,
    COIF_PLY_FLOAT64
} coif_ply_type;

typedef struct coif_ply_property {
    char name[COIF_PLY_NAME];
    coif_ply_type type, count_type;
    bool is_list;
} coif_ply_property;

typedef struct coif_ply_element {
    char name[COIF_PLY_NAME];
    uint64_t count; // of rows; at most the size of the file
    int32_t property_count;
    coif_ply_property *properties;
} coif_ply_element;

// A file that is read from front to back: the rows of all elements in order.
typedef struct coif_ply {
    const coif_bytes *bytes;
    const char *at, *end;
    bool ascii, big_endian;
    int32_t element_count;
    coif_ply_element elements[COIF_PLY_ELEMENTS];
    coif_arena *arena;
    coif_error *error;
} coif_ply;

// Reads the header. A zero byte follows the bytes, which outlive the reader.
coif_status coif_ply_open(coif_ply *ply, const coif_bytes *bytes, coif_arena *arena,
                          coif_error *error);

coif_status coif_ply_read_number(double *value, coif_ply *ply, coif_ply_type type);
coif_status coif_ply_read_list_length(int32_t *count, coif_ply *ply, const coif_ply_property *list);

// Element of a name; NULL.
const coif_ply_element *coif_ply_find(const coif_ply *ply, const char *name);

// COIF_ERR_FORMAT with the path and the byte that is read next.
coif_status coif_ply_fail(const coif_ply *ply, const char *what);

// Whether name is one of the words of names.
bool coif_ply_is_one_of(const char *name, const char *names);

#endif
