// Parser of parameter values: plain values, value objects (keyframes, maps, ramps...) and texts.
#include "core/scene/param_value.h"

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/scene/former_names.h"
#include "core/scene/texture_value.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_string_list(const coif_param *param)
{
    return param->type == COIF_PARAM_STRING && (param->flags & COIF_PARAM_WORDS) != 0;
}

static bool is_three(const coif_param *param)
{
    return param->type == COIF_PARAM_VEC3 || param->type == COIF_PARAM_COLOR;
}

static const char *expected_text(const coif_param *param, coif_arena *arena)
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
    if (is_string_list(param)) {
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

// Only continuous parameters can be mapped or ramped.
static bool allows(const coif_param *param, uint32_t flag)
{
    return (param->type == COIF_PARAM_FLOAT || is_three(param)) && (param->flags & flag) != 0;
}

// A text in the place of a number is often the file of an image or the name of a map.
static void add_type_error(const coif_param *param, const coif_json_path *location,
                           const coif_param_reader *reader)
{
    const char *expected = expected_text(param, reader->arena);
    if (location->json->kind == COIF_JSON_STRING && allows(param, COIF_PARAM_MAPPABLE)) {
        const bool image = strchr(location->json->text, '.') != NULL;
        expected = coif_arena_print(reader->arena, "%s, or {\"%s\": %s} for %s", expected,
                                    image ? "texture" : "map",
                                    coif_json_describe(location->json, reader->arena),
                                    image ? "an image" : "a map of the groom");
    }
    coif_diagnostics_add_expected(reader->diagnostics, location, expected);
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

// Largest magnitude of a number whose parameter has no range of its own: a million metres for
// coordinates, with which sums and products of coordinates and scales stay far inside a float.
static double largest_of(const coif_param *param)
{
    static const double LARGEST_COORDINATE = 1e6;
    if (param->type == COIF_PARAM_INT) {
        return INT32_MAX;
    }
    const bool coordinate =
        param->low == param->high && param->unit != NULL && strcmp(param->unit, "m") == 0;
    return coordinate ? LARGEST_COORDINATE : FLT_MAX;
}

static bool read_number(double *number, const coif_param *param, const coif_json_path *location,
                        const coif_param_reader *reader)
{
    if (location->json->kind != COIF_JSON_NUMBER) {
        const bool single = param->type == COIF_PARAM_FLOAT || param->type == COIF_PARAM_INT;
        if (single) {
            add_type_error(param, location, reader);
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
    const double highest = largest_of(param), lowest = integer ? INT32_MIN : -highest;
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

static bool read_three(double numbers[3], const coif_param *param, const coif_json_path *location,
                       const coif_param_reader *reader)
{
    if (location->json->kind != COIF_JSON_ARRAY || location->json->child_count != 3) {
        add_type_error(param, location, reader);
        return false;
    }
    bool valid = true;
    coif_json_path at = {.up = location, .json = location->json->child};
    for (; at.index < 3; ++at.index, at.json = at.json->next) {
        valid = read_number(&numbers[at.index], param, &at, reader) && valid;
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
        add_type_error(param, location, reader);
        return false;
    }
    coif_diagnostics_add_unknown_name(reader->diagnostics, location, "a choice here",
                                      param->choices, count);
    return false;
}

static bool read_plain(double numbers[3], const coif_param *param, const coif_json_path *location,
                       const coif_param_reader *reader)
{
    switch (param->type) {
    case COIF_PARAM_FLOAT:
    case COIF_PARAM_INT:
        return read_number(numbers, param, location, reader);
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        return read_three(numbers, param, location, reader);
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
    add_type_error(param, location, reader);
    return false;
}

static void read_single(coif_value *value, const coif_param *param, const coif_json_path *location,
                        const coif_param_reader *reader)
{
    double *numbers = coif_arena_new(reader->arena, 3, double);
    if (read_plain(numbers, param, location, reader)) {
        value->numbers = numbers;
    }
}

static const char *resolve_path(const char *text, const coif_json_path *location,
                                const coif_param_reader *reader)
{
    const char *path = coif_path_join(reader->folder, text, reader->arena);
    // Patterns of one file per frame or UDIM tile are checked by the module that expands them.
    const bool pattern = strchr(text, '#') != NULL || strstr(text, "<UDIM>") != NULL;
    if (!pattern && !coif_path_exists(path)) {
        coif_diagnostics_add(reader->diagnostics, location, "file not found: %s", path);
    } else if (!pattern && coif_path_is_special(path)) {
        coif_diagnostics_add(reader->diagnostics, location,
                             "%s is a device, a pipe or a socket, expected a file", path);
    }
    return path;
}

// Checks an array of pairs with ascending first numbers: keys and ramps.
static bool check_pairs(const coif_json_path *location, const char *first, const char *second,
                        const coif_param_reader *reader)
{
    const char *shape =
        coif_arena_print(reader->arena, "an array of pairs [%s, %s]", first, second);
    if (location->json->kind != COIF_JSON_ARRAY || location->json->child_count == 0) {
        coif_diagnostics_add_expected(reader->diagnostics, location, shape);
        return false;
    }
    coif_json_path at = {.up = location, .json = location->json->child};
    double previous = -INFINITY;
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        const coif_json *pair = at.json;
        if (pair->kind != COIF_JSON_ARRAY || pair->child_count != 2 ||
            pair->child->kind != COIF_JSON_NUMBER) {
            coif_diagnostics_add_expected(
                reader->diagnostics, &at,
                coif_arena_print(reader->arena, "[%s, %s]", first, second));
            return false;
        }
        if (!(pair->child->number > previous)) {
            coif_diagnostics_add(reader->diagnostics, &at, "%s %s is not above the one before",
                                 first, coif_json_describe(pair->child, reader->arena));
            return false;
        }
        previous = pair->child->number;
    }
    return true;
}

static void read_keys(coif_value *value, const coif_param *param, const coif_json_path *location,
                      const coif_param_reader *reader)
{
    if (!check_pairs(location, "frame", "value", reader)) {
        return;
    }
    const int32_t count = location->json->child_count;
    double *frames = coif_arena_new(reader->arena, count, double);
    double *numbers = coif_arena_new(reader->arena, (size_t)count * 3, double);
    bool valid = true;
    coif_json_path at = {.up = location, .json = location->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        const coif_json_path second = {.up = &at, .index = 1, .json = at.json->child->next};
        frames[at.index] = at.json->child->number;
        valid = read_plain(numbers + 3 * (size_t)at.index, param, &second, reader) && valid;
    }
    if (valid) {
        value->key_count = count;
        value->frames = frames;
        value->numbers = numbers;
    }
}

static void read_ramp(coif_value *value, const coif_json_path *location,
                      const coif_param_reader *reader)
{
    static const coif_param POSITION = {.type = COIF_PARAM_FLOAT, .low = 0, .high = 1};
    static const coif_param FACTOR = {.type = COIF_PARAM_FLOAT};
    if (!check_pairs(location, "position", "factor", reader)) {
        return;
    }
    const int32_t count = location->json->child_count;
    float *ramp = coif_arena_new(reader->arena, (size_t)count * 2, float);
    bool valid = true;
    coif_json_path at = {.up = location, .json = location->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        const coif_json_path first = {.up = &at, .index = 0, .json = at.json->child};
        const coif_json_path second = {.up = &at, .index = 1, .json = at.json->child->next};
        double position = 0, factor = 0;
        valid = read_number(&position, &POSITION, &first, reader) && valid;
        valid = read_number(&factor, &FACTOR, &second, reader) && valid;
        ramp[2 * at.index] = (float)position;
        ramp[2 * at.index + 1] = (float)factor;
    }
    if (valid) {
        value->ramp_count = count;
        value->ramp = ramp;
    }
}

// Values for 0 and 1 of a map: two numbers or two vectors.
static void read_range(coif_value *value, const coif_param *param, const coif_json_path *location,
                       const coif_param_reader *reader)
{
    double range[2][3] = {{0}};
    if (location->json->kind != COIF_JSON_ARRAY || location->json->child_count != 2) {
        coif_diagnostics_add_expected(reader->diagnostics, location,
                                      is_three(param) ? "an array of 2 arrays of 3 numbers"
                                                      : "an array of 2 numbers");
        return;
    }
    bool valid = true;
    coif_json_path at = {.up = location, .json = location->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        valid = (is_three(param) ? read_three(range[at.index], param, &at, reader)
                                 : read_number(range[at.index], param, &at, reader)) &&
                valid;
    }
    if (valid) {
        memcpy(value->range, range, sizeof range);
    }
}

static void read_map_range(coif_value *value, const coif_param *param,
                           const coif_json_path *location, const coif_param_reader *reader)
{
    const coif_json_path at = {
        .up = location, .key = "range", .json = coif_json_find(location->json, "range")};
    value->range[1][0] = 1;
    if (at.json != NULL) {
        read_range(value, param, &at, reader);
    } else if (is_three(param)) {
        coif_diagnostics_add(reader->diagnostics, location,
                             "a map of a vector needs a \"range\": the vectors for 0 and for 1");
    } else if (param->low != param->high && (param->low > 0 || param->high < 1)) {
        coif_diagnostics_add(reader->diagnostics, location,
                             "a map without \"range\" is 0 to 1, which is outside %g to %g",
                             param->low, param->high);
    }
}

static void read_map(coif_value *value, const coif_param *param, const coif_json_path *location,
                     const coif_param_reader *reader)
{
    const coif_json_path map = {
        .up = location, .key = "map", .json = coif_json_find(location->json, "map")};
    if (map.json->kind != COIF_JSON_STRING) {
        coif_diagnostics_add_expected(reader->diagnostics, &map, "the name of a map");
        return;
    }
    value->map = map.json->text;
    read_map_range(value, param, location, reader);
}

// The colour of a texture, or the name of the anonymous map that samples it.
static void read_texture(coif_value *value, const coif_param *param, const coif_json_path *location,
                         const coif_param_reader *reader)
{
    const coif_json_path at = {
        .up = location, .key = "texture", .json = coif_json_find(location->json, "texture")};
    if (at.json->kind != COIF_JSON_STRING || at.json->text[0] == '\0') {
        coif_diagnostics_add_expected(reader->diagnostics, &at, "a path as a string");
        return;
    }
    const int32_t errors_before = reader->diagnostics->count;
    const char *path = resolve_path(at.json->text, &at, reader);
    if (param->type == COIF_PARAM_COLOR) {
        value->texture = path;
    } else if (reader->diagnostics->count == errors_before) {
        value->map = coif_texture_map_name(location, reader->arena);
        read_map_range(value, param, location, reader);
    }
}

// Checks the members of a value object against the kind of the parameter.
static bool check_members(const coif_param *param, const coif_json_path *location,
                          const coif_param_reader *reader)
{
    enum { VALUE, KEYS, MAP, TEXTURE, RANGE, RAMP, COMMENT, NAMES };
    static const char *const names[NAMES] = {"value", "keys", "map",    "texture",
                                             "range", "ramp", "comment"};
    const int32_t errors_before = reader->diagnostics->count;
    const bool textured = coif_json_find(location->json, "texture") != NULL;
    int sources = 0;
    for (const coif_json *member = location->json->child; member != NULL; member = member->next) {
        const coif_json_path at = {.up = location, .key = member->key, .json = member};
        int name = 0;
        while (name < NAMES && strcmp(names[name], member->key) != 0) {
            ++name;
        }
        sources += name <= TEXTURE;
        // Other members beside the texture of a number are parameters of its map, see
        // texture_maps.c.
        if (name == NAMES && !(textured && param->type != COIF_PARAM_COLOR)) {
            coif_diagnostics_add_unknown_key(reader->diagnostics, &at, names, NAMES);
        } else if ((name == MAP || name == RANGE || name == TEXTURE) &&
                   !allows(param, COIF_PARAM_MAPPABLE)) {
            coif_diagnostics_add(reader->diagnostics, &at, "this value cannot come from a %s",
                                 name == TEXTURE ? "texture" : "map");
        } else if (name == RAMP && !allows(param, COIF_PARAM_RAMP)) {
            coif_diagnostics_add(reader->diagnostics, &at, "this value cannot have a ramp");
        } else if (name == KEYS && (param->flags & COIF_PARAM_CONSTANT) != 0) {
            coif_diagnostics_add(reader->diagnostics, &at,
                                 "%s cannot have keys: it is constant over time", param->name);
        } else if (name == COMMENT && member->kind != COIF_JSON_STRING) {
            coif_diagnostics_add_expected(reader->diagnostics, &at, "a string");
        }
    }
    if (reader->diagnostics->count == errors_before && sources != 1) {
        coif_diagnostics_add(reader->diagnostics, location, "expected one of \"value\"%s%s",
                             allows(param, COIF_PARAM_MAPPABLE)
                                 ? ", \"keys\", \"map\" and \"texture\""
                                 : " and \"keys\"",
                             sources > 1 ? ", found several" : "");
    }
    if (reader->diagnostics->count == errors_before &&
        coif_json_find(location->json, "range") != NULL &&
        coif_json_find(location->json, "map") == NULL &&
        (!textured || param->type == COIF_PARAM_COLOR)) {
        coif_diagnostics_add(reader->diagnostics, location,
                             "\"range\" belongs to a \"map\" or to the \"texture\" of a number");
    }
    return reader->diagnostics->count == errors_before;
}

static void read_object(coif_value *value, const coif_param *param, const coif_json_path *location,
                        const coif_param_reader *reader)
{
    if (!check_members(param, location, reader)) {
        return;
    }
    coif_json_path at = {
        .up = location, .key = "ramp", .json = coif_json_find(location->json, "ramp")};
    if (at.json != NULL) {
        read_ramp(value, &at, reader);
    }
    if ((at.json = coif_json_find(location->json, "value")) != NULL) {
        at.key = "value";
        read_single(value, param, &at, reader);
    } else if ((at.json = coif_json_find(location->json, "keys")) != NULL) {
        at.key = "keys";
        read_keys(value, param, &at, reader);
    } else if (coif_json_find(location->json, "texture") != NULL) {
        read_texture(value, param, location, reader);
    } else {
        read_map(value, param, location, reader);
    }
}

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
    if (location->json->kind == COIF_JSON_ARRAY && is_string_list(param)) {
        read_string_list(value, location, reader);
        return;
    }
    const char *text = location->json->text;
    if (location->json->kind == COIF_JSON_NUMBER && override_text(location->json) != NULL) {
        text = override_text(location->json);
    } else if (location->json->kind != COIF_JSON_STRING) {
        add_type_error(param, location, reader);
        return;
    }
    value->text = text;
    if (param->type == COIF_PARAM_STRING || text[0] == '\0') {
        return;
    }
    value->text = resolve_path(text, location, reader);
}

void coif_value_read(coif_value *value, const coif_param *param, const coif_json_path *location,
                     const coif_param_reader *reader)
{
    value->given = true;
    value->preset = NULL;
    value->source = location->json;
    if (is_text(param)) {
        read_text(value, param, location, reader);
    } else if (location->json->kind == COIF_JSON_OBJECT) {
        read_object(value, param, location, reader);
    } else {
        read_single(value, param, location, reader);
    }
}
