// value, objects: what is more than a plain value: keys over time, maps, pictures and ramps.
#include "core/base/arena.h"
#include "core/scene/param_value_internal.h"

#include <math.h>
#include <string.h>

// Between whole numbers, switches and names there is nothing that a map could mean.
static bool allows(const coif_param *row, uint32_t flag)
{
    return (row->type == COIF_PARAM_FLOAT || coif_param_is_three(row)) && (row->flags & flag) != 0;
}

static bool allows_texture(const coif_param *row)
{
    return row->type == COIF_PARAM_COLOR && allows(row, COIF_PARAM_MAPPABLE);
}

// An array of pairs whose first numbers rise: keys and ramps. Returns whether its shape is right.
static bool check_pairs(const coif_json_path *where, const char *first, const char *second,
                        const coif_param_reader *reading)
{
    const char *shape =
        coif_arena_print(reading->arena, "an array of pairs [%s, %s]", first, second);
    if (where->json->kind != COIF_JSON_ARRAY || where->json->child_count == 0) {
        coif_diagnostics_add_expected(reading->mistakes, where, shape);
        return false;
    }
    coif_json_path at = {.up = where, .json = where->json->child};
    double previous = -INFINITY;
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        const coif_json *pair = at.json;
        if (pair->kind != COIF_JSON_ARRAY || pair->child_count != 2 ||
            pair->child->kind != COIF_JSON_NUMBER) {
            coif_diagnostics_add_expected(
                reading->mistakes, &at,
                coif_arena_print(reading->arena, "[%s, %s]", first, second));
            return false;
        }
        if (!(pair->child->number > previous)) {
            coif_diagnostics_add(reading->mistakes, &at, "%s %s does not come after the one before",
                                 first, coif_json_describe(pair->child, reading->arena));
            return false;
        }
        previous = pair->child->number;
    }
    return true;
}

static void read_keys(coif_value *value, const coif_param *row, const coif_json_path *where,
                      const coif_param_reader *reading)
{
    if (!check_pairs(where, "frame", "value", reading)) {
        return;
    }
    const int32_t count = where->json->child_count;
    double *frames = coif_arena_new(reading->arena, count, double);
    double *numbers = coif_arena_new(reading->arena, (size_t)count * 3, double);
    bool good = true;
    coif_json_path at = {.up = where, .json = where->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        const coif_json_path second = {.up = &at, .index = 1, .json = at.json->child->next};
        frames[at.index] = at.json->child->number;
        good = coif_value_plain(numbers + 3 * (size_t)at.index, row, &second, reading) && good;
    }
    if (good) {
        value->key_count = count;
        value->frames = frames;
        value->numbers = numbers;
    }
}

static void read_ramp(coif_value *value, const coif_json_path *where,
                      const coif_param_reader *reading)
{
    static const coif_param PLACE = {.type = COIF_PARAM_FLOAT, .low = 0, .high = 1};
    static const coif_param FACTOR = {.type = COIF_PARAM_FLOAT};
    if (!check_pairs(where, "place", "factor", reading)) {
        return;
    }
    const int32_t count = where->json->child_count;
    float *ramp = coif_arena_new(reading->arena, (size_t)count * 2, float);
    bool good = true;
    coif_json_path at = {.up = where, .json = where->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        const coif_json_path first = {.up = &at, .index = 0, .json = at.json->child};
        const coif_json_path second = {.up = &at, .index = 1, .json = at.json->child->next};
        double place = 0, factor = 0;
        good = coif_value_number(&place, &PLACE, &first, reading) && good;
        good = coif_value_number(&factor, &FACTOR, &second, reading) && good;
        ramp[2 * at.index] = (float)place;
        ramp[2 * at.index + 1] = (float)factor;
    }
    if (good) {
        value->ramp_count = count;
        value->ramp = ramp;
    }
}

// What 0 and 1 of a map mean, two numbers or two times three.
static void read_range(coif_value *value, const coif_param *row, const coif_json_path *where,
                       const coif_param_reader *reading)
{
    double range[2][3] = {{0}};
    if (where->json->kind != COIF_JSON_ARRAY || where->json->child_count != 2) {
        coif_diagnostics_add_expected(reading->mistakes, where,
                                      coif_param_is_three(row) ? "an array of 2 arrays of 3 numbers"
                                                               : "an array of 2 numbers");
        return;
    }
    bool good = true;
    coif_json_path at = {.up = where, .json = where->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        good = (coif_param_is_three(row) ? coif_value_three(range[at.index], row, &at, reading)
                                         : coif_value_number(range[at.index], row, &at, reading)) &&
               good;
    }
    if (good) {
        memcpy(value->range, range, sizeof range);
    }
}

static void read_map(coif_value *value, const coif_param *row, const coif_json_path *where,
                     const coif_param_reader *reading)
{
    const coif_json_path at = {
        .up = where, .key = "range", .json = coif_json_find(where->json, "range")};
    const coif_json_path map = {
        .up = where, .key = "map", .json = coif_json_find(where->json, "map")};
    if (map.json->kind != COIF_JSON_STRING) {
        coif_diagnostics_add_expected(reading->mistakes, &map, "the name of a map");
        return;
    }
    value->map = map.json->text;
    value->range[1][0] = 1;
    if (at.json != NULL) {
        read_range(value, row, &at, reading);
    } else if (coif_param_is_three(row)) {
        coif_diagnostics_add(
            reading->mistakes, where,
            "a map needs a \"range\" here: the three numbers that its 0 means, and those "
            "of its 1");
    } else if (row->low != row->high && (row->low > 0 || row->high < 1)) {
        coif_diagnostics_add(reading->mistakes, where,
                             "a map without \"range\" means 0 to 1, which is outside %g to %g",
                             row->low, row->high);
    }
}

static void read_texture(coif_value *value, const coif_json_path *where,
                         const coif_param_reader *reading)
{
    if (where->json->kind != COIF_JSON_STRING || where->json->text[0] == '\0') {
        coif_diagnostics_add_expected(reading->mistakes, where, "a path as a string");
        return;
    }
    value->texture = coif_value_path(where->json->text, where, reading);
}

// Members of {"keys": ...} and its like that no row of this kind may have.
static bool check_members(const coif_param *row, const coif_json_path *where,
                          const coif_param_reader *reading)
{
    enum { VALUE, KEYS, MAP, TEXTURE, RANGE, RAMP, COMMENT, NAMES };
    static const char *const names[NAMES] = {"value", "keys", "map",    "texture",
                                             "range", "ramp", "comment"};
    const int32_t before = reading->mistakes->count;
    int sources = 0;
    for (const coif_json *member = where->json->child; member != NULL; member = member->next) {
        const coif_json_path at = {.up = where, .key = member->key, .json = member};
        int name = 0;
        while (name < NAMES && strcmp(names[name], member->key) != 0) {
            ++name;
        }
        sources += name <= TEXTURE;
        if (name == NAMES) {
            coif_diagnostics_add_unknown_key(reading->mistakes, &at, names, NAMES);
        } else if ((name == MAP || name == RANGE) && !allows(row, COIF_PARAM_MAPPABLE)) {
            coif_diagnostics_add(reading->mistakes, &at, "this value cannot come from a map");
        } else if (name == TEXTURE && !allows_texture(row)) {
            coif_diagnostics_add(reading->mistakes, &at, "this value cannot come from a picture");
        } else if (name == RAMP && !allows(row, COIF_PARAM_RAMP)) {
            coif_diagnostics_add(reading->mistakes, &at, "this value cannot have a ramp");
        } else if (name == COMMENT && member->kind != COIF_JSON_STRING) {
            coif_diagnostics_add_expected(reading->mistakes, &at, "a string");
        }
    }
    if (reading->mistakes->count == before && sources != 1) {
        coif_diagnostics_add(reading->mistakes, where, "wanted one of \"value\", \"keys\"%s%s",
                             allows_texture(row) ? ", \"map\" and \"texture\"" : " and \"map\"",
                             sources > 1 ? ", found more" : "");
    }
    if (reading->mistakes->count == before && coif_json_find(where->json, "range") != NULL &&
        coif_json_find(where->json, "map") == NULL) {
        coif_diagnostics_add(reading->mistakes, where, "\"range\" belongs to a \"map\"");
    }
    return reading->mistakes->count == before;
}

void coif_value_object(coif_value *value, const coif_param *row, const coif_json_path *where,
                       const coif_param_reader *reading)
{
    if (!check_members(row, where, reading)) {
        return;
    }
    coif_json_path at = {.up = where, .key = "ramp", .json = coif_json_find(where->json, "ramp")};
    if (at.json != NULL) {
        read_ramp(value, &at, reading);
    }
    if ((at.json = coif_json_find(where->json, "value")) != NULL) {
        at.key = "value";
        coif_value_single(value, row, &at, reading);
    } else if ((at.json = coif_json_find(where->json, "keys")) != NULL) {
        at.key = "keys";
        read_keys(value, row, &at, reading);
    } else if ((at.json = coif_json_find(where->json, "texture")) != NULL) {
        at.key = "texture";
        read_texture(value, &at, reading);
    } else {
        read_map(value, row, where, reading);
    }
}
