#include "core/scene/params.h"

#include "core/base/arena.h"

#include <ctype.h>
#include <string.h>

// Words longer than this are nobody's slip of the finger.
enum { LONGEST_WORD = 48 };

const coif_param *coif_params_repack(const coif_param *rows, uint32_t row_count,
                                     uint32_t row_stride, coif_arena *arena)
{
    if (row_stride == sizeof(coif_param)) {
        return rows;
    }
    const size_t known = row_stride < sizeof(coif_param) ? row_stride : sizeof(coif_param);
    coif_param *even = coif_arena_new(arena, row_count, coif_param);
    for (uint32_t i = 0; i < row_count; ++i) {
        memcpy(&even[i], (const char *)rows + (size_t)i * row_stride, known);
    }
    return even;
}

void coif_values_init(coif_values *values, const coif_param *rows, uint32_t row_count,
                      uint32_t row_stride, coif_arena *arena)
{
    *values = (coif_values){
        .rows = coif_params_repack(rows, row_count, row_stride, arena),
        .row_count = row_count,
        .row_stride = sizeof(coif_param),
        .values = coif_arena_new(arena, row_count, coif_value),
    };
    static const double zero = 0;
    double *numbers = coif_arena_new(arena, (size_t)row_count * 3, double);
    for (uint32_t i = 0; i < row_count; ++i) {
        const coif_param *row = coif_values_param(values, i);
        memcpy(numbers + 3 * (size_t)i, row->fallback, sizeof row->fallback);
        values->values[i] = (coif_value){
            .key_count = 1, .frames = &zero, .numbers = numbers + 3 * (size_t)i, .text = ""};
    }
}

// The last key at or before frame; the first one before all of them.
static int32_t key_before(const coif_value *value, double frame)
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

static void numbers_at(const coif_value *value, double frame, double out[3])
{
    if (value->map != NULL) {
        for (int i = 0; i < 3; ++i) {
            out[i] = 0.5 * value->range[0][i] + 0.5 * value->range[1][i];
        }
        return;
    }
    const int32_t key = key_before(value, frame);
    const double *from = value->numbers + 3 * (size_t)key;
    const double *to = key + 1 < value->key_count ? from + 3 : from;
    double share = 0;
    if (to != from && frame > value->frames[key]) {
        share = (frame - value->frames[key]) / (value->frames[key + 1] - value->frames[key]);
    }
    for (int i = 0; i < 3; ++i) {
        out[i] = from[i] + (to[i] - from[i]) * share;
    }
}

static void write_field(const coif_param *row, const coif_value *value, double frame, char *field)
{
    double numbers[3];
    switch (row->type) {
    case COIF_PARAM_FLOAT:
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR: {
        numbers_at(value, frame, numbers);
        const float floats[3] = {(float)numbers[0], (float)numbers[1], (float)numbers[2]};
        memcpy(field, floats, row->type == COIF_PARAM_FLOAT ? sizeof floats[0] : sizeof floats);
        break;
    }
    case COIF_PARAM_INT:
    case COIF_PARAM_BOOL:
    case COIF_PARAM_CHOICE: {
        const int32_t whole = (int32_t)value->numbers[3 * (size_t)key_before(value, frame)];
        memcpy(field, &whole, sizeof whole);
        break;
    }
    case COIF_PARAM_PATH:
    case COIF_PARAM_STRING:
        memcpy(field, &value->text, sizeof value->text);
        break;
    default:
        break; // a type of a later day: the host refuses such plugins
    }
}

void coif_values_at(const coif_values *values, double frame, void *params)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_param *row = coif_values_param(values, i);
        write_field(row, &values->values[i], frame, (char *)params + row->offset);
    }
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
        if (strcmp(coif_values_param(values, i)->name, name) == 0) {
            return &values->values[i];
        }
    }
    return NULL;
}

float coif_value_ramp(const coif_value *value, float place)
{
    if (value->ramp_count == 0) {
        return 1.0f;
    }
    const float *from = value->ramp;
    const float *last = value->ramp + 2 * (size_t)(value->ramp_count - 1);
    while (from < last && from[2] <= place) {
        from += 2;
    }
    if (from == last || !(place > from[0])) {
        return from[1];
    }
    return from[1] + (from[3] - from[1]) * ((place - from[0]) / (from[2] - from[0]));
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

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Slips between two words: letters added, lost, changed, or two neighbours swapped (the optimal
// string alignment form of Damerau and Levenshtein). Capitals do not count.
static size_t slips(const char *a, const char *b)
{
    const size_t length = strlen(b);
    size_t rows[3][LONGEST_WORD + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= length; ++j) {
        above[j] = j;
    }
    for (size_t i = 1; a[i - 1] != '\0'; ++i) {
        row[0] = i;
        for (size_t j = 1; j <= length; ++j) {
            const int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = smaller(smaller(row[j - 1], above[j]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2])) {
                row[j] = smaller(row[j], before[j - 2] + 1);
            }
        }
        size_t *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[length];
}

const char *coif_nearest_name(const char *word, const char *const *names, size_t count)
{
    const size_t length = strlen(word);
    const char *nearest = NULL;
    // One slip in three letters is still the same word.
    size_t fewest = (length + 2) / 3 + 1;
    if (length > LONGEST_WORD) {
        return NULL;
    }
    for (size_t i = 0; i < count; ++i) {
        if (strlen(names[i]) > LONGEST_WORD) {
            continue;
        }
        const size_t distance = slips(word, names[i]);
        // All letters changed is another word, however short.
        if (distance < fewest && distance < strlen(names[i])) {
            fewest = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
