// JSON parser: source locations and error messages.
#include "core/json/json.h"

#include "core/base/strbuf.h"
#include "core/json/json_scanner.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static coif_status parse_bytes(coif_json **root, const char *text, size_t size, coif_error *error)
{
    *error = (coif_error){0};
    return coif_json_parse(root, "bob.json", text, size, &arena, error);
}

static coif_json *good(const char *text)
{
    coif_error error;
    coif_json *root = NULL;
    CHECK_OK(parse_bytes(&root, text, strlen(text), &error), error);
    return root;
}

// The message must be this one and no other.
static void bad_bytes(const char *text, size_t size, const char *message)
{
    coif_error error;
    coif_json *root = NULL;
    CHECK(parse_bytes(&root, text, size, &error) == COIF_ERR_FORMAT);
    CHECK_TEXT(error.text, message);
}

static void bad(const char *text, const char *message)
{
    bad_bytes(text, strlen(text), message);
}

TEST(every_kind_is_read)
{
    const coif_json *root =
        good(" { \"a\" : null , \"b\":[true,false], \"c\":-1.5e2, \"d\":\"x\", \"e\":{} }\n");
    CHECK(root->kind == COIF_JSON_OBJECT && root->child_count == 5 && root->key == NULL);
    CHECK(coif_json_find(root, "a")->kind == COIF_JSON_NULL);
    const coif_json *array = coif_json_find(root, "b");
    CHECK(array->kind == COIF_JSON_ARRAY && array->child_count == 2);
    CHECK(coif_json_element(array, 0)->kind == COIF_JSON_BOOL);
    CHECK(coif_json_element(array, 0)->number == 1 && coif_json_element(array, 1)->number == 0);
    CHECK(coif_json_element(array, 2) == NULL && coif_json_element(array, -1) == NULL);
    CHECK(coif_json_find(root, "c")->number == -150);
    CHECK_TEXT(coif_json_find(root, "d")->text, "x");
    CHECK(coif_json_find(root, "e")->child_count == 0 && coif_json_find(root, "e")->child == NULL);
    CHECK(coif_json_find(root, "f") == NULL && coif_json_find(array, "f") == NULL);
    CHECK(coif_json_element(root, 0) == NULL);
}

static void check_span(const char *text, const coif_json *value, const char *wanted)
{
    CHECK(value->end - value->begin == strlen(wanted));
    CHECK(strncmp(text + value->begin, wanted, strlen(wanted)) == 0);
}

TEST(spans_are_exact)
{
    const char *text = "\xef\xbb\xbf{\n \"k\\u0065y\" : [ 1.50 , \"a\\\"b\" ,{ \"\xc3\xa9\":true}],"
                       "\"z\":\"\"}  ";
    const coif_json *root = good(text);
    check_span(text, root,
               "{\n \"k\\u0065y\" : [ 1.50 , \"a\\\"b\" ,{ \"\xc3\xa9\":true}],\"z\":\"\"}");
    const coif_json *array = coif_json_find(root, "key");
    check_span(text, array, "[ 1.50 , \"a\\\"b\" ,{ \"\xc3\xa9\":true}]");
    CHECK(strncmp(text + array->key_begin, "\"k\\u0065y\"", 10) == 0);
    check_span(text, coif_json_element(array, 0), "1.50");
    check_span(text, coif_json_element(array, 1), "\"a\\\"b\"");
    CHECK_TEXT(coif_json_element(array, 1)->text, "a\"b");
    check_span(text, coif_json_element(array, 2), "{ \"\xc3\xa9\":true}");
    check_span(text, coif_json_find(coif_json_element(array, 2), "\xc3\xa9"), "true");
    check_span(text, coif_json_find(root, "z"), "\"\"");
}

TEST(a_lone_value_is_a_document)
{
    CHECK(good("7")->number == 7);
    CHECK(good("\t\"x\"\r\n")->begin == 1);
    CHECK(good("[]")->child_count == 0);
    // Text need not end with a zero byte.
    coif_error error;
    coif_json *root;
    CHECK_OK(parse_bytes(&root, "123", 2, &error), error);
    CHECK(root->number == 12 && root->end == 2);
}

TEST(escapes_are_decoded)
{
    CHECK_TEXT(good("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")->text, "\"\\/\b\f\n\r\t");
    CHECK_TEXT(good("\"\\u00e9\\u20AC\\ud83d\\ude00\"")->text,
               "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK_TEXT(good("\"\xf4\x8f\xbf\xbf\x7f\"")->text, "\xf4\x8f\xbf\xbf\x7f");
}

TEST(missing_tokens_are_reported)
{
    bad("", "bob.json:1:1: the text is empty, expected a value");
    bad(" \n ", "bob.json:2:2: expected a value, found the end of the text");
    bad("{", "bob.json:1:2: expected a key in quotes, found the end of the text");
    bad("{\n  \"a\": 1\n  \"b\": 2\n}", "bob.json:3:3: expected ',' or '}', found '\"'");
    bad("{\"a\" 1}", "bob.json:1:6: expected ':' after the key, found '1'");
    bad("{\"a\":}", "bob.json:1:6: expected a value, found '}'");
    bad("{\"a\":1,}", "bob.json:1:8: expected a key in quotes, found '}'");
    bad("{a:1}", "bob.json:1:2: expected a key in quotes, found 'a'");
    bad("[1,]", "bob.json:1:4: expected a value, found ']'");
    bad("[1 2]", "bob.json:1:4: expected ',' or ']', found '2'");
    bad("[1,2", "bob.json:1:5: expected ',' or ']', found the end of the text");
    bad("[1}", "bob.json:1:3: expected ',' or ']', found '}'");
    bad("[,1]", "bob.json:1:2: expected a value, found ','");
    bad("[1,,2]", "bob.json:1:4: expected a value, found ','");
    bad("]", "bob.json:1:1: expected a value, found ']'");
    bad("{'a':1}", "bob.json:1:2: expected a key in quotes, found '''");
    bad("[1] // note", "bob.json:1:5: expected the end of the text, found '/'");
    bad("{} {}", "bob.json:1:4: expected the end of the text, found '{'");
    bad("[1]\x01", "bob.json:1:4: expected the end of the text, found the control character 0x01");
    bad("[\x0b"
        "1]",
        "bob.json:1:2: expected a value, found the control character 0x0b");
}

TEST(unknown_literals_are_reported)
{
    bad("[NaN]", "bob.json:1:2: expected a value, found NaN");
    bad("[Infinity]", "bob.json:1:2: expected a value, found Infinity");
    bad("[-Infinity]", "bob.json:1:3: expected a digit, found 'I'");
    bad("True", "bob.json:1:1: expected a value, found True");
    bad("nul", "bob.json:1:1: expected a value, found nul");
    bad("truex", "bob.json:1:1: expected a value, found truex");
    bad("true1", "bob.json:1:5: expected the end of the text, found '1'");
}

TEST(columns_count_characters)
{
    bad("[\"\xc3\xa9\xe2\x82\xac\" x]", "bob.json:1:7: expected ',' or ']', found 'x'");
    bad("[1 \xe2\x82\xac]", "bob.json:1:4: expected ',' or ']', found '\xe2\x82\xac'");
    bad("\xef\xbb\xbf[1 x]", "bob.json:1:4: expected ',' or ']', found 'x'");
    bad("\xef\xbb\xbf", "bob.json:1:1: expected a value, found the end of the text");
    bad("{\r\n\"a\":\r\nx}", "bob.json:3:1: expected a value, found x");
}

TEST(numbers_are_strict)
{
    bad("[01]", "bob.json:1:2: a number must not have leading zeros");
    bad("-012", "bob.json:1:1: a number must not have leading zeros");
    bad("1.", "bob.json:1:3: expected a digit after the decimal point, found the end of the text");
    bad("[.5]", "bob.json:1:2: expected a value, found '.'");
    bad("[+1]", "bob.json:1:2: expected a value, found '+'");
    bad("[-]", "bob.json:1:3: expected a digit, found ']'");
    bad("[1e]", "bob.json:1:4: expected a digit in the exponent, found ']'");
    bad("[1e+]", "bob.json:1:5: expected a digit in the exponent, found ']'");
    bad("0x10", "bob.json:1:2: expected the end of the text, found 'x'");
    bad("[1e999]", "bob.json:1:2: 1e999 is out of range of a double");
    bad("[-1e400]", "bob.json:1:2: -1e400 is out of range of a double");
    bad("0.1234567890123456789012345678901234567890123456789012345678901234567890",
        "bob.json:1:1: a number of 72 characters exceeds the maximum of 63");
    CHECK(good("1e-999")->number == 0);
    CHECK(good("-0")->number == 0 && signbit(good("-0")->number));
    CHECK(good("1E+2")->number == 100);
}

TEST(numbers_survive_a_round_trip)
{
    const double numbers[] = {0.1, 1.0 / 3, 5e-324,  1.7976931348623157e308, 123456789012345678.0,
                              0.0, 24,      -2.5e-7, 0.30000000000000004,    1e21};
    for (size_t i = 0; i < COIF_COUNT_OF(numbers); ++i) {
        coif_strbuf text;
        coif_strbuf_init(&text, &arena);
        coif_strbuf_add_number(&text, numbers[i]);
        CHECK(good(text.data)->number == numbers[i]);
    }
    coif_strbuf text;
    coif_strbuf_init(&text, &arena);
    coif_strbuf_add_number(&text, 0.1);
    coif_strbuf_add(&text, " ");
    coif_strbuf_add_number(&text, 24);
    CHECK_TEXT(text.data, "0.1 24");
}

TEST(strings_are_strict)
{
    bad("[\"abc", "bob.json:1:2: unterminated string");
    bad("[\"abc\n\"]", "bob.json:1:2: unterminated string");
    bad("\"a\tb\"", "bob.json:1:3: control character 0x09 in a string, expected \\u0009");
    bad("\"\\x\"", "bob.json:1:3: expected one of \" \\ / b f n r t u after \\, found 'x'");
    bad("\"\\", "bob.json:1:3: expected one of \" \\ / b f n r t u after \\, found the end of the "
                "text");
    bad("\"\\u12g4\"", "bob.json:1:2: expected four hexadecimal digits after \\u");
    bad("\"\\u12", "bob.json:1:2: expected four hexadecimal digits after \\u");
    bad("\"a\\u0000b\"", "bob.json:1:3: \\u0000 is not allowed in a string");
    bad("\"\\ud800\"", "bob.json:1:2: \\ud800 is half of a surrogate pair");
    bad("\"\\uDC00\"", "bob.json:1:2: \\udc00 is half of a surrogate pair");
    bad("\"\\ud800\\u0041\"", "bob.json:1:2: \\ud800 is half of a surrogate pair");
    bad("\"\\ud800\\ud800\"", "bob.json:1:2: \\ud800 is half of a surrogate pair");
}

TEST(bytes_must_be_utf8)
{
    bad("[\"\xff\"]", "bob.json:1:3: byte 0xff is not UTF-8");
    bad("[\"\xc0\xaf\"]", "bob.json:1:3: byte 0xc0 is not UTF-8");
    bad("[\"\xed\xa0\x80\"]", "bob.json:1:3: byte 0xed is not UTF-8");
    bad("[\"\xf4\x90\x80\x80\"]", "bob.json:1:3: byte 0xf4 is not UTF-8");
    bad("[\"\xe2\x82\"]", "bob.json:1:3: byte 0xe2 is not UTF-8");
    bad("\"\xe2\x82", "bob.json:1:2: byte 0xe2 is not UTF-8");
    bad("\"\xe9t\xe9\"", "bob.json:1:2: byte 0xe9 is not UTF-8");
    bad_bytes("[1\0]", 4, "bob.json:1:3: a zero byte is not allowed in JSON");
    bad_bytes("1\0", 2, "bob.json:1:2: a zero byte is not allowed in JSON");
    bad_bytes("\xff\xfe{\0}\0", 6, "bob.json:1:1: the text is UTF-16, expected UTF-8");
    bad_bytes("\xfe\xff\0{\0}", 6, "bob.json:1:1: the text is UTF-16, expected UTF-8");
}

TEST(duplicate_keys_are_found)
{
    bad("{\"a\":1,\n \"b\":2,\n \"a\":3}",
        "bob.json:3:2: key \"a\" is given twice, first in line 1");
    bad("{\"a\":1, \"\\u0061\":3}", "bob.json:1:9: key \"a\" is given twice, first in line 1");
    bad("[{\"x\":{\"\":1,\"\":2}}]", "bob.json:1:13: key \"\" is given twice, first in line 1");
    bad("{\"\\n\":1,\"\\n\":2}", "bob.json:1:9: key \"\\n\" is given twice, first in line 1");
    good("{\"a\":{\"a\":1},\"A\":2}");

    // Many keys: found without comparing each with each.
    char *text = coif_arena_new(&arena, 64 + 20000 * 12, char), *end = text;
    *end++ = '{';
    for (int i = 0; i < 20000; ++i) {
        end += sprintf(end, "\"k%d\":0,", i);
    }
    sprintf(end, "\"k19999\":0}");
    bad(text, "bob.json:1:208892: key \"k19999\" is given twice, first in line 1");
    sprintf(end, "\"k20000\":0}");
    CHECK(good(text)->child_count == 20001);
}

TEST(nesting_is_bounded)
{
    char text[3000] = "";
    memset(text, '[', 100);
    memset(text + 100, ']', 100);
    CHECK(good(text)->child_count == 1);
    memset(text, '[', 101);
    memset(text + 101, ']', 101);
    bad(text, "bob.json:1:101: nested more than 100 deep");
    memset(text, '[', 2999);
    bad(text, "bob.json:1:101: nested more than 100 deep");
    // Neighbours do not add up.
    char *end = text;
    *end++ = '[';
    for (int i = 0; i < 500; ++i) {
        end += sprintf(end, "[],");
    }
    sprintf(end, "{}]");
    CHECK(good(text)->child_count == 501);
}

TEST(lines_and_columns_count_from_one)
{
    int line, column;
    coif_json_line_column("ab\ncd", 0, &line, &column);
    CHECK(line == 1 && column == 1);
    coif_json_line_column("ab\ncd", 4, &line, &column);
    CHECK(line == 2 && column == 2);
}

TEST(quoted_text_reads_back)
{
    const char *text = "a\"b\\c/\b\f\n\r\t\x01\x7f \xc3\xa9";
    CHECK_TEXT(coif_json_quote(text, &arena),
               "\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u007f \xc3\xa9\"");
    CHECK_TEXT(good(coif_json_quote(text, &arena))->text, text);
    CHECK_TEXT(coif_json_quote("", &arena), "\"\"");
}

TEST(values_are_described)
{
    CHECK_TEXT(coif_json_describe(good("1.50"), &arena), "1.5");
    CHECK_TEXT(coif_json_describe(good("true"), &arena), "true");
    CHECK_TEXT(coif_json_describe(good("null"), &arena), "null");
    CHECK_TEXT(coif_json_describe(good("\"a\\nb\""), &arena), "\"a\\nb\"");
    CHECK_TEXT(coif_json_describe(good("[1,2]"), &arena), "an array of 2");
    CHECK_TEXT(coif_json_describe(good("{}"), &arena), "an object");
    CHECK_TEXT(coif_json_describe(good("\"0123456789012345678901234567890123456789012345678901234"
                                       "567890123456789\""),
                                  &arena),
               "a long string");
    CHECK_TEXT(coif_json_kind_name(good("[]")), "an array");
    coif_arena_free(&arena);
}
