// mistakes: everything that is wrong with a scene, gathered and said in one go.
//
// One line each: "bob.json: /grooms/0/count: -1 is below 0". What a --set caused names the
// argument. The first lines are kept and the rest is counted, so that a hostile file cannot fill
// the screen.
#ifndef COIF_CORE_SCENE_DIAGNOSTICS_H
#define COIF_CORE_SCENE_DIAGNOSTICS_H

#include "core/base/strbuf.h"
#include "core/json/json.h"

// A place in a document. They chain on the stack on the way down, and become text only when there
// is something to say.
typedef struct coif_json_path {
    const struct coif_json_path *up; // NULL: key is a whole path, "" for the root
    const char *key;                 // NULL: index counts in an array
    int32_t index;
    const coif_json *json; // what stands there, NULL when nothing does
} coif_json_path;

typedef struct coif_diagnostics {
    const char *file;
    int32_t count;
    coif_strbuf lines;
    coif_arena *arena;
} coif_diagnostics;

void coif_diagnostics_init(coif_diagnostics *mistakes, const char *file, coif_arena *arena);

// Whether enough lines are there: further mistakes are only counted, and need no words.
bool coif_diagnostics_full(const coif_diagnostics *mistakes);

// Adds a line about a place.
void coif_diagnostics_add(coif_diagnostics *mistakes, const coif_json_path *where,
                          const char *format, ...) COIF_PRINTF(3, 4);

// "found X, wanted WANTED".
void coif_diagnostics_add_expected(coif_diagnostics *mistakes, const coif_json_path *where,
                                   const char *wanted);

// "unknown key", with the nearest of names, or all of them when none is near.
void coif_diagnostics_add_unknown_key(coif_diagnostics *mistakes, const coif_json_path *where,
                                      const char *const *names, size_t count);

// The string at a place is none of names: ""wind.gst" is not a force plugin, did you mean ...".
void coif_diagnostics_add_unknown_name(coif_diagnostics *mistakes, const coif_json_path *where,
                                       const char *what, const char *const *names, size_t count);

// COIF_OK when there were none, else COIF_ERR_SCENE with all lines.
coif_status coif_diagnostics_status(const coif_diagnostics *mistakes, coif_error *error);

// The place as text, in arena: "/grooms/0/count".
char *coif_json_path_text(const coif_json_path *where, coif_arena *arena);

#endif
