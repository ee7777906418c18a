// Parsing shared by plain values and value objects; each function returns whether the value is
// valid and otherwise adds a diagnostic.
#ifndef COIF_CORE_SCENE_PARAM_VALUE_INTERNAL_H
#define COIF_CORE_SCENE_PARAM_VALUE_INTERNAL_H

#include "core/scene/param_value.h"

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

// Value objects: {"keys": ...}, {"map": ...}, ...
void coif_value_object(coif_value *value, const coif_param *param, const coif_json_path *location,
                       const coif_param_reader *reader);

#endif
