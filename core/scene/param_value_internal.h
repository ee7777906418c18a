// value_parts: what plain values and objects share, see value.h. Everything returns whether it is
// right, or says what is not.
#ifndef COIF_CORE_SCENE_PARAM_VALUE_INTERNAL_H
#define COIF_CORE_SCENE_PARAM_VALUE_INTERNAL_H

#include "core/scene/param_value.h"

// Vectors and colours.
bool coif_param_is_three(const coif_param *row);

// One number within the row's limits and those of the field it will be kept in; three of them; and
// a plain value of any row that is kept in numbers.
bool coif_value_number(double *number, const coif_param *row, const coif_json_path *where,
                       const coif_param_reader *reading);
bool coif_value_three(double numbers[3], const coif_param *row, const coif_json_path *where,
                      const coif_param_reader *reading);
bool coif_value_plain(double numbers[3], const coif_param *row, const coif_json_path *where,
                      const coif_param_reader *reading);

// That as the whole value.
void coif_value_single(coif_value *value, const coif_param *row, const coif_json_path *where,
                       const coif_param_reader *reading);

// A path as it is from here; it must be there.
const char *coif_value_path(const char *text, const coif_json_path *where,
                            const coif_param_reader *reading);

// {"keys": ...} and its like.
void coif_value_object(coif_value *value, const coif_param *row, const coif_json_path *where,
                       const coif_param_reader *reading);

#endif
