// String interning: distinct names numbered in order of first occurrence.
#ifndef COIF_CORE_BASE_STRING_TABLE_H
#define COIF_CORE_BASE_STRING_TABLE_H

#include "core/base/base.h"

typedef struct coif_string_table {
    const char **names;
    int32_t count;
    size_t capacity;
    int32_t *slots; // open addressing: index + 1, or 0
    size_t slot_count;
} coif_string_table;

// Index of a name of that length; a new one is copied into arena and gets the next index.
int32_t coif_string_table_intern(coif_string_table *names, const char *name, size_t length,
                                 coif_arena *arena);

// Index of a name, -1 when it is not in the table.
int32_t coif_string_table_find(const coif_string_table *names, const char *name, size_t length);

#endif
