// params: values of a table of rows, as a scene gives them.
//
// A row (coif_param, in the plugin header) describes one field of a plain struct. A scene may give
// a value in several ways, and this room understands all of them:
//
//   0.3                                        a plain value
//   {"keys": [[1, 0.3], [24, 0.6]]}            over time: frame and value, held outside
//   {"map": "curls", "range": [0, 0.02]}       per root, from a named scalp map (MAPPABLE rows)
//   {"map": "sun", "range": [[0.2, 0.1, 0], [0.6, 0.5, 0.3]]}  the same of three numbers
//   {"texture": "dye.png"}                     per root, from a picture over the uv (colours)
//   {"value": 0.01, "ramp": [[0, 0], [1, 1]]}  scaled from root (0) to tip (1) (RAMP rows)
//
// A ramp may stand beside all of these. Between keys numbers, vectors and colours run
// straight; whole numbers, bools and choices step. Paths and strings do not change over time. A map
// without a range means 0 to 1. Angles stay in degrees, as the row's unit says; the rooms convert.
#ifndef COIF_CORE_SCENE_PARAMS_H
#define COIF_CORE_SCENE_PARAMS_H

#include "core/base/base.h"

struct coif_json;

typedef struct coif_value {
    bool given;            // false: the row's default
    int32_t key_count;     // 1 when it does not change over time
    const double *frames;  // key_count
    const double *numbers; // 3 per key
    const char *text;      // PATH (resolved) and STRING rows
    const char *map;       // name of a scalp map, NULL when none
    double range[2][3];    // what 0 and 1 of the map mean, one number or three
    const char *texture;   // path of a picture that gives a colour, NULL when none
    int32_t ramp_count;
    const float *ramp;              // pairs: place from 0 to 1, factor
    const struct coif_json *source; // what the scene says, a path as it is written; NULL: default
} coif_value;

// A table and one value per row.
typedef struct coif_values {
    const coif_param *rows;
    uint32_t row_count;
    uint32_t row_stride; // bytes from one row to the next
    coif_value *values;
} coif_values;

static inline const coif_param *coif_values_param(const coif_values *values, uint32_t index)
{
    return (const coif_param *)((const char *)values->rows + (size_t)index * values->row_stride);
}

// Every row at its default. Rows of another length than ours (older and newer modules) are copied,
// so that whoever reads a row may look at every field: those that a module does not know are zero.
void coif_values_init(coif_values *values, const coif_param *rows, uint32_t row_count,
                      uint32_t row_stride, coif_arena *arena);

// Writes all fields into a params struct as they are at a frame. Mapped rows get the middle of
// their range, so that a caller that knows no maps still gets something sensible.
void coif_values_at(const coif_values *values, double frame, void *params);

// Whether any row has more than one key.
bool coif_params_are_animated(const coif_values *values);

// The rows of a table one coif_param apart: rows itself, or a copy in arena when stride is another.
const coif_param *coif_params_repack(const coif_param *rows, uint32_t row_count,
                                     uint32_t row_stride, coif_arena *arena);

// The value of the row with that name, NULL when the table has none.
const coif_value *coif_values_find(const coif_values *values, const char *name);

// The factor of a value's ramp at a place from 0 (root) to 1 (tip); 1 without a ramp.
float coif_value_ramp(const coif_value *value, float place);

// How many choices a row has.
size_t coif_param_choice_count(const coif_param *row);

// The whole number that a choice is, as "16"; such a choice may be written as a number too.
bool coif_param_choice_number(const char *choice, double *number);

// The name among choices nearest to word, for "did you mean"; NULL when none is close.
const char *coif_nearest_name(const char *word, const char *const *names, size_t count);

// A flag of STRING rows in the program's own tables: words, in one string or as an array. Far from
// those of plugin.h.
enum { COIF_PARAM_WORDS = 1 << 16 };

// A row of a table: COIF_PARAM_ROW(sim_params, substeps, COIF_PARAM_INT, "help", "unit", fallback,
// low, high)
#define COIF_PARAM_ROW(type_, field_, kind_, help_, unit_, fallback_, low_, high_)                 \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = unit_, .type = kind_,                              \
        .offset = offsetof(type_, field_), .fallback = {fallback_, fallback_, fallback_},          \
        .low = low_, .high = high_                                                                 \
    }

// The same for a vector or colour with three different defaults.
#define COIF_PARAM_ROW3(type_, field_, kind_, help_, unit_, a_, b_, c_, low_, high_)               \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = unit_, .type = kind_,                              \
        .offset = offsetof(type_, field_), .fallback = {a_, b_, c_}, .low = low_, .high = high_    \
    }

#endif
