// Parameter tables and their values in a scene.
//
// A parameter (coif_param, in the plugin header) describes one field of a plain struct. A scene can
// give its value in several forms:
//
//   0.3                                        a plain value
//   {"keys": [[1, 0.3], [24, 0.6]]}            keyframes: frame and value, constant outside
//   {"map": "curls", "range": [0, 0.02]}       per root, from a named scalp map (MAPPABLE)
//   {"map": "sun", "range": [[0.2, 0.1, 0], [0.6, 0.5, 0.3]]}  the same for a vector
//   {"texture": "dye.png"}                     per root, from a texture over the uv
//   {"value": 0.01, "ramp": [[0, 0], [1, 1]]}  scaled from root (0) to tip (1) (RAMP)
//
// A ramp can be combined with all of these. Numbers, vectors and colours are interpolated linearly
// between keyframes; integers, bools and choices are stepped. Paths and strings are constant. A map
// without a range is 0 to 1. The texture of a colour gives the colour; that of a number or vector
// is an anonymous map, takes a range, and its other members are parameters of the map. Angles stay
// in degrees, as the unit says; the modules convert.
#ifndef COIF_CORE_SCENE_PARAMS_H
#define COIF_CORE_SCENE_PARAMS_H

#include "core/base/base.h"
#include "core/base/nearest_name.h"

struct coif_json;

typedef struct coif_value {
    bool given;            // false: the default, or a value of a preset
    const char *preset;    // name of the preset that the value comes from, NULL when none
    int32_t key_count;     // 1 when not animated
    const double *frames;  // key_count
    const double *numbers; // 3 per key
    const char *text;      // PATH (resolved) and STRING rows
    const char *map;       // name of a scalp map, NULL when none
    double range[2][3];    // values for 0 and 1 of the map, one number or a vector
    const char *texture;   // path of a colour texture, NULL when none
    int32_t ramp_count;
    const float *ramp;              // pairs: position from 0 to 1, factor
    const struct coif_json *source; // JSON of the scene (paths unresolved); NULL: default
} coif_value;

// A parameter table and one value per row.
typedef struct coif_values {
    const coif_param *rows;
    uint32_t row_count;
    coif_value *values;
} coif_values;

// Sets every value to its default.
void coif_values_init(coif_values *values, const coif_param *rows, uint32_t row_count,
                      coif_arena *arena);

// Evaluates all values at a frame into a params struct. Mapped values get the middle of their
// range, a usable value for callers without maps.
void coif_values_at(const coif_values *values, double frame, void *params);

// Values without keyframes: those at a frame.
coif_values coif_values_freeze(const coif_values *values, double frame, coif_arena *arena);

// Whether any value has more than one keyframe.
bool coif_params_are_animated(const coif_values *values);

// Value of the parameter with that name, NULL when the table has none.
const coif_value *coif_values_find(const coif_values *values, const char *name);

// Ramp factor at a position from 0 (root) to 1 (tip); 1 without a ramp.
float coif_value_ramp(const coif_value *value, float position);

// Number of choices of a parameter.
size_t coif_param_choice_count(const coif_param *row);

// Parses a numeric choice such as "16", which may also be written as a number.
bool coif_param_choice_number(const char *choice, double *number);

// Flags of the program's own tables, disjoint from those of plugin.h.
enum {
    COIF_PARAM_WORDS = 1 << 16,    // STRING: an array of strings is allowed and joined with spaces
    COIF_PARAM_CONSTANT = 1 << 17, // keyframes are an error
    COIF_PARAM_GLOBAL = 1 << 18    // one value for the whole scene, see coif_section.inherits
};

// A row of a table: COIF_PARAM_ROW(sim_params, substeps, COIF_PARAM_INT, "help", "unit", fallback,
// low, high), and the same for a vector or colour with three different defaults.
#define COIF_PARAM_ROW(params_, field_, type_, help_, unit_, fallback_, low_, high_)               \
    COIF_PLUGIN_ROW(params_, field_, type_, 0, help_, unit_, fallback_, fallback_, fallback_,      \
                    low_, high_)
#define COIF_PARAM_ROW3(params_, field_, type_, ...)                                               \
    COIF_PLUGIN_ROW(params_, field_, type_, 0, __VA_ARGS__)

// The same for a parameter that is read once and cannot have keys.
#define COIF_CONSTANT_ROW(params_, field_, type_, help_, unit_, fallback_, low_, high_)            \
    COIF_PLUGIN_ROW(params_, field_, type_, COIF_PARAM_CONSTANT, help_, unit_, fallback_,          \
                    fallback_, fallback_, low_, high_)

#endif
