// json_writer: JSON text written piece by piece, indented by two spaces, always with the same bytes
// for the same pieces.
#ifndef COIF_CORE_JSON_JSON_WRITER_H
#define COIF_CORE_JSON_JSON_WRITER_H

#include "core/base/strbuf.h"

typedef struct coif_json_writer {
    coif_strbuf text;
    int depth;
    bool empty; // nothing yet between the innermost brackets
} coif_json_writer;

void coif_json_writer_init(coif_json_writer *writer, coif_arena *arena);

// Key is that of a member, NULL for an element of an array and for the outermost value. Bracket is
// "{" or "[", and "}" or "]".
void coif_write_open(coif_json_writer *writer, const char *key, const char *bracket);
void coif_write_close(coif_json_writer *writer, const char *bracket);
void coif_write_text(coif_json_writer *writer, const char *key, const char *text);

// Must be finite: JSON has no other numbers.
void coif_write_number(coif_json_writer *writer, const char *key, double number);

// Text that is JSON already.
void coif_write_raw(coif_json_writer *writer, const char *key, const char *json);

#endif
