// Diagnostics of a scene: all errors of a file are collected and reported together.
//
// One line each: "bob.json: /grooms/0/count: -1 is below 0". An error caused by a --set names the
// argument. Only the first lines are kept and the rest is counted, so that a hostile file cannot
// flood the output.
#ifndef COIF_CORE_SCENE_DIAGNOSTICS_H
#define COIF_CORE_SCENE_DIAGNOSTICS_H

#include "core/base/strbuf.h"
#include "core/json/json.h"

// A location in a document. Locations are linked on the stack during the descent and formatted only
// when there is an error to report.
typedef struct coif_json_path {
    const struct coif_json_path *up; // parent; NULL: key is a whole path, "" for the root
    const char *key;                 // NULL: index is an array index
    int32_t index;
    const coif_json *json; // the value, NULL when absent
} coif_json_path;

typedef struct coif_diagnostics {
    const char *file;
    int32_t count;
    coif_strbuf lines;
    coif_arena *arena;
} coif_diagnostics;

void coif_diagnostics_init(coif_diagnostics *diagnostics, const char *file, coif_arena *arena);

// Whether the line limit is reached: further errors are only counted, and need no message.
bool coif_diagnostics_full(const coif_diagnostics *diagnostics);

// Adds a line about a location.
void coif_diagnostics_add(coif_diagnostics *diagnostics, const coif_json_path *location,
                          const char *format, ...) COIF_PRINTF(3, 4);

// "found X, expected EXPECTED".
void coif_diagnostics_add_expected(coif_diagnostics *diagnostics, const coif_json_path *location,
                                   const char *expected);

// "unknown key", with the most similar of names, or all of them when none is similar.
void coif_diagnostics_add_unknown_key(coif_diagnostics *diagnostics, const coif_json_path *location,
                                      const char *const *names, size_t count);

// The string is none of names: ""wind.gst" is not a force plugin, did you mean ...".
void coif_diagnostics_add_unknown_name(coif_diagnostics *diagnostics,
                                       const coif_json_path *location, const char *what,
                                       const char *const *names, size_t count);

// COIF_OK without errors, else COIF_ERR_SCENE with all lines.
coif_status coif_diagnostics_status(const coif_diagnostics *diagnostics, coif_error *error);

// The location as a JSON pointer, in arena: "/grooms/0/count".
char *coif_json_path_text(const coif_json_path *location, coif_arena *arena);

#endif
