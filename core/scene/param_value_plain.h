// Parser of plain parameter values: numbers, vectors, choices and paths.
//
// Each function returns whether the value is valid and otherwise adds a diagnostic.
#ifndef COIF_CORE_SCENE_PARAM_VALUE_PLAIN_H
#define COIF_CORE_SCENE_PARAM_VALUE_PLAIN_H

#include "core/scene/diagnostics.h"
#include "core/scene/params.h"

typedef struct coif_param_reader {
    coif_diagnostics *diagnostics;
    const char *folder; // paths are resolved against it
    coif_arena *arena;
} coif_param_reader;

// Whether the parameter is a vector or a colour.
bool coif_param_is_three(const coif_param *param);

// A number within the limits of the parameter and of its C type; three of them; a plain value of
// any numeric parameter.
bool coif_value_number(double *number, const coif_param *param, const coif_json_path *location,
                       const coif_param_reader *reader);
bool coif_value_three(double numbers[3], const coif_param *param, const coif_json_path *location,
                      const coif_param_reader *reader);
bool coif_value_plain(double numbers[3], const coif_param *param, const coif_json_path *location,
                      const coif_param_reader *reader);

// A plain value as the whole value of the parameter.
void coif_value_single(coif_value *value, const coif_param *param, const coif_json_path *location,
                       const coif_param_reader *reader);

// Resolves a path against the scene folder; the file must exist.
const char *coif_value_path(const char *text, const coif_json_path *location,
                            const coif_param_reader *reader);

// Adds "found X, expected ..." for a value of the wrong type.
void coif_value_type_error(const coif_param *param, const coif_json_path *location,
                           const coif_param_reader *reader);

// Whether an array of strings is allowed.
bool coif_param_is_string_list(const coif_param *param);

// Description of the expected value: "an integer", "one of "pbd", "xpbd"".
const char *coif_param_expected(const coif_param *param, coif_arena *arena);

#endif
