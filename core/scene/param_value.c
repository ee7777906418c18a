// Parser of parameter values: texts, paths and dispatch by form.
#include "core/scene/param_value.h"

#include "core/base/arena.h"
#include "core/scene/param_value_object.h"

#include <string.h>

static bool is_text(const coif_param *param)
{
    return param->type == COIF_PARAM_PATH || param->type == COIF_PARAM_STRING;
}

// Joins an array of strings with spaces.
static void read_string_list(coif_value *value, const coif_json_path *location,
                             const coif_param_reader *reader)
{
    coif_strbuf text;
    coif_strbuf_init(&text, reader->arena);
    bool valid = true;
    coif_json_path at = {.up = location, .json = location->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        if (at.json->kind != COIF_JSON_STRING) {
            coif_diagnostics_add_expected(reader->diagnostics, &at, "a string");
            valid = false;
        } else {
            coif_strbuf_print(&text, "%s%s", at.index > 0 ? " " : "", at.json->text);
        }
    }
    value->text = valid ? text.data : NULL;
}

// Text after the = of a --set; NULL for values inside an array or object. Shells remove quotes, so
// a string parameter may get a number here.
static const char *override_text(const coif_json *json)
{
    const char *equals = json->origin != NULL ? strchr(json->origin, '=') : NULL;
    return equals != NULL && equals[1] != '{' && equals[1] != '[' ? equals + 1 : NULL;
}

static void read_text(coif_value *value, const coif_param *param, const coif_json_path *location,
                      const coif_param_reader *reader)
{
    if (location->json->kind == COIF_JSON_ARRAY && coif_param_is_string_list(param)) {
        read_string_list(value, location, reader);
        return;
    }
    const char *text = location->json->text;
    if (location->json->kind == COIF_JSON_NUMBER && override_text(location->json) != NULL) {
        text = override_text(location->json);
    } else if (location->json->kind != COIF_JSON_STRING) {
        coif_value_type_error(param, location, reader);
        return;
    }
    value->text = text;
    if (param->type == COIF_PARAM_STRING || text[0] == '\0') {
        return;
    }
    value->text = coif_value_path(text, location, reader);
}

void coif_value_read(coif_value *value, const coif_param *param, const coif_json_path *location,
                     const coif_param_reader *reader)
{
    value->given = true;
    value->source = location->json;
    if (is_text(param)) {
        read_text(value, param, location, reader);
    } else if (location->json->kind == COIF_JSON_OBJECT) {
        coif_value_object(value, param, location, reader);
    } else {
        coif_value_single(value, param, location, reader);
    }
}
