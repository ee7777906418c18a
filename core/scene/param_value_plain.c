// Parser of plain parameter values.
#include "core/scene/param_value_plain.h"

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/scene/former_names.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool coif_param_is_string_list(const coif_param *param)
{
    return param->type == COIF_PARAM_STRING && (param->flags & COIF_PARAM_WORDS) != 0;
}

bool coif_param_is_three(const coif_param *param)
{
    return param->type == COIF_PARAM_VEC3 || param->type == COIF_PARAM_COLOR;
}

const char *coif_param_expected(const coif_param *param, coif_arena *arena)
{
    static const char *const names[] = {
        [COIF_PARAM_FLOAT] = "a number",
        [COIF_PARAM_INT] = "an integer",
        [COIF_PARAM_BOOL] = "true or false",
        [COIF_PARAM_VEC3] = "an array of 3 numbers",
        [COIF_PARAM_COLOR] = "an array of 3 numbers (linear red, green, blue)",
        [COIF_PARAM_CHOICE] = "one of ",
        [COIF_PARAM_PATH] = "a path as a string",
        [COIF_PARAM_STRING] = "a string",
    };
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    const bool known = param->type >= COIF_PARAM_FLOAT && param->type <= COIF_PARAM_STRING;
    coif_strbuf_add(&text, known ? names[param->type] : "an unknown type");
    if (coif_param_is_string_list(param)) {
        coif_strbuf_add(&text, " or an array of strings");
    }
    if (param->type == COIF_PARAM_CHOICE) {
        coif_strbuf_add_names(&text, param->choices, coif_param_choice_count(param), 20);
    }
    if (param->unit != NULL && param->unit[0] != '\0') {
        coif_strbuf_print(&text, " in %s", param->unit);
    }
    return text.data;
}

void coif_value_type_error(const coif_param *param, const coif_json_path *location,
                           const coif_param_reader *reader)
{
    coif_diagnostics_add_expected(reader->diagnostics, location,
                                  coif_param_expected(param, reader->arena));
}

static void add_limit_error(const coif_json_path *location, const char *side, double limit,
                            const coif_param_reader *reader)
{
    coif_strbuf text;
    coif_strbuf_init(&text, reader->arena);
    coif_strbuf_add_number(&text, limit);
    coif_diagnostics_add(reader->diagnostics, location, "%s is %s %s",
                         coif_json_describe(location->json, reader->arena), side, text.data);
}

bool coif_value_number(double *number, const coif_param *param, const coif_json_path *location,
                       const coif_param_reader *reader)
{
    if (location->json->kind != COIF_JSON_NUMBER) {
        const bool single = param->type == COIF_PARAM_FLOAT || param->type == COIF_PARAM_INT;
        if (single) {
            coif_value_type_error(param, location, reader);
        } else {
            coif_diagnostics_add_expected(reader->diagnostics, location, "a number");
        }
        return false;
    }
    const double given = location->json->number;
    const bool integer = param->type == COIF_PARAM_INT;
    if (integer && given != floor(given)) {
        coif_diagnostics_add(reader->diagnostics, location, "%s is not an integer",
                             coif_json_describe(location->json, reader->arena));
        return false;
    }
    const bool bounded = param->low != param->high;
    const double lowest = integer ? INT32_MIN : -FLT_MAX;
    const double highest = integer ? INT32_MAX : FLT_MAX;
    const double low = bounded && param->low > lowest ? param->low : lowest;
    const double high = bounded && param->high < highest ? param->high : highest;
    if (given < low || given > high) {
        add_limit_error(location, given < low ? "below" : "above", given < low ? low : high,
                        reader);
        return false;
    }
    *number = given;
    return true;
}

bool coif_value_three(double numbers[3], const coif_param *param, const coif_json_path *location,
                      const coif_param_reader *reader)
{
    if (location->json->kind != COIF_JSON_ARRAY || location->json->child_count != 3) {
        coif_value_type_error(param, location, reader);
        return false;
    }
    bool valid = true;
    coif_json_path at = {.up = location, .json = location->json->child};
    for (; at.index < 3; ++at.index, at.json = at.json->next) {
        valid = coif_value_number(&numbers[at.index], param, &at, reader) && valid;
    }
    return valid;
}

// A numeric choice may be written as a number: "bits": 16 means "16".
static bool is_choice(const char *choice, const coif_json *given)
{
    if (given->kind == COIF_JSON_STRING) {
        return strcmp(choice, given->text) == 0;
    }
    double number;
    return given->kind == COIF_JSON_NUMBER && coif_param_choice_number(choice, &number) &&
           number == given->number;
}

static bool read_choice(double *number, const coif_param *param, const coif_json_path *location,
                        const coif_param_reader *reader)
{
    const size_t count = coif_param_choice_count(param);
    for (size_t i = 0; i < count; ++i) {
        if (is_choice(param->choices[i], location->json)) {
            *number = (double)i;
            return true;
        }
    }
    const char *present = location->json->kind == COIF_JSON_STRING
                              ? coif_former_choice(param->name, location->json->text)
                              : NULL;
    if (present != NULL) {
        coif_diagnostics_add(reader->diagnostics, location, "\"%s\" was renamed to \"%s\"",
                             location->json->text, present);
        return false;
    }
    if (location->json->kind != COIF_JSON_STRING) {
        coif_value_type_error(param, location, reader);
        return false;
    }
    coif_diagnostics_add_unknown_name(reader->diagnostics, location, "a choice here",
                                      param->choices, count);
    return false;
}

bool coif_value_plain(double numbers[3], const coif_param *param, const coif_json_path *location,
                      const coif_param_reader *reader)
{
    switch (param->type) {
    case COIF_PARAM_FLOAT:
    case COIF_PARAM_INT:
        return coif_value_number(numbers, param, location, reader);
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        return coif_value_three(numbers, param, location, reader);
    case COIF_PARAM_CHOICE:
        return read_choice(numbers, param, location, reader);
    case COIF_PARAM_BOOL:
        if (location->json->kind == COIF_JSON_BOOL) {
            numbers[0] = location->json->number;
            return true;
        }
        break;
    default:
        break;
    }
    coif_value_type_error(param, location, reader);
    return false;
}

void coif_value_single(coif_value *value, const coif_param *param, const coif_json_path *location,
                       const coif_param_reader *reader)
{
    double *numbers = coif_arena_new(reader->arena, 3, double);
    if (coif_value_plain(numbers, param, location, reader)) {
        value->numbers = numbers;
    }
}

const char *coif_value_path(const char *text, const coif_json_path *location,
                            const coif_param_reader *reader)
{
    const char *path = coif_path_join(reader->folder, text, reader->arena);
    // Patterns of one file per frame or UDIM tile are checked by the module that expands them.
    if (strchr(text, '#') == NULL && strstr(text, "<UDIM>") == NULL && !coif_path_exists(path)) {
        coif_diagnostics_add(reader->diagnostics, location, "file not found: %s", path);
    }
    return path;
}
