// JSON Schema of the section tree.
#include "core/json/json_writer.h"
#include "tests/support/fake_scene.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

// The value at a path like "properties/sim/type" of the schema of the fake tree.
static const coif_json *at(const char *path)
{
    const char *text = coif_scene_schema(&FAKE_TREE, &FAKE_LOOKUP, &arena);
    coif_error error = {0};
    coif_json *root = NULL;
    CHECK_OK(coif_json_parse(&root, "schema", text, strlen(text), &arena, &error), error);
    const coif_json *value = root;
    char *words = coif_arena_copy_text(&arena, path), *rest = words;
    for (char *word; value != NULL && (word = strsep(&rest, "/")) != NULL;) {
        value = value->kind == COIF_JSON_ARRAY ? coif_json_element(value, word[0] - '0')
                                               : coif_json_find(value, word);
    }
    if (value == NULL) {
        coif_test_failed(__FILE__, __LINE__, "the schema has no %s", path);
        static const coif_json nothing = {.text = ""};
        return &nothing;
    }
    return value;
}

TEST(a_small_tree_gives_this_schema)
{
    static const coif_param ROWS[] = {
        {.name = "steps",
         .help = "steps \"per\" frame",
         .unit = "1/f",
         .type = COIF_PARAM_INT,
         .fallback = {4},
         .low = 1,
         .high = 1e6},
        {.name = "note", .help = "a word", .unit = "", .type = COIF_PARAM_STRING},
    };
    static const char *const required[] = {"note", NULL};
    static const coif_section tree = {
        .name = "", .help = "tiny", .params = ROWS, .param_count = 2, .required = required};
    static const char wanted[] =
        "{\n"
        "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
        "  \"title\": \"coif scene\",\n"
        "  \"description\": \"tiny\",\n"
        "  \"type\": \"object\",\n"
        "  \"properties\": {\n"
        "    \"$schema\": {\"type\": \"string\", \"description\": \"location of this schema\"},\n"
        "    \"coif\": {\"const\": 1, \"description\": \"format of the scene\"},\n"
        "    \"comment\": {\"$ref\": \"#/$defs/comment\"},\n"
        "    \"steps\": {\n"
        "      \"description\": \"steps \\\"per\\\" frame (1/f)\",\n"
        "      \"default\": 4,\n"
        "      \"anyOf\": [\n"
        "        {\n"
        "          \"type\": \"integer\",\n"
        "          \"minimum\": 1,\n"
        "          \"maximum\": 1000000\n"
        "        },\n"
        "        {\n"
        "          \"$ref\": \"#/$defs/integer\"\n"
        "        }\n"
        "      ]\n"
        "    },\n"
        "    \"note\": {\n"
        "      \"description\": \"a word\",\n"
        "      \"default\": \"\",\n"
        "      \"type\": \"string\"\n"
        "    }\n"
        "  },\n"
        "  \"required\": [\n"
        "    \"note\"\n"
        "  ],\n"
        "  \"additionalProperties\": false,\n"
        "  \"$defs\": {\n";
    char *text = coif_scene_schema(&tree, NULL, &arena);
    CHECK(strlen(text) > sizeof wanted);
    CHECK_TEXT(text + strlen(text) - 7, "\n  }\n}\n");
    text[sizeof wanted - 1] = '\0';
    CHECK_TEXT(text, wanted);
}

TEST(advanced_parameters_and_references_are_annotated)
{
    static const coif_param ROWS[] = {
        {.name = "head", .type = COIF_PARAM_STRING},
        {.name = "below", .type = COIF_PARAM_STRING},
        {.name = "rare", .type = COIF_PARAM_PATH},
    };
    static const coif_reference REFERENCES[] = {{"head", "bodies"}, {"below", NULL}, {NULL, NULL}};
    static const coif_section tree = {.name = "",
                                      .params = ROWS,
                                      .param_count = 3,
                                      .basic = "head below",
                                      .references = REFERENCES};
    const char *text = coif_scene_schema(&tree, NULL, &arena);
    coif_error error = {0};
    coif_json *root = NULL;
    CHECK_OK(coif_json_parse(&root, "schema", text, strlen(text), &arena, &error), error);
    const coif_json *properties = coif_json_find(root, "properties");
    const coif_json *head = coif_json_find(properties, "head");
    CHECK(coif_json_find(head, "advanced") == NULL);
    CHECK_TEXT(coif_json_find(head, "refers_to")->text, "bodies");
    CHECK_TEXT(coif_json_find(coif_json_find(properties, "below"), "refers_to")->text, ".");
    const coif_json *rare = coif_json_find(properties, "rare");
    CHECK(coif_json_find(rare, "advanced") != NULL && coif_json_find(rare, "refers_to") == NULL);
    CHECK(coif_json_find(rare, "file") != NULL && coif_json_find(head, "file") == NULL);
}

TEST(parameters_are_described)
{
    CHECK_TEXT(at("properties/sim/properties/gravity/description")->text, "pull (m/s^2)");
    CHECK(at("properties/sim/properties/gravity/default/1")->number == -9.81);
    CHECK(at("properties/sim/properties/gravity/anyOf/0/items/minimum")->number == -100);
    CHECK(at("properties/sim/properties/gravity/anyOf/0/maxItems")->number == 3);
    CHECK_TEXT(at("properties/sim/properties/method/default")->text, "pbd");
    CHECK_TEXT(at("properties/sim/properties/method/anyOf/0/enum/2")->text, "rod");
    CHECK_TEXT(at("properties/sim/properties/method/anyOf/1/$ref")->text, "#/$defs/string");
    CHECK(at("properties/sim/properties/gravity_on/default")->kind == COIF_JSON_BOOL);
    CHECK_TEXT(at("properties/grooms/items/properties/length/anyOf/1/$ref")->text,
               "#/$defs/mapped_number");
    CHECK_TEXT(at("properties/grooms/items/properties/radius/anyOf/1/$ref")->text,
               "#/$defs/mapped_ramped_number");
    // Unbounded rows have no limits.
    CHECK(coif_json_find(at("properties/bodies/items/properties/rotate/anyOf/0/items"),
                         "minimum") == NULL);
}

TEST(sections_reject_unknown_keys)
{
    CHECK(at("additionalProperties")->kind == COIF_JSON_BOOL);
    CHECK(at("additionalProperties")->number == 0);
    CHECK(at("properties/sim/additionalProperties")->number == 0);
    CHECK(at("properties/forces/items/unevaluatedProperties")->kind == COIF_JSON_BOOL);
    CHECK(at("properties/forces/items/unevaluatedProperties")->number == 0);
    CHECK_TEXT(at("properties/bodies/type")->text, "array");
    CHECK_TEXT(at("properties/bodies/items/required/1")->text, "mesh");
    CHECK_TEXT(at("properties/grooms/items/properties/maps/items/required/0")->text, "plugin");
    CHECK_TEXT(at("properties/grooms/items/properties/maps/items/required/1")->text, "name");
}

TEST(every_plugin_is_defined_by_id)
{
    CHECK_TEXT(at("properties/forces/items/properties/plugin/enum/0")->text, "wind.calm");
    CHECK_TEXT(at("properties/forces/items/properties/plugin/enum/1")->text, "wind.gust");
    CHECK(at("properties/forces/items/allOf")->child_count == 2);
    CHECK_TEXT(at("properties/forces/items/allOf/1/if/properties/plugin/const")->text, "wind.gust");
    CHECK_TEXT(at("properties/forces/items/allOf/1/then/$ref")->text, "#/$defs/wind.gust");
    CHECK_TEXT(at("$defs/wind.gust/properties/strength/description")->text, "swell");
    CHECK(at("$defs/wind.gust/properties/strength/anyOf/0/maximum")->number == 1);
    CHECK_TEXT(at("$defs/density.image/description")->text, "does nothing");
}

static const coif_plugin *backwards_at(void *data, int32_t index)
{
    (void)data;
    // Twice over and from the end.
    const int32_t count = COIF_COUNT_OF(FAKE_PLUGINS);
    return index < 2 * count ? &FAKE_PLUGINS[count - 1 - index % count] : NULL;
}

TEST(the_order_of_plugins_does_not_matter)
{
    const coif_plugin_lookup backwards = {.at = backwards_at};
    CHECK_TEXT(coif_scene_schema(&FAKE_TREE, &backwards, &arena),
               coif_scene_schema(&FAKE_TREE, &FAKE_LOOKUP, &arena));
}

static const coif_plugin *only_at(void *data, int32_t index)
{
    return index == 0 ? data : NULL;
}

TEST(a_kind_without_plugins_has_no_list_of_ids)
{
    coif_plugin plugin = FAKE_PLUGINS[0];
    const coif_plugin_lookup lookup = {.data = &plugin, .at = only_at};
    const char *text = coif_scene_schema(&FAKE_TREE, &lookup, &arena);
    CHECK_CONTAINS(text, "\"wind.gust\": {\n      \"title\"");
    CHECK_CONTAINS(text, "\"strength\": {\n          \"description\": \"swell\"");
    // Without any plugin of a kind the key stays free.
    CHECK_CONTAINS(text, "\"description\": \"id of the plugin\",\n"
                         "                  \"type\": \"string\"\n"
                         "                }");
    CHECK(strstr(text, "\"allOf\": []") == NULL);
}

TEST(the_writer_places_commas_and_brackets)
{
    coif_json_writer out;
    coif_json_writer_init(&out, &arena);
    coif_write_open(&out, NULL, "[");
    coif_write_open(&out, NULL, "{");
    coif_write_close(&out, "}");
    coif_write_open(&out, NULL, "{");
    coif_write_text(&out, "a\n", "b\"");
    coif_write_number(&out, "c", 0.1);
    coif_write_close(&out, "}");
    coif_write_raw(&out, NULL, "null");
    coif_write_close(&out, "]");
    CHECK_TEXT(out.text.data,
               "[\n  {},\n  {\n    \"a\\n\": \"b\\\"\",\n    \"c\": 0.1\n  },\n  null\n]");
}
