// JSON editing: one value changes, every other byte stays.
#include "core/json/json_edit.h"

#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static const char *set_value(const char *text, const char *pointer, const char *value)
{
    coif_error error = {0};
    char *edited = "";
    const coif_json_text json = {"bob.json", text, strlen(text)};
    CHECK_OK(coif_json_set(&edited, &json, pointer, value, &arena, &error), error);
    return edited;
}

static const char *remove_value(const char *text, const char *pointer)
{
    coif_error error = {0};
    char *edited = "";
    const coif_json_text json = {"bob.json", text, strlen(text)};
    CHECK_OK(coif_json_remove(&edited, &json, pointer, &arena, &error), error);
    return edited;
}

TEST(a_value_is_replaced_in_place)
{
    CHECK_TEXT(set_value("{ \"a\" :  1e2 ,\n\t\"b\":[1, 2 ]}\n", "/a", "7"),
               "{ \"a\" :  7 ,\n\t\"b\":[1, 2 ]}\n");
    CHECK_TEXT(set_value("{ \"a\" :  1 ,\n\t\"b\":[1, 2 ]}\n", "/b/1", " {\"x\": 3} "),
               "{ \"a\" :  1 ,\n\t\"b\":[1, {\"x\": 3} ]}\n");
    CHECK_TEXT(set_value("{\"a/b\": {\"~\": 1}}", "/a~1b/~0", "2"), "{\"a/b\": {\"~\": 2}}");
}

TEST(missing_members_are_formatted_like_their_siblings)
{
    CHECK_TEXT(set_value("{\"a\": 1}", "/b", "2"), "{\"a\": 1, \"b\": 2}");
    CHECK_TEXT(set_value("{\n  \"a\": 1\n}\n", "/b", "2"), "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
    CHECK_TEXT(set_value("{\r\n\t\"a\": 1\r\n}\r\n", "/b", "2"),
               "{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}\r\n");
    CHECK_TEXT(set_value("{}", "/sim/substeps", "4"), "{\"sim\": {\"substeps\": 4}}");
    CHECK_TEXT(set_value("{\"l\": [1]}", "/l/-", "2"), "{\"l\": [1, 2]}");
    CHECK_TEXT(set_value("{\"l\": [1]}", "/l/1", "2"), "{\"l\": [1, 2]}");
    CHECK_TEXT(set_value("{}", "/maps/-/name", "\"d\""), "{\"maps\": [{\"name\": \"d\"}]}");
    CHECK_TEXT(set_value("{\"l\": [\n    {\"a\": 1}\n  ]}", "/l/-", "{\"a\": 2}"),
               "{\"l\": [\n    {\"a\": 1},\n    {\"a\": 2}\n  ]}");
}

TEST(a_removed_member_is_removed_with_its_comma)
{
    CHECK_TEXT(remove_value("{\"a\": 1, \"b\": 2, \"c\": 3}", "/a"), "{\"b\": 2, \"c\": 3}");
    CHECK_TEXT(remove_value("{\"a\": 1, \"b\": 2, \"c\": 3}", "/b"), "{\"a\": 1, \"c\": 3}");
    CHECK_TEXT(remove_value("{\"a\": 1, \"b\": 2, \"c\": 3}", "/c"), "{\"a\": 1, \"b\": 2}");
    CHECK_TEXT(remove_value("{\n  \"a\": 1,\n  \"b\": 2\n}", "/b"), "{\n  \"a\": 1\n}");
    CHECK_TEXT(remove_value("{\"a\": [1]}", "/a/0"), "{\"a\": []}");
    CHECK_TEXT(remove_value("{\"a\": [1]}", "/b"), "{\"a\": [1]}");
}

TEST(setting_and_removing_are_inverse)
{
    const char *text = "{\n  \"a\": {\"x\": 1},\n  \"b\": [1, 2]\n}\n";
    CHECK_TEXT(remove_value(set_value(text, "/a/y", "5"), "/a/y"), text);
    CHECK_TEXT(remove_value(set_value(text, "/b/-", "5"), "/b/2"), text);
    CHECK_TEXT(remove_value(set_value(text, "/c", "5"), "/c"), text);
}

TEST(invalid_pointers_and_values_are_rejected)
{
    const coif_json_text json = {"bob.json", "{\"a\": [1], \"n\": 3}", 18};
    static const char *const wrong[][3] = {
        {"a", "1", "expected a JSON pointer like"},
        {"/a/7", "1", "no \"7\" in an array"},
        {"/n/x", "1", "no \"x\" in"},
        {"/a/x", "1", "no \"x\" in an array"},
        {"/a", "01", "/a:1:"},
        {"/a", "1, \"b\": 2", "/a:1:2"},
    };
    for (size_t i = 0; i < COIF_COUNT_OF(wrong); ++i) {
        coif_error error = {0};
        char *edited = NULL;
        CHECK(coif_json_set(&edited, &json, wrong[i][0], wrong[i][1], &arena, &error) != COIF_OK);
        CHECK_CONTAINS(error.text, wrong[i][2]);
    }
}
