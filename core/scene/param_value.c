#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/scene/former_names.h"
#include "core/scene/param_value_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_text(const coif_param *row)
{
    return row->type == COIF_PARAM_PATH || row->type == COIF_PARAM_STRING;
}

static bool is_words(const coif_param *row)
{
    return row->type == COIF_PARAM_STRING && (row->flags & COIF_PARAM_WORDS) != 0;
}

bool coif_param_is_three(const coif_param *row)
{
    return row->type == COIF_PARAM_VEC3 || row->type == COIF_PARAM_COLOR;
}

const char *coif_param_expected(const coif_param *row, coif_arena *arena)
{
    static const char *const names[] = {
        [COIF_PARAM_FLOAT] = "a number",
        [COIF_PARAM_INT] = "a whole number",
        [COIF_PARAM_BOOL] = "true or false",
        [COIF_PARAM_VEC3] = "an array of 3 numbers",
        [COIF_PARAM_COLOR] = "an array of 3 numbers (linear red, green, blue)",
        [COIF_PARAM_CHOICE] = "one of ",
        [COIF_PARAM_PATH] = "a path as a string",
        [COIF_PARAM_STRING] = "a string",
    };
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    const bool known = row->type >= COIF_PARAM_FLOAT && row->type <= COIF_PARAM_STRING;
    coif_strbuf_add(&text, known ? names[row->type] : "a type this build does not know");
    if (is_words(row)) {
        coif_strbuf_add(&text, " or an array of strings");
    }
    if (row->type == COIF_PARAM_CHOICE) {
        coif_strbuf_add_names(&text, row->choices, coif_param_choice_count(row), 20);
    }
    if (row->unit != NULL && row->unit[0] != '\0') {
        coif_strbuf_print(&text, " in %s", row->unit);
    }
    return text.data;
}

static void mistake_type(const coif_param *row, const coif_json_path *where,
                         const coif_param_reader *reading)
{
    coif_diagnostics_add_expected(reading->mistakes, where,
                                  coif_param_expected(row, reading->arena));
}

static void mistake_limit(const coif_json_path *where, const char *side, double limit,
                          const coif_param_reader *reading)
{
    coif_strbuf text;
    coif_strbuf_init(&text, reading->arena);
    coif_strbuf_add_number(&text, limit);
    coif_diagnostics_add(reading->mistakes, where, "%s is %s %s",
                         coif_json_describe(where->json, reading->arena), side, text.data);
}

bool coif_value_number(double *number, const coif_param *row, const coif_json_path *where,
                       const coif_param_reader *reading)
{
    if (where->json->kind != COIF_JSON_NUMBER) {
        const bool single = row->type == COIF_PARAM_FLOAT || row->type == COIF_PARAM_INT;
        if (single) {
            mistake_type(row, where, reading);
        } else {
            coif_diagnostics_add_expected(reading->mistakes, where, "a number");
        }
        return false;
    }
    const double given = where->json->number;
    const bool whole = row->type == COIF_PARAM_INT;
    if (whole && given != floor(given)) {
        coif_diagnostics_add(reading->mistakes, where, "%s is not a whole number",
                             coif_json_describe(where->json, reading->arena));
        return false;
    }
    const bool bounded = row->low != row->high;
    const double lowest = whole ? INT32_MIN : -FLT_MAX;
    const double highest = whole ? INT32_MAX : FLT_MAX;
    const double low = bounded && row->low > lowest ? row->low : lowest;
    const double high = bounded && row->high < highest ? row->high : highest;
    if (given < low || given > high) {
        mistake_limit(where, given < low ? "below" : "above", given < low ? low : high, reading);
        return false;
    }
    *number = given;
    return true;
}

bool coif_value_three(double numbers[3], const coif_param *row, const coif_json_path *where,
                      const coif_param_reader *reading)
{
    if (where->json->kind != COIF_JSON_ARRAY || where->json->child_count != 3) {
        mistake_type(row, where, reading);
        return false;
    }
    bool good = true;
    coif_json_path at = {.up = where, .json = where->json->child};
    for (; at.index < 3; ++at.index, at.json = at.json->next) {
        good = coif_value_number(&numbers[at.index], row, &at, reading) && good;
    }
    return good;
}

// "bits": 16 means "16": nobody should need quotation marks to name a number.
static bool is_choice(const char *choice, const coif_json *given)
{
    if (given->kind == COIF_JSON_STRING) {
        return strcmp(choice, given->text) == 0;
    }
    double number;
    return given->kind == COIF_JSON_NUMBER && coif_param_choice_number(choice, &number) &&
           number == given->number;
}

static bool read_choice(double *number, const coif_param *row, const coif_json_path *where,
                        const coif_param_reader *reading)
{
    const size_t count = coif_param_choice_count(row);
    for (size_t i = 0; i < count; ++i) {
        if (is_choice(row->choices[i], where->json)) {
            *number = (double)i;
            return true;
        }
    }
    const char *present = where->json->kind == COIF_JSON_STRING
                              ? coif_former_choice(row->name, where->json->text)
                              : NULL;
    if (present != NULL) {
        coif_diagnostics_add(reading->mistakes, where, "\"%s\" was renamed to \"%s\"",
                             where->json->text, present);
        return false;
    }
    if (where->json->kind != COIF_JSON_STRING) {
        mistake_type(row, where, reading);
        return false;
    }
    coif_diagnostics_add_unknown_name(reading->mistakes, where, "a choice here", row->choices,
                                      count);
    return false;
}

bool coif_value_plain(double numbers[3], const coif_param *row, const coif_json_path *where,
                      const coif_param_reader *reading)
{
    switch (row->type) {
    case COIF_PARAM_FLOAT:
    case COIF_PARAM_INT:
        return coif_value_number(numbers, row, where, reading);
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        return coif_value_three(numbers, row, where, reading);
    case COIF_PARAM_CHOICE:
        return read_choice(numbers, row, where, reading);
    case COIF_PARAM_BOOL:
        if (where->json->kind == COIF_JSON_BOOL) {
            numbers[0] = where->json->number;
            return true;
        }
        break;
    default:
        break;
    }
    mistake_type(row, where, reading);
    return false;
}

void coif_value_single(coif_value *value, const coif_param *row, const coif_json_path *where,
                       const coif_param_reader *reading)
{
    double *numbers = coif_arena_new(reading->arena, 3, double);
    if (coif_value_plain(numbers, row, where, reading)) {
        value->numbers = numbers;
    }
}

// An array of words becomes the text that has them with spaces between.
static void read_words(coif_value *value, const coif_json_path *where,
                       const coif_param_reader *reading)
{
    coif_strbuf text;
    coif_strbuf_init(&text, reading->arena);
    bool good = true;
    coif_json_path at = {.up = where, .json = where->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        if (at.json->kind != COIF_JSON_STRING) {
            coif_diagnostics_add_expected(reading->mistakes, &at, "a string");
            good = false;
        } else {
            coif_strbuf_print(&text, "%s%s", at.index > 0 ? " " : "", at.json->text);
        }
    }
    value->text = good ? text.data : NULL;
}

// What somebody typed after the = of a --set; NULL for values inside of something larger. There a
// text that looks like a number is one without quotes, which shells would eat.
static const char *typed_of(const coif_json *json)
{
    const char *equals = json->origin != NULL ? strchr(json->origin, '=') : NULL;
    return equals != NULL && equals[1] != '{' && equals[1] != '[' ? equals + 1 : NULL;
}

const char *coif_value_path(const char *text, const coif_json_path *where,
                            const coif_param_reader *reading)
{
    const char *path = coif_path_join(reading->folder, text, reading->arena);
    // A pattern of one file per frame or tile is looked at by the room that knows those.
    if (strchr(text, '#') == NULL && strstr(text, "<UDIM>") == NULL && !coif_path_exists(path)) {
        coif_diagnostics_add(reading->mistakes, where, "file not found: %s", path);
    }
    return path;
}

static void read_text(coif_value *value, const coif_param *row, const coif_json_path *where,
                      const coif_param_reader *reading)
{
    if (where->json->kind == COIF_JSON_ARRAY && is_words(row)) {
        read_words(value, where, reading);
        return;
    }
    const char *text = where->json->text;
    if (where->json->kind == COIF_JSON_NUMBER && typed_of(where->json) != NULL) {
        text = typed_of(where->json);
    } else if (where->json->kind != COIF_JSON_STRING) {
        mistake_type(row, where, reading);
        return;
    }
    value->text = text;
    if (row->type == COIF_PARAM_STRING || text[0] == '\0') {
        return;
    }
    value->text = coif_value_path(text, where, reading);
}

void coif_value_read(coif_value *value, const coif_param *row, const coif_json_path *where,
                     const coif_param_reader *reading)
{
    value->given = true;
    value->source = where->json;
    if (is_text(row)) {
        read_text(value, row, where, reading);
    } else if (where->json->kind == COIF_JSON_OBJECT) {
        coif_value_object(value, row, where, reading);
    } else {
        coif_value_single(value, row, where, reading);
    }
}
