// JSON text editing: sets or removes one value and keeps every other byte of the source.
#ifndef COIF_CORE_JSON_JSON_EDIT_H
#define COIF_CORE_JSON_JSON_EDIT_H

#include "core/base/base.h"

// Text that is JSON; name is for messages.
typedef struct coif_json_text {
    const char *name;
    const char *data;
    size_t size;
} coif_json_text;

// Sets the value at a JSON pointer (RFC 6901) such as "/grooms/0/count". Value is JSON text.
// Missing members are created; an index equal to the array length, or "-", appends an element.
coif_status coif_json_set(char **edited, const coif_json_text *text, const char *pointer,
                          const char *value, coif_arena *arena, coif_error *error);

// Removes a member or element with its comma. A pointer to a missing value is not an error.
coif_status coif_json_remove(char **edited, const coif_json_text *text, const char *pointer,
                             coif_arena *arena, coif_error *error);

#endif
