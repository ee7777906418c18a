// json_edit: new text from old with one value put in, replaced or taken out. Every other byte stays
// as somebody wrote it.
#ifndef COIF_CORE_JSON_JSON_EDIT_H
#define COIF_CORE_JSON_JSON_EDIT_H

#include "core/base/base.h"

// Text that is JSON; name is for messages.
typedef struct coif_json_text {
    const char *name;
    const char *data;
    size_t size;
} coif_json_text;

// A place is written as in messages: "/grooms/0/count"; ~1 in it stands for a slash and ~0 for ~,
// as in RFC 6901. Value is JSON text. Members that are missing on the way are made; an array grows
// by one when the index is its length, or the word "-".
coif_status coif_json_set(char **edited, const coif_json_text *text, const char *place,
                          const char *value, coif_arena *arena, coif_error *error);

// Takes the member or element out, with the comma that belonged to it. What is not there is no
// mistake.
coif_status coif_json_remove(char **edited, const coif_json_text *text, const char *place,
                             coif_arena *arena, coif_error *error);

#endif
