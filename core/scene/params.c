// Parameter tables: defaults, keyframe evaluation and ramps.
#include "core/scene/params.h"

#include "core/base/arena.h"

#include <string.h>

void coif_values_init(coif_values *values, const coif_param *rows, uint32_t row_count,
                      coif_arena *arena)
{
    *values = (coif_values){
        .rows = rows,
        .row_count = row_count,
        .values = coif_arena_new(arena, row_count, coif_value),
    };
    static const double zero = 0;
    double *numbers = coif_arena_new(arena, (size_t)row_count * 3, double);
    for (uint32_t i = 0; i < row_count; ++i) {
        const coif_param *row = &values->rows[i];
        memcpy(numbers + 3 * (size_t)i, row->fallback, sizeof row->fallback);
        values->values[i] = (coif_value){
            .key_count = 1, .frames = &zero, .numbers = numbers + 3 * (size_t)i, .text = ""};
    }
}

// Last keyframe at or before frame, else the first one.
static int32_t find_key(const coif_value *value, double frame)
{
    int32_t low = 0, high = value->key_count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (value->frames[middle] <= frame) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void evaluate(const coif_value *value, double frame, double out[3])
{
    if (value->map != NULL) {
        for (int i = 0; i < 3; ++i) {
            out[i] = 0.5 * value->range[0][i] + 0.5 * value->range[1][i];
        }
        return;
    }
    const int32_t key = find_key(value, frame);
    const double *from = value->numbers + 3 * (size_t)key;
    const double *to = key + 1 < value->key_count ? from + 3 : from;
    double t = 0;
    if (to != from && frame > value->frames[key]) {
        t = (frame - value->frames[key]) / (value->frames[key + 1] - value->frames[key]);
    }
    for (int i = 0; i < 3; ++i) {
        out[i] = from[i] + (to[i] - from[i]) * t;
    }
}

static void write_field(const coif_param *row, const coif_value *value, double frame, char *field)
{
    double numbers[3];
    switch (row->type) {
    case COIF_PARAM_FLOAT:
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR: {
        evaluate(value, frame, numbers);
        const float floats[3] = {(float)numbers[0], (float)numbers[1], (float)numbers[2]};
        memcpy(field, floats, row->type == COIF_PARAM_FLOAT ? sizeof floats[0] : sizeof floats);
        break;
    }
    case COIF_PARAM_INT:
    case COIF_PARAM_BOOL:
    case COIF_PARAM_CHOICE: {
        const int32_t integer = (int32_t)value->numbers[3 * (size_t)find_key(value, frame)];
        memcpy(field, &integer, sizeof integer);
        break;
    }
    case COIF_PARAM_PATH:
    case COIF_PARAM_STRING:
        memcpy(field, &value->text, sizeof value->text);
        break;
    default:
        break; // unknown type: the host rejects such plugins
    }
}

void coif_values_at(const coif_values *values, double frame, void *params)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_param *row = &values->rows[i];
        write_field(row, &values->values[i], frame, (char *)params + row->offset);
    }
}

coif_values coif_values_freeze(const coif_values *values, double frame, coif_arena *arena)
{
    coif_values frozen = *values;
    frozen.values = coif_arena_new(arena, values->row_count, coif_value);
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_value *value = &values->values[i];
        frozen.values[i] = *value;
        if (value->key_count > 1) {
            double *numbers = coif_arena_new(arena, 3, double);
            const uint32_t type = values->rows[i].type;
            if (type == COIF_PARAM_FLOAT || type == COIF_PARAM_VEC3 || type == COIF_PARAM_COLOR) {
                evaluate(value, frame, numbers);
            } else {
                numbers[0] = value->numbers[3 * (size_t)find_key(value, frame)];
            }
            frozen.values[i].key_count = 1;
            frozen.values[i].numbers = numbers;
        }
    }
    return frozen;
}

bool coif_params_are_animated(const coif_values *values)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        if (values->values[i].key_count > 1) {
            return true;
        }
    }
    return false;
}

const coif_value *coif_values_find(const coif_values *values, const char *name)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        if (strcmp(values->rows[i].name, name) == 0) {
            return &values->values[i];
        }
    }
    return NULL;
}

float coif_value_ramp(const coif_value *value, float position)
{
    if (value->ramp_count == 0) {
        return 1.0f;
    }
    const float *from = value->ramp;
    const float *last = value->ramp + 2 * (size_t)(value->ramp_count - 1);
    while (from < last && from[2] <= position) {
        from += 2;
    }
    if (from == last || !(position > from[0])) {
        return from[1];
    }
    return from[1] + (from[3] - from[1]) * ((position - from[0]) / (from[2] - from[0]));
}

bool coif_param_choice_number(const char *choice, double *number)
{
    *number = 0.0;
    for (const char *c = choice; *c != '\0'; ++c) {
        if (*c < '0' || *c > '9') {
            return false;
        }
        *number = 10.0 * *number + (*c - '0');
    }
    return choice[0] != '\0';
}

size_t coif_param_choice_count(const coif_param *row)
{
    size_t count = 0;
    while (row->choices != NULL && row->choices[count] != NULL) {
        ++count;
    }
    return count;
}
