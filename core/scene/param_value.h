// value: reads what a scene gives for one row, in any of the ways that params.h shows.
#ifndef COIF_CORE_SCENE_PARAM_VALUE_H
#define COIF_CORE_SCENE_PARAM_VALUE_H

#include "core/scene/diagnostics.h"
#include "core/scene/params.h"

typedef struct coif_param_reader {
    coif_diagnostics *mistakes;
    const char *folder; // paths are resolved against it
    coif_arena *arena;
} coif_param_reader;

// Reads where->json. What is wrong goes to the mistakes, and the value then stays as it was.
void coif_value_read(coif_value *value, const coif_param *row, const coif_json_path *where,
                     const coif_param_reader *reading);

// What kind of value a row wants: "a whole number", "one of "pbd", "xpbd"".
const char *coif_param_expected(const coif_param *row, coif_arena *arena);

#endif
