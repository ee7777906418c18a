// Logical lines of an OBJ file.
#ifndef COIF_CORE_MESH_OBJ_LINES_H
#define COIF_CORE_MESH_OBJ_LINES_H

#include "core/base/base.h"

#include <string.h>

typedef struct coif_obj_lines {
    char *cursor, *end;
    int64_t number; // of the last line returned, from 1
} coif_obj_lines;

// Starts on a zero-terminated text of size bytes, which is modified. Other encodings than UTF-8 are
// an error; name is used in the message.
coif_status coif_obj_lines_init(coif_obj_lines *lines, const char *name, char *text, size_t size,
                                coif_error *error);

// Next line without leading blanks, continued lines joined, zero-terminated; NULL at the end.
char *coif_obj_lines_next(coif_obj_lines *lines);

// White space inside a line.
static inline bool coif_obj_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

static inline char *coif_obj_skip_blanks(char *at)
{
    while (coif_obj_blank(*at)) {
        ++at;
    }
    return at;
}

// Length of a text without trailing blanks.
static inline size_t coif_obj_trimmed_length(const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && coif_obj_blank(text[length - 1])) {
        --length;
    }
    return length;
}

#endif
