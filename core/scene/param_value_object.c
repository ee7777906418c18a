// Parser of value objects: keyframes, maps, textures and ramps.
#include "core/scene/param_value_object.h"

#include "core/base/arena.h"

#include <math.h>
#include <string.h>

// Only continuous parameters can be mapped or ramped.
static bool allows(const coif_param *param, uint32_t flag)
{
    return (param->type == COIF_PARAM_FLOAT || coif_param_is_three(param)) &&
           (param->flags & flag) != 0;
}

static bool allows_texture(const coif_param *param)
{
    return param->type == COIF_PARAM_COLOR && allows(param, COIF_PARAM_MAPPABLE);
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
        valid = coif_value_plain(numbers + 3 * (size_t)at.index, param, &second, reader) && valid;
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
        valid = coif_value_number(&position, &POSITION, &first, reader) && valid;
        valid = coif_value_number(&factor, &FACTOR, &second, reader) && valid;
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
                                      coif_param_is_three(param)
                                          ? "an array of 2 arrays of 3 numbers"
                                          : "an array of 2 numbers");
        return;
    }
    bool valid = true;
    coif_json_path at = {.up = location, .json = location->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        valid =
            (coif_param_is_three(param) ? coif_value_three(range[at.index], param, &at, reader)
                                        : coif_value_number(range[at.index], param, &at, reader)) &&
            valid;
    }
    if (valid) {
        memcpy(value->range, range, sizeof range);
    }
}

static void read_map(coif_value *value, const coif_param *param, const coif_json_path *location,
                     const coif_param_reader *reader)
{
    const coif_json_path at = {
        .up = location, .key = "range", .json = coif_json_find(location->json, "range")};
    const coif_json_path map = {
        .up = location, .key = "map", .json = coif_json_find(location->json, "map")};
    if (map.json->kind != COIF_JSON_STRING) {
        coif_diagnostics_add_expected(reader->diagnostics, &map, "the name of a map");
        return;
    }
    value->map = map.json->text;
    value->range[1][0] = 1;
    if (at.json != NULL) {
        read_range(value, param, &at, reader);
    } else if (coif_param_is_three(param)) {
        coif_diagnostics_add(reader->diagnostics, location,
                             "a map of a vector needs a \"range\": the vectors for 0 and for 1");
    } else if (param->low != param->high && (param->low > 0 || param->high < 1)) {
        coif_diagnostics_add(reader->diagnostics, location,
                             "a map without \"range\" is 0 to 1, which is outside %g to %g",
                             param->low, param->high);
    }
}

static void read_texture(coif_value *value, const coif_json_path *location,
                         const coif_param_reader *reader)
{
    if (location->json->kind != COIF_JSON_STRING || location->json->text[0] == '\0') {
        coif_diagnostics_add_expected(reader->diagnostics, location, "a path as a string");
        return;
    }
    value->texture = coif_value_path(location->json->text, location, reader);
}

// Checks the members of a value object against the kind of the parameter.
static bool check_members(const coif_param *param, const coif_json_path *location,
                          const coif_param_reader *reader)
{
    enum { VALUE, KEYS, MAP, TEXTURE, RANGE, RAMP, COMMENT, NAMES };
    static const char *const names[NAMES] = {"value", "keys", "map",    "texture",
                                             "range", "ramp", "comment"};
    const int32_t errors_before = reader->diagnostics->count;
    int sources = 0;
    for (const coif_json *member = location->json->child; member != NULL; member = member->next) {
        const coif_json_path at = {.up = location, .key = member->key, .json = member};
        int name = 0;
        while (name < NAMES && strcmp(names[name], member->key) != 0) {
            ++name;
        }
        sources += name <= TEXTURE;
        if (name == NAMES) {
            coif_diagnostics_add_unknown_key(reader->diagnostics, &at, names, NAMES);
        } else if ((name == MAP || name == RANGE) && !allows(param, COIF_PARAM_MAPPABLE)) {
            coif_diagnostics_add(reader->diagnostics, &at, "this value cannot come from a map");
        } else if (name == TEXTURE && !allows_texture(param)) {
            coif_diagnostics_add(reader->diagnostics, &at, "this value cannot come from a texture");
        } else if (name == RAMP && !allows(param, COIF_PARAM_RAMP)) {
            coif_diagnostics_add(reader->diagnostics, &at, "this value cannot have a ramp");
        } else if (name == COMMENT && member->kind != COIF_JSON_STRING) {
            coif_diagnostics_add_expected(reader->diagnostics, &at, "a string");
        }
    }
    if (reader->diagnostics->count == errors_before && sources != 1) {
        coif_diagnostics_add(reader->diagnostics, location,
                             "expected one of \"value\", \"keys\"%s%s",
                             allows_texture(param) ? ", \"map\" and \"texture\"" : " and \"map\"",
                             sources > 1 ? ", found several" : "");
    }
    if (reader->diagnostics->count == errors_before &&
        coif_json_find(location->json, "range") != NULL &&
        coif_json_find(location->json, "map") == NULL) {
        coif_diagnostics_add(reader->diagnostics, location, "\"range\" belongs to a \"map\"");
    }
    return reader->diagnostics->count == errors_before;
}

void coif_value_object(coif_value *value, const coif_param *param, const coif_json_path *location,
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
        coif_value_single(value, param, &at, reader);
    } else if ((at.json = coif_json_find(location->json, "keys")) != NULL) {
        at.key = "keys";
        read_keys(value, param, &at, reader);
    } else if ((at.json = coif_json_find(location->json, "texture")) != NULL) {
        at.key = "texture";
        read_texture(value, &at, reader);
    } else {
        read_map(value, param, location, reader);
    }
}
