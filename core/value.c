#include "core/value.h"

#include "core/arena.h"
#include "core/fs.h"

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

static bool is_three(const coif_param *row)
{
    return row->type == COIF_PARAM_VEC3 || row->type == COIF_PARAM_COLOR;
}

// Between whole numbers, switches and names there is nothing that a map could mean.
static bool allows(const coif_param *row, uint32_t flag)
{
    return (row->type == COIF_PARAM_FLOAT || is_three(row)) && (row->flags & flag) != 0;
}

static bool allows_texture(const coif_param *row)
{
    return row->type == COIF_PARAM_COLOR && allows(row, COIF_PARAM_MAPPABLE);
}

const char *coif_param_wanted(const coif_param *row, coif_arena *arena)
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
    coif_text text;
    coif_text_init(&text, arena);
    const bool known = row->type >= COIF_PARAM_FLOAT && row->type <= COIF_PARAM_STRING;
    coif_text_add(&text, known ? names[row->type] : "a type this build does not know");
    if (is_words(row)) {
        coif_text_add(&text, " or an array of strings");
    }
    if (row->type == COIF_PARAM_CHOICE) {
        coif_text_add_names(&text, row->choices, coif_param_choice_count(row), 20);
    }
    if (row->unit != NULL && row->unit[0] != '\0') {
        coif_text_print(&text, " in %s", row->unit);
    }
    return text.data;
}

static void mistake_type(const coif_param *row, const coif_where *where,
                         const coif_reading *reading)
{
    coif_mistake_wanted(reading->mistakes, where, coif_param_wanted(row, reading->arena));
}

static void mistake_limit(const coif_where *where, const char *side, double limit,
                          const coif_reading *reading)
{
    coif_text text;
    coif_text_init(&text, reading->arena);
    coif_text_add_number(&text, limit);
    coif_mistake(reading->mistakes, where, "%s is %s %s",
                 coif_json_describe(where->json, reading->arena), side, text.data);
}

// One number within the row's limits and those of the field it will be kept in.
static bool read_number(double *number, const coif_param *row, const coif_where *where,
                        const coif_reading *reading)
{
    if (where->json->kind != COIF_JSON_NUMBER) {
        const bool single = row->type == COIF_PARAM_FLOAT || row->type == COIF_PARAM_INT;
        if (single) {
            mistake_type(row, where, reading);
        } else {
            coif_mistake_wanted(reading->mistakes, where, "a number");
        }
        return false;
    }
    const double given = where->json->number;
    const bool whole = row->type == COIF_PARAM_INT;
    if (whole && given != floor(given)) {
        coif_mistake(reading->mistakes, where, "%s is not a whole number",
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

static bool read_three(double numbers[3], const coif_param *row, const coif_where *where,
                       const coif_reading *reading)
{
    if (where->json->kind != COIF_JSON_ARRAY || where->json->child_count != 3) {
        mistake_type(row, where, reading);
        return false;
    }
    bool good = true;
    coif_where at = {.up = where, .json = where->json->child};
    for (; at.index < 3; ++at.index, at.json = at.json->next) {
        good = read_number(&numbers[at.index], row, &at, reading) && good;
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

static bool read_choice(double *number, const coif_param *row, const coif_where *where,
                        const coif_reading *reading)
{
    const size_t count = coif_param_choice_count(row);
    for (size_t i = 0; i < count; ++i) {
        if (is_choice(row->choices[i], where->json)) {
            *number = (double)i;
            return true;
        }
    }
    if (where->json->kind != COIF_JSON_STRING) {
        mistake_type(row, where, reading);
        return false;
    }
    coif_mistake_name(reading->mistakes, where, "a choice here", row->choices, count);
    return false;
}

// A plain value of any row that is kept in numbers.
static bool read_plain(double numbers[3], const coif_param *row, const coif_where *where,
                       const coif_reading *reading)
{
    switch (row->type) {
    case COIF_PARAM_FLOAT:
    case COIF_PARAM_INT:
        return read_number(numbers, row, where, reading);
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        return read_three(numbers, row, where, reading);
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

static void read_single(coif_value *value, const coif_param *row, const coif_where *where,
                        const coif_reading *reading)
{
    double *numbers = coif_arena_new(reading->arena, 3, double);
    if (read_plain(numbers, row, where, reading)) {
        value->numbers = numbers;
    }
}

// An array of words becomes the text that has them with spaces between.
static void read_words(coif_value *value, const coif_where *where, const coif_reading *reading)
{
    coif_text text;
    coif_text_init(&text, reading->arena);
    bool good = true;
    coif_where at = {.up = where, .json = where->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        if (at.json->kind != COIF_JSON_STRING) {
            coif_mistake_wanted(reading->mistakes, &at, "a string");
            good = false;
        } else {
            coif_text_print(&text, "%s%s", at.index > 0 ? " " : "", at.json->text);
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

static const char *resolve(const char *text, const coif_where *where, const coif_reading *reading)
{
    const char *path = coif_path_join(reading->folder, text, reading->arena);
    // A pattern of one file per frame or tile is looked at by the room that knows those.
    if (strchr(text, '#') == NULL && strstr(text, "<UDIM>") == NULL && !coif_path_exists(path)) {
        coif_mistake(reading->mistakes, where, "file not found: %s", path);
    }
    return path;
}

static void read_text(coif_value *value, const coif_param *row, const coif_where *where,
                      const coif_reading *reading)
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
    value->text = resolve(text, where, reading);
}

// An array of pairs whose first numbers rise: keys and ramps. Returns whether its shape is right.
static bool check_pairs(const coif_where *where, const char *first, const char *second,
                        const coif_reading *reading)
{
    const char *shape =
        coif_arena_print(reading->arena, "an array of pairs [%s, %s]", first, second);
    if (where->json->kind != COIF_JSON_ARRAY || where->json->child_count == 0) {
        coif_mistake_wanted(reading->mistakes, where, shape);
        return false;
    }
    coif_where at = {.up = where, .json = where->json->child};
    double previous = -INFINITY;
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        const coif_json *pair = at.json;
        if (pair->kind != COIF_JSON_ARRAY || pair->child_count != 2 ||
            pair->child->kind != COIF_JSON_NUMBER) {
            coif_mistake_wanted(reading->mistakes, &at,
                                coif_arena_print(reading->arena, "[%s, %s]", first, second));
            return false;
        }
        if (!(pair->child->number > previous)) {
            coif_mistake(reading->mistakes, &at, "%s %s does not come after the one before", first,
                         coif_json_describe(pair->child, reading->arena));
            return false;
        }
        previous = pair->child->number;
    }
    return true;
}

static void read_keys(coif_value *value, const coif_param *row, const coif_where *where,
                      const coif_reading *reading)
{
    if (!check_pairs(where, "frame", "value", reading)) {
        return;
    }
    const int32_t count = where->json->child_count;
    double *frames = coif_arena_new(reading->arena, count, double);
    double *numbers = coif_arena_new(reading->arena, (size_t)count * 3, double);
    bool good = true;
    coif_where at = {.up = where, .json = where->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        const coif_where second = {.up = &at, .index = 1, .json = at.json->child->next};
        frames[at.index] = at.json->child->number;
        good = read_plain(numbers + 3 * (size_t)at.index, row, &second, reading) && good;
    }
    if (good) {
        value->key_count = count;
        value->frames = frames;
        value->numbers = numbers;
    }
}

static void read_ramp(coif_value *value, const coif_where *where, const coif_reading *reading)
{
    static const coif_param PLACE = {.type = COIF_PARAM_FLOAT, .low = 0, .high = 1};
    static const coif_param FACTOR = {.type = COIF_PARAM_FLOAT};
    if (!check_pairs(where, "place", "factor", reading)) {
        return;
    }
    const int32_t count = where->json->child_count;
    float *ramp = coif_arena_new(reading->arena, (size_t)count * 2, float);
    bool good = true;
    coif_where at = {.up = where, .json = where->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        const coif_where first = {.up = &at, .index = 0, .json = at.json->child};
        const coif_where second = {.up = &at, .index = 1, .json = at.json->child->next};
        double place = 0, factor = 0;
        good = read_number(&place, &PLACE, &first, reading) && good;
        good = read_number(&factor, &FACTOR, &second, reading) && good;
        ramp[2 * at.index] = (float)place;
        ramp[2 * at.index + 1] = (float)factor;
    }
    if (good) {
        value->ramp_count = count;
        value->ramp = ramp;
    }
}

// What 0 and 1 of a map mean, two numbers or two times three.
static void read_range(coif_value *value, const coif_param *row, const coif_where *where,
                       const coif_reading *reading)
{
    double range[2][3] = {{0}};
    if (where->json->kind != COIF_JSON_ARRAY || where->json->child_count != 2) {
        coif_mistake_wanted(reading->mistakes, where,
                            is_three(row) ? "an array of 2 arrays of 3 numbers"
                                          : "an array of 2 numbers");
        return;
    }
    bool good = true;
    coif_where at = {.up = where, .json = where->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        good = (is_three(row) ? read_three(range[at.index], row, &at, reading)
                              : read_number(range[at.index], row, &at, reading)) &&
               good;
    }
    if (good) {
        memcpy(value->range, range, sizeof range);
    }
}

static void read_map(coif_value *value, const coif_param *row, const coif_where *where,
                     const coif_reading *reading)
{
    const coif_where at = {
        .up = where, .key = "range", .json = coif_json_find(where->json, "range")};
    const coif_where map = {.up = where, .key = "map", .json = coif_json_find(where->json, "map")};
    if (map.json->kind != COIF_JSON_STRING) {
        coif_mistake_wanted(reading->mistakes, &map, "the name of a map");
        return;
    }
    value->map = map.json->text;
    value->range[1][0] = 1;
    if (at.json != NULL) {
        read_range(value, row, &at, reading);
    } else if (is_three(row)) {
        coif_mistake(reading->mistakes, where,
                     "a map needs a \"range\" here: the three numbers that its 0 means, and those "
                     "of its 1");
    } else if (row->low != row->high && (row->low > 0 || row->high < 1)) {
        coif_mistake(reading->mistakes, where,
                     "a map without \"range\" means 0 to 1, which is outside %g to %g", row->low,
                     row->high);
    }
}

static void read_texture(coif_value *value, const coif_where *where, const coif_reading *reading)
{
    if (where->json->kind != COIF_JSON_STRING || where->json->text[0] == '\0') {
        coif_mistake_wanted(reading->mistakes, where, "a path as a string");
        return;
    }
    value->texture = resolve(where->json->text, where, reading);
}

// Members of {"keys": ...} and its like that no row of this kind may have.
static bool check_members(const coif_param *row, const coif_where *where,
                          const coif_reading *reading)
{
    enum { VALUE, KEYS, MAP, TEXTURE, RANGE, RAMP, COMMENT, NAMES };
    static const char *const names[NAMES] = {"value", "keys", "map",    "texture",
                                             "range", "ramp", "comment"};
    const int32_t before = reading->mistakes->count;
    int sources = 0;
    for (const coif_json *member = where->json->child; member != NULL; member = member->next) {
        const coif_where at = {.up = where, .key = member->key, .json = member};
        int name = 0;
        while (name < NAMES && strcmp(names[name], member->key) != 0) {
            ++name;
        }
        sources += name <= TEXTURE;
        if (name == NAMES) {
            coif_mistake_key(reading->mistakes, &at, names, NAMES);
        } else if ((name == MAP || name == RANGE) && !allows(row, COIF_PARAM_MAPPABLE)) {
            coif_mistake(reading->mistakes, &at, "this value cannot come from a map");
        } else if (name == TEXTURE && !allows_texture(row)) {
            coif_mistake(reading->mistakes, &at, "this value cannot come from a picture");
        } else if (name == RAMP && !allows(row, COIF_PARAM_RAMP)) {
            coif_mistake(reading->mistakes, &at, "this value cannot have a ramp");
        } else if (name == COMMENT && member->kind != COIF_JSON_STRING) {
            coif_mistake_wanted(reading->mistakes, &at, "a string");
        }
    }
    if (reading->mistakes->count == before && sources != 1) {
        coif_mistake(reading->mistakes, where, "wanted one of \"value\", \"keys\"%s%s",
                     allows_texture(row) ? ", \"map\" and \"texture\"" : " and \"map\"",
                     sources > 1 ? ", found more" : "");
    }
    if (reading->mistakes->count == before && coif_json_find(where->json, "range") != NULL &&
        coif_json_find(where->json, "map") == NULL) {
        coif_mistake(reading->mistakes, where, "\"range\" belongs to a \"map\"");
    }
    return reading->mistakes->count == before;
}

static void read_object(coif_value *value, const coif_param *row, const coif_where *where,
                        const coif_reading *reading)
{
    if (!check_members(row, where, reading)) {
        return;
    }
    coif_where at = {.up = where, .key = "ramp", .json = coif_json_find(where->json, "ramp")};
    if (at.json != NULL) {
        read_ramp(value, &at, reading);
    }
    if ((at.json = coif_json_find(where->json, "value")) != NULL) {
        at.key = "value";
        read_single(value, row, &at, reading);
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

void coif_value_read(coif_value *value, const coif_param *row, const coif_where *where,
                     const coif_reading *reading)
{
    value->given = true;
    value->source = where->json;
    if (is_text(row)) {
        read_text(value, row, where, reading);
    } else if (where->json->kind == COIF_JSON_OBJECT) {
        read_object(value, row, where, reading);
    } else {
        read_single(value, row, where, reading);
    }
}
