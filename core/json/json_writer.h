// JSON writer: indented by two spaces; equal calls give equal bytes.
#ifndef COIF_CORE_JSON_JSON_WRITER_H
#define COIF_CORE_JSON_JSON_WRITER_H

#include "core/base/strbuf.h"

typedef struct coif_json_writer {
    coif_strbuf text;
    int depth;
    bool empty; // the innermost array or object has no child yet
} coif_json_writer;

void coif_json_writer_init(coif_json_writer *writer, coif_arena *arena);

// Key is NULL for array elements and for the outermost value. Bracket is "{" or "[" to open, "}" or
// "]" to close.
void coif_write_open(coif_json_writer *writer, const char *key, const char *bracket);
void coif_write_close(coif_json_writer *writer, const char *bracket);
void coif_write_text(coif_json_writer *writer, const char *key, const char *text);

// Infinity and NaN, which JSON does not have, are written as null.
void coif_write_number(coif_json_writer *writer, const char *key, double number);

// Writes text that is already JSON.
void coif_write_raw(coif_json_writer *writer, const char *key, const char *json);

#endif
