// Parameter values: every type in every form, valid and invalid.
#include "core/scene/params.h"

#include "core/base/fs.h"
#include "core/scene/param_value.h"
#include "tests/support/test.h"

typedef struct fake_params {
    float width;
    int32_t steps;
    int32_t enabled;
    float offset[3];
    float tint[3];
    int32_t method;
    const char *file;
    const char *name;
    float angle;
    float curl;
    float push[3];
    float dye[3];
} fake_params;

static const char *const METHODS[] = {"slow", "fast", "fastest", NULL};

// clang-format off
static const coif_param ROWS[] = {
    COIF_PARAM_ROW(fake_params, width, COIF_PARAM_FLOAT, "width", "m", 0.25, 0, 1),
    COIF_PARAM_ROW(fake_params, steps, COIF_PARAM_INT, "steps", "", 4, 1, 100),
    COIF_PARAM_ROW(fake_params, enabled, COIF_PARAM_BOOL, "switch", "", 1, 0, 1),
    COIF_PARAM_ROW3(fake_params, offset, COIF_PARAM_VEC3, "offset", "m", 1, 2, 3, -10, 10),
    COIF_PARAM_ROW3(fake_params, tint, COIF_PARAM_COLOR, "tint", "", 0.5, 0.25, 0, 0, 1),
    {.name = "method", .help = "method", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(fake_params, method), .fallback = {1}, .choices = METHODS},
    COIF_PARAM_ROW(fake_params, file, COIF_PARAM_PATH, "file", "", 0, 0, 0),
    COIF_PARAM_ROW(fake_params, name, COIF_PARAM_STRING, "name", "", 0, 0, 0),
    COIF_PARAM_ROW(fake_params, angle, COIF_PARAM_FLOAT, "unbounded", "deg", 45, 0, 0),
    {.name = "curl", .help = "both", .unit = "m", .type = COIF_PARAM_FLOAT,
     .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, .offset = offsetof(fake_params, curl),
     .fallback = {0.01}, .low = 0, .high = 0.5},
    {.name = "push", .help = "three", .unit = "N", .type = COIF_PARAM_VEC3,
     .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, .offset = offsetof(fake_params, push),
     .low = -2, .high = 2},
    {.name = "dye", .help = "colour", .unit = "", .type = COIF_PARAM_COLOR,
     .flags = COIF_PARAM_MAPPABLE, .offset = offsetof(fake_params, dye),
     .fallback = {0.5, 0.25, 0.125}, .low = 0, .high = 1},
};
// clang-format on

static coif_arena arena = {.name = "test"};
static coif_values values;
static coif_diagnostics diagnostics;

// Gives one row a value; messages name the row as the path.
static const coif_value *give(const char *name, const char *text)
{
    coif_values_init(&values, ROWS, COIF_COUNT_OF(ROWS), &arena);
    coif_diagnostics_init(&diagnostics, "s.json", &arena);
    coif_error error = {0};
    coif_json *json = NULL;
    CHECK_OK(coif_json_parse(&json, "text", text, strlen(text), &arena, &error), error);
    const coif_param_reader reader = {&diagnostics, coif_test_folder(), &arena};
    const coif_json_path root = {.key = ""};
    const coif_json_path where = {.up = &root, .key = name, .json = json};
    for (uint32_t i = 0; i < values.row_count; ++i) {
        if (strcmp(ROWS[i].name, name) == 0) {
            coif_value_read(&values.values[i], &ROWS[i], &where, &reader);
            return &values.values[i];
        }
    }
    CHECK(!"there is such a row");
    return NULL;
}

static fake_params at(double frame)
{
    fake_params params;
    memset(&params, 0x5a, sizeof params); // every field must be written
    coif_values_at(&values, frame, &params);
    return params;
}

static void good(const char *name, const char *text)
{
    give(name, text);
    if (diagnostics.count != 0) {
        coif_test_failed(__FILE__, __LINE__, "%s %s: %s", name, text, diagnostics.lines.data);
    }
}

// Exactly these lines, without the file's name.
static void bad(const char *name, const char *text, const char *wanted)
{
    give(name, text);
    const char *line = diagnostics.lines.data;
    const size_t prefix = strlen("s.json: ");
    CHECK(diagnostics.count > 0);
    CHECK_TEXT(strlen(line) > prefix ? line + prefix : "", wanted);
    // Invalid values leave the default unchanged.
    const fake_params params = at(1);
    CHECK(params.width == 0.25f && params.steps == 4 && params.method == 1);
    CHECK(params.offset[0] == 1 && params.offset[2] == 3 && params.tint[1] == 0.25f);
}

TEST(defaults_fill_every_field)
{
    coif_values_init(&values, ROWS, COIF_COUNT_OF(ROWS), &arena);
    const fake_params params = at(1);
    CHECK(params.width == 0.25f && params.steps == 4 && params.enabled == 1);
    CHECK(params.offset[0] == 1 && params.offset[1] == 2 && params.offset[2] == 3);
    CHECK(params.tint[0] == 0.5f && params.tint[1] == 0.25f && params.tint[2] == 0);
    CHECK(params.method == 1 && params.angle == 45 && params.curl == 0.01f);
    CHECK_TEXT(params.file, "");
    CHECK_TEXT(params.name, "");
    CHECK(!coif_params_are_animated(&values));
    CHECK(!coif_values_find(&values, "width")->given);
    CHECK(coif_values_find(&values, "nothing") == NULL);
}

TEST(plain_values_are_read)
{
    good("width", "0.5");
    CHECK(at(7).width == 0.5f && coif_values_find(&values, "width")->given);
    good("steps", "12.0");
    CHECK(at(7).steps == 12);
    good("enabled", "false");
    CHECK(at(7).enabled == 0);
    good("offset", "[-1, 0.5, 10]");
    CHECK(at(7).offset[0] == -1 && at(7).offset[1] == 0.5f && at(7).offset[2] == 10);
    good("tint", "[0, 1, 0.75]");
    CHECK(at(7).tint[0] == 0 && at(7).tint[1] == 1 && at(7).tint[2] == 0.75f);
    good("method", "\"fastest\"");
    CHECK(at(7).method == 2);
    good("name", "\"Bob\"");
    CHECK_TEXT(at(7).name, "Bob");
    good("angle", "-1000");
    CHECK(at(7).angle == -1000);
    good("width", "{\"value\": 1, \"comment\": \"why\"}");
    CHECK(at(7).width == 1);
}

TEST(limits_are_inclusive)
{
    good("width", "0");
    good("width", "1");
    bad("width", "1.4", "/width: 1.4 is above 1");
    bad("width", "-1e-9", "/width: -1e-09 is below 0");
    bad("steps", "0", "/steps: 0 is below 1");
    bad("offset", "[0, 11, -11]", "/offset/1: 11 is above 10\ns.json: /offset/2: -11 is below -10");
    bad("angle", "1e300", "/angle: 1e+300 is above 3.4028234663852886e+38");
    bad("tint", "[2, 0, 0]", "/tint/0: 2 is above 1");
}

TEST(wrong_types_report_the_expected_type)
{
    bad("width", "\"wide\"", "/width: found \"wide\", expected a number in m");
    bad("width", "null", "/width: found null, expected a number in m");
    bad("width", "[1]", "/width: found an array of 1, expected a number in m");
    bad("steps", "1.5", "/steps: 1.5 is not an integer");
    bad("steps", "true", "/steps: found true, expected an integer");
    bad("enabled", "1", "/enabled: found 1, expected true or false");
    bad("offset", "[1, 2]", "/offset: found an array of 2, expected an array of 3 numbers in m");
    bad("offset", "[1, \"x\", 3]", "/offset/1: found \"x\", expected a number");
    bad("tint", "\"#ff0000\"",
        "/tint: found \"#ff0000\", expected an array of 3 numbers (linear red, green, blue)");
    bad("method", "2", "/method: found 2, expected one of \"slow\", \"fast\", \"fastest\"");
    bad("method", "\"fats\"",
        "/method: \"fats\" is not a choice here, did you mean \"fast\"? (known: \"slow\", "
        "\"fast\", \"fastest\")");
    bad("method", "\"quantum\"",
        "/method: \"quantum\" is not a choice here (known: \"slow\", \"fast\", \"fastest\")");
    bad("name", "12", "/name: found 12, expected a string");
    bad("name", "{\"value\": \"x\"}", "/name: found an object, expected a string");
    bad("file", "false", "/file: found false, expected a path as a string");
}

TEST(keys_are_interpolated_linearly_and_clamped)
{
    good("width", "{\"keys\": [[1, 0.5], [3, 1], [11, 0]]}");
    CHECK(coif_params_are_animated(&values));
    CHECK(at(-5).width == 0.5f && at(1).width == 0.5f && at(3).width == 1 && at(11).width == 0);
    CHECK(at(100).width == 0);
    CHECK_NEAR(at(2).width, 0.75, 1e-7);
    CHECK_NEAR(at(7).width, 0.5, 1e-7);
    CHECK_NEAR(at(2.5).width, 0.875, 1e-7);

    good("offset", "{\"keys\": [[0, [0, 0, 0]], [10, [1, -2, 4]]]}");
    CHECK_NEAR(at(5).offset[0], 0.5, 1e-7);
    CHECK_NEAR(at(5).offset[1], -1, 1e-7);
    CHECK_NEAR(at(5).offset[2], 2, 1e-7);

    good("width", "{\"keys\": [[24, 0.5]]}");
    CHECK(!coif_params_are_animated(&values) && at(0).width == 0.5f);
}

TEST(integers_bools_and_choices_are_stepped)
{
    good("steps", "{\"keys\": [[1, 10], [5, 20]]}");
    CHECK(at(0).steps == 10 && at(4.99).steps == 10 && at(5).steps == 20 && at(9).steps == 20);
    good("enabled", "{\"keys\": [[1, true], [5, false], [9, true]]}");
    CHECK(at(4).enabled == 1 && at(5).enabled == 0 && at(8.5).enabled == 0 && at(9).enabled == 1);
    good("method", "{\"keys\": [[1, \"slow\"], [2, \"fastest\"]]}");
    CHECK(at(1.5).method == 0 && at(2).method == 2);
}

TEST(invalid_keys_are_rejected)
{
    bad("width", "{\"keys\": []}",
        "/width/keys: found an array of 0, expected an array of pairs [frame, value]");
    bad("width", "{\"keys\": 3}",
        "/width/keys: found 3, expected an array of pairs [frame, value]");
    bad("width", "{\"keys\": [[1, 0.5], 3]}", "/width/keys/1: found 3, expected [frame, value]");
    bad("width", "{\"keys\": [[1, 2, 3]]}",
        "/width/keys/0: found an array of 3, expected [frame, value]");
    bad("width", "{\"keys\": [[\"1\", 2]]}",
        "/width/keys/0: found an array of 2, expected [frame, value]");
    bad("width", "{\"keys\": [[1, 0.5], [1, 0.6]]}",
        "/width/keys/1: frame 1 is not above the one before");
    bad("width", "{\"keys\": [[5, 0.5], [1, 0.6]]}",
        "/width/keys/1: frame 1 is not above the one before");
    bad("width", "{\"keys\": [[1, 0.5], [2, 1.5]]}", "/width/keys/1/1: 1.5 is above 1");
    bad("steps", "{\"keys\": [[1, 1.5]]}", "/steps/keys/0/1: 1.5 is not an integer");
    bad("offset", "{\"keys\": [[1, 2]]}",
        "/offset/keys/0/1: found 2, expected an array of 3 numbers in m");
    bad("method", "{\"keys\": [[1, \"slwo\"]]}",
        "/method/keys/0/1: \"slwo\" is not a choice here, did you mean \"slow\"? (known: \"slow\", "
        "\"fast\", \"fastest\")");
}

TEST(mapped_values_are_the_middle_of_their_range)
{
    const coif_value *value = give("curl", "{\"map\": \"curls\", \"range\": [0.1, 0.3]}");
    CHECK(diagnostics.count == 0);
    CHECK_TEXT(value->map, "curls");
    CHECK(value->range[0][0] == 0.1 && value->range[1][0] == 0.3);
    CHECK_NEAR(at(1).curl, 0.2, 1e-7);
    // Backwards is fine: white may mean less.
    good("curl", "{\"map\": \"curls\", \"range\": [0.3, 0.1]}");

    bad("curl", "{\"map\": \"curls\"}",
        "/curl: a map without \"range\" is 0 to 1, which is outside 0 to 0.5");
    bad("curl", "{\"map\": 3, \"range\": [0, 0.1]}",
        "/curl/map: found 3, expected the name of a map");
    bad("curl", "{\"map\": \"m\", \"range\": [0, 0.6]}", "/curl/range/1: 0.6 is above 0.5");
    bad("curl", "{\"map\": \"m\", \"range\": [0]}",
        "/curl/range: found an array of 1, expected an array of 2 numbers");
    bad("curl", "{\"value\": 0.1, \"range\": [0, 0.1]}",
        "/curl: \"range\" belongs to a \"map\" or to the \"texture\" of a number");
    bad("width", "{\"map\": \"m\", \"range\": [0, 1]}",
        "/width/map: this value cannot come from a map\n"
        "s.json: /width/range: this value cannot come from a map");
}

TEST(maps_of_vectors_have_vector_ranges)
{
    fake_params params = {0};
    const coif_value *value =
        give("push", "{\"map\": \"m\", \"range\": [[0, -1, 2], [1, -2, 2]], \"ramp\": [[0, 1]]}");
    CHECK(diagnostics.count == 0 && value->range[1][1] == -2.0 && value->ramp_count == 1);
    coif_values_at(&values, 1.0, &params);
    CHECK(params.push[0] == 0.5f && params.push[1] == -1.5f && params.push[2] == 2.0f);
    bad("push", "{\"map\": \"m\"}",
        "/push: a map of a vector needs a \"range\": the vectors for 0 and for 1");
    bad("push", "{\"map\": \"m\", \"range\": [0, 1]}",
        "/push/range/0: found 0, expected an array of 3 numbers in N\n"
        "s.json: /push/range/1: found 1, expected an array of 3 numbers in N");
    bad("push", "{\"map\": \"m\", \"range\": [[0, 0, 0]]}",
        "/push/range: found an array of 1, expected an array of 2 arrays of 3 numbers");
    bad("push", "{\"map\": \"m\", \"range\": [[0, 0, 0], [0, 3, 0]]}",
        "/push/range/1/1: 3 is above 2");
    bad("offset", "{\"map\": \"m\", \"range\": [[0, 0, 0], [0, 0, 0]]}",
        "/offset/map: this value cannot come from a map\n"
        "s.json: /offset/range: this value cannot come from a map");
}

TEST(colours_may_come_from_textures)
{
    coif_error error = {0};
    fake_params params = {0};
    CHECK_OK(coif_file_save(coif_test_path("dye.png"), "x", 1, &error), error);
    const coif_value *value = give("dye", "{\"texture\": \"dye.png\"}");
    CHECK(diagnostics.count == 0);
    CHECK_TEXT(value->texture, coif_test_path("dye.png"));
    coif_values_at(&values, 1.0, &params);
    CHECK(params.dye[0] == 0.5f && params.dye[2] == 0.125f);
    good("dye", "{\"texture\": \"tiles.<UDIM>.png\"}");
    good("dye", "{\"map\": \"m\", \"range\": [[0, 0, 0], [1, 1, 1]]}");
    bad("dye", "{\"texture\": 3}", "/dye/texture: found 3, expected a path as a string");
    bad("dye", "{\"texture\": \"none.png\"}",
        coif_arena_print(&arena, "/dye/texture: file not found: %s", coif_test_path("none.png")));
    bad("dye", "{\"texture\": \"dye.png\", \"map\": \"m\"}",
        "/dye: expected one of \"value\", \"keys\", \"map\" and \"texture\", found several");
    bad("tint", "{\"texture\": \"dye.png\"}",
        "/tint/texture: this value cannot come from a texture");
}

TEST(textures_of_numbers_are_anonymous_maps)
{
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("mask.png"), "x", 1, &error), error);
    const coif_value *value =
        give("curl", "{\"texture\": \"mask.png\", \"range\": [0.1, 0.3], \"ramp\": [[0, 1]]}");
    CHECK(diagnostics.count == 0 && value->texture == NULL && value->ramp_count == 1);
    CHECK_TEXT(value->map, "texture:mask.png");
    CHECK_NEAR(at(1).curl, 0.2, 1e-7);
    // Parameters of the map tell maps of one file apart.
    value = give("curl", "{\"texture\": \"mask.png\", \"range\": [0, 0.1], \"invert\": true}");
    CHECK_TEXT(value->map, "texture:mask.png of /curl");
    good("push", "{\"texture\": \"mask.png\", \"range\": [[0, 0, 0], [1, 0, 0]]}");
    bad("curl", "{\"texture\": \"mask.png\"}",
        "/curl: a map without \"range\" is 0 to 1, which is outside 0 to 0.5");
    bad("curl", "{\"texture\": \"none.png\", \"range\": [0, 0.1]}",
        coif_arena_print(&arena, "/curl/texture: file not found: %s", coif_test_path("none.png")));
    bad("dye", "{\"texture\": \"mask.png\", \"range\": [[0, 0, 0], [1, 1, 1]]}",
        "/dye: \"range\" belongs to a \"map\" or to the \"texture\" of a number");
    bad("dye", "{\"texture\": \"mask.png\", \"rnage\": 1}",
        "/dye/rnage: unknown key, did you mean \"range\"?");
    bad("width", "{\"texture\": \"mask.png\"}",
        "/width/texture: this value cannot come from a texture");
}

TEST(ramps_scale_from_root_to_tip)
{
    const coif_value *value =
        give("curl", "{\"value\": 0.1, \"ramp\": [[0.25, 2], [0.5, 1], [0.75, 3]]}");
    CHECK(diagnostics.count == 0 && value->ramp_count == 3);
    CHECK(at(1).curl == 0.1f);
    CHECK(coif_value_ramp(value, 0) == 2 && coif_value_ramp(value, 0.25f) == 2);
    CHECK_NEAR(coif_value_ramp(value, 0.375f), 1.5, 1e-6);
    CHECK(coif_value_ramp(value, 0.5f) == 1 && coif_value_ramp(value, 0.75f) == 3);
    CHECK_NEAR(coif_value_ramp(value, 0.625f), 2, 1e-6);
    CHECK(coif_value_ramp(value, 1) == 3);

    good("curl", "{\"keys\": [[1, 0.1], [2, 0.2]], \"ramp\": [[0, 0], [1, 1]]}");
    good("curl", "{\"map\": \"m\", \"range\": [0, 0.5], \"ramp\": [[0, -1]]}");
    CHECK(coif_value_ramp(coif_values_find(&values, "curl"), 0.3f) == -1);
    CHECK(coif_value_ramp(coif_values_find(&values, "width"), 0.3f) == 1);
}

TEST(invalid_ramps_are_rejected)
{
    bad("width", "{\"value\": 1, \"ramp\": [[0, 1]]}",
        "/width/ramp: this value cannot have a ramp");
    bad("curl", "{\"ramp\": [[0, 1]]}",
        "/curl: expected one of \"value\", \"keys\", \"map\" and \"texture\"");
    bad("curl", "{\"value\": 0.1, \"ramp\": []}",
        "/curl/ramp: found an array of 0, expected an array of pairs [position, factor]");
    bad("curl", "{\"value\": 0.1, \"ramp\": [[0, 1], [1.5, 0]]}", "/curl/ramp/1/0: 1.5 is above 1");
    bad("curl", "{\"value\": 0.1, \"ramp\": [[0.5, 1], [0.5, 0]]}",
        "/curl/ramp/1: position 0.5 is not above the one before");
    bad("curl", "{\"value\": 0.1, \"ramp\": [[0, \"x\"]]}",
        "/curl/ramp/0/1: found \"x\", expected a number");
}

TEST(an_object_has_one_source)
{
    bad("curl", "{}", "/curl: expected one of \"value\", \"keys\", \"map\" and \"texture\"");
    bad("curl", "{\"value\": 0.1, \"keys\": [[1, 0.2]]}",
        "/curl: expected one of \"value\", \"keys\", \"map\" and \"texture\", found several");
    bad("curl", "{\"kesy\": [[1, 0.2]]}", "/curl/kesy: unknown key, did you mean \"keys\"?");
    bad("curl", "{\"value\": 0.1, \"comment\": 3}", "/curl/comment: found 3, expected a string");
}

TEST(paths_are_resolved_and_must_exist)
{
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("here.txt"), "x", 1, &error), error);
    good("file", "\"here.txt\"");
    CHECK_TEXT(at(1).file, coif_test_path("here.txt"));
    good("file", "\"\"");
    CHECK_TEXT(at(1).file, "");
    good("file", "\"head.####.obj\"");
    CHECK_TEXT(at(1).file, coif_test_path("head.####.obj"));

    char wanted[1200];
    snprintf(wanted, sizeof wanted, "/file: file not found: %s", coif_test_path("gone.txt"));
    bad("file", "\"gone.txt\"", wanted);
    good("file", coif_json_quote(coif_test_path("here.txt"), &arena));
}

TEST(the_most_similar_name_is_found)
{
    const char *const names[] = {"substeps", "iterations", "gravity", "fps", "seed"};
    const size_t count = COIF_COUNT_OF(names);
    CHECK_TEXT(coif_nearest_name("subteps", names, count), "substeps");
    CHECK_TEXT(coif_nearest_name("subSteps", names, count), "substeps");
    CHECK_TEXT(coif_nearest_name("gravtiy", names, count), "gravity");
    CHECK_TEXT(coif_nearest_name("sed", names, count), "seed");
    CHECK_TEXT(coif_nearest_name("fsp", names, count), "fps");
    CHECK(coif_nearest_name("temperature", names, count) == NULL);
    CHECK(coif_nearest_name("x", names, count) == NULL);
    CHECK(coif_nearest_name("", names, count) == NULL);
    CHECK(coif_nearest_name("abc", names, 0) == NULL);
    char word[200];
    memset(word, 's', sizeof word);
    word[199] = '\0';
    CHECK(coif_nearest_name(word, names, count) == NULL);
    const char *const lengthy[] = {word};
    CHECK(coif_nearest_name("s", lengthy, 1) == NULL);
}
