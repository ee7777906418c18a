// String builder: text appended piece by piece in an arena.
#ifndef COIF_CORE_BASE_STRBUF_H
#define COIF_CORE_BASE_STRBUF_H

#include "core/base/base.h"

typedef struct coif_strbuf {
    char *data; // always ends with a zero byte
    size_t size, capacity;
    coif_arena *arena;
} coif_strbuf;

void coif_strbuf_init(coif_strbuf *text, coif_arena *arena);
void coif_strbuf_add(coif_strbuf *text, const char *piece);
void coif_strbuf_add_bytes(coif_strbuf *text, const char *bytes, size_t count);
void coif_strbuf_print(coif_strbuf *text, const char *format, ...) COIF_PRINTF(2, 3);

// Appends names as "a", "b", "c", at most limit of them and then "...".
void coif_strbuf_add_names(coif_strbuf *text, const char *const *names, size_t count, size_t limit);

// Appends a number with the fewest digits that parse back to the same double.
void coif_strbuf_add_number(coif_strbuf *text, double number);

#endif
