// JSON parser with source locations, on top of cJSON (its only user).
//
// Every value stores its byte range in the source, so messages can give line and column and an edit
// can replace one value and keep every other byte. Duplicate keys, trailing text, NaN and invalid
// UTF-8 are errors; nesting depth is bounded. A leading UTF-8 byte order mark is skipped.
#ifndef COIF_CORE_JSON_JSON_H
#define COIF_CORE_JSON_JSON_H

#include "core/base/base.h"

typedef enum coif_json_kind {
    COIF_JSON_NULL,
    COIF_JSON_BOOL,
    COIF_JSON_NUMBER,
    COIF_JSON_STRING,
    COIF_JSON_ARRAY,
    COIF_JSON_OBJECT
} coif_json_kind;

typedef struct coif_json {
    coif_json_kind kind;
    const char *key; // inside an object, else NULL
    double number;   // also 0 or 1 for a bool
    const char *text;
    struct coif_json *child, *next; // first member or element; next sibling
    int32_t child_count;
    size_t begin, end; // bytes in the source text, quotes and brackets included
    size_t key_begin;  // inside an object: the key's opening quote
    // Set when the value does not come from the source text: the argument of a --set. Then begin
    // and end are meaningless.
    const char *origin;
} coif_json;

// Maximum nesting depth of arrays and objects.
#define COIF_JSON_DEPTH 100

// Name is used in messages only ("bob.json:12:7: ..."). Text need not end with a zero byte. Errors
// are COIF_ERR_FORMAT.
coif_status coif_json_parse(coif_json **root, const char *name, const char *text, size_t size,
                            coif_arena *arena, coif_error *error);

const coif_json *coif_json_find(const coif_json *object, const char *key);
const coif_json *coif_json_element(const coif_json *array, int32_t index);

// "a number", "an object", ... for messages.
const char *coif_json_kind_name(const coif_json *value);

// The value for messages: itself when short (1.5, "blond", true), else its kind; in arena.
const char *coif_json_describe(const coif_json *value, coif_arena *arena);

// Text as a JSON string with quotes, in arena.
char *coif_json_quote(const char *text, coif_arena *arena);

#endif
