// obj_lines: the text of an OBJ file, line by line as the format means it.
#ifndef COIF_CORE_MESH_OBJ_LINES_H
#define COIF_CORE_MESH_OBJ_LINES_H

#include "core/base/base.h"

typedef struct coif_obj_lines {
    char *cursor, *end;
    int64_t number; // of the line given out last, as an editor counts
} coif_obj_lines;

// Text of size bytes, followed by a zero byte; it is used up. Other encodings than UTF-8 are an
// error; name is for the message.
coif_status coif_obj_lines_init(coif_obj_lines *lines, const char *name, char *text, size_t size,
                                coif_error *error);

// The next line, without blanks before it, continued ones joined, ended by a zero byte. NULL when
// there are no more.
char *coif_obj_lines_next(coif_obj_lines *lines);

// About how many of each there will be, so that arrays need not grow often.
typedef struct coif_obj_estimate {
    size_t positions, uvs, normals, faces, corners;
} coif_obj_estimate;
coif_obj_estimate coif_obj_lines_estimate(const coif_obj_lines *lines);

// What stands between words.
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

#endif
