// tools_option: the command line as rows of a table.
#include "tools/cli/args.h"

#include "core/base/fs.h"
#include "tests/support/test.h"

typedef struct dish {
    const char *name;
    const char *sauce;
    coif_text_list spices, guests;
    coif_frame_range frames;
    int32_t count, hot, kind;
    float weight;
    int64_t size;
} dish;

static const char *const KINDS[] = {"soup", "stew", NULL};

// clang-format off
static const coif_param ROWS[] = {
    COIF_ARGUMENT(dish, name, "what it is called"),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, dish, guests, COIF_ARG_LIST, "", "who eats it"),
    COIF_ARG(dish, sauce, COIF_PARAM_STRING, "TEXT", "what goes over it"),
    COIF_ARG(dish, spices, COIF_ARG_LIST, "TEXT", "what goes in"),
    COIF_ARG(dish, frames, COIF_ARG_FRAMES, "", "when"),
    COIF_ARG_NUMBER(dish, count, COIF_PARAM_INT, "N", "how many", 2, 1, 10),
    COIF_ARG_NUMBER(dish, weight, COIF_PARAM_FLOAT, "KG", "how heavy", 0.5, 0, 0),
    COIF_ARG_CHOICE(dish, kind, KINDS, "soup or stew"),
    COIF_ARG(dish, hot, COIF_PARAM_BOOL, "", "straight from the stove"),
    COIF_ARG(dish, size, COIF_ARG_BYTES, "SIZE", "of the plate"),
};
// clang-format on

// Zeroed, an arena is empty; what the tests leave in it goes with the program.
static coif_arena arena = {.name = "option test"};

// Words are separated by blanks.
static coif_status read_line(dish *dish_out, const char *line, coif_error *error)
{
    static char copy[512];
    static char *items[32];
    coif_words words = {.items = items};
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        items[words.count++] = word;
    }
    *dish_out = (dish){0};
    *error = (coif_error){0};
    const coif_args options = {ROWS, COIF_COUNT_OF(ROWS), dish_out};
    coif_args_init(&options);
    return coif_args_read(&options, 1, &words, false, &arena, error);
}

static void absent_options_have_their_defaults(void)
{
    dish made;
    coif_error error;
    CHECK_OK(read_line(&made, "broth", &error), error);
    CHECK_TEXT(made.name, "broth");
    CHECK(made.count == 2 && made.weight == 0.5f && made.kind == 0 && made.hot == 0);
    CHECK(made.sauce == NULL && made.spices.count == 0 && made.frames.step == 0 && made.size == 0);
}

static void every_kind_of_value_is_read(void)
{
    dish made;
    coif_error error;
    CHECK_OK(read_line(&made,
                       "--sauce=a=b broth --count 7 --weight -1.5 --kind stew --hot --size 1.5K "
                       "--frames 2-8x3 --spices salt --spices=pepper ann bob",
                       &error),
             error);
    CHECK_TEXT(made.sauce, "a=b");
    CHECK(made.count == 7 && made.weight == -1.5f && made.kind == 1 && made.hot == 1);
    CHECK(made.size == 1536);
    CHECK(made.frames.first == 2 && made.frames.last == 8 && made.frames.step == 3);
    CHECK(made.spices.count == 2 && made.guests.count == 2);
    CHECK_TEXT(made.spices.items[1], "pepper");
    CHECK_TEXT(made.guests.items[1], "bob");
    CHECK_OK(read_line(&made, "broth --hot=true --hot=false", &error), error);
    CHECK(made.hot == 0);
}

static void words_behind_two_dashes_are_no_options(void)
{
    dish made;
    coif_error error;
    CHECK_OK(read_line(&made, "-- --hot -", &error), error);
    CHECK_TEXT(made.name, "--hot");
    CHECK(made.hot == 0 && made.guests.count == 1);
}

static void mistakes_say_what_is_wrong(void)
{
    static const char *const lines[][2] = {
        {"", "NAME is missing: what it is called"},
        {"a --huot", "unknown option '--huot'; did you mean '--hot'?"},
        {"a --huot=1", "unknown option '--huot'; did you mean '--hot'?"},
        {"a -x", "unknown option '-x'"},
        {"a --sauce", "--sauce needs a value: --sauce TEXT"},
        {"a --sauce --hot", "--sauce needs a value"},
        {"a --count 11", "--count: 11 is outside 1 to 10"},
        {"a --count 1e99", "is outside 1 to 10"},
        {"a --count 3.5", "'3.5' is not a whole number"},
        {"a --count nan", "'nan' is not a number"},
        {"a --count=", "'' is not a number"},
        {"a --weight 1kg", "'1kg' is not a number"},
        {"a --weight inf", "'inf' is not a number"},
        {"a --kind stwe", "--kind: 'stwe' is none of soup|stew; did you mean 'stew'?"},
        {"a --hot=1", "'1' is neither true nor false"},
        {"a --size -4", "'-4' is not a size"},
        {"a --size 4T", "'4T' is not a size"},
        {"a --size K", "'K' is not a size"},
        {"a --frames 8-2", "last frame is before the first"},
    };
    for (size_t i = 0; i < COIF_COUNT_OF(lines); ++i) {
        dish made;
        coif_error error;
        CHECK(read_line(&made, lines[i][0], &error) == COIF_ERR_ARGUMENT);
        CHECK_CONTAINS(error.text, lines[i][1]);
    }
}

static void help_shows_each_row_once(void)
{
    char text[4096] = "";
    FILE *stream = fmemopen(text, sizeof text - 1, "w");
    coif_args_usage(ROWS, COIF_COUNT_OF(ROWS), stream);
    coif_args_explain(ROWS, COIF_COUNT_OF(ROWS), true, stream);
    coif_args_explain(ROWS, COIF_COUNT_OF(ROWS), false, stream);
    fclose(stream);
    CHECK_CONTAINS(text, " NAME [GUESTS...]");
    CHECK_CONTAINS(text, "  --count N                 how many (default: 2)\n");
    CHECK_CONTAINS(text, "  --kind soup|stew          soup or stew (default: soup)\n");
    CHECK_CONTAINS(text, "  --hot                     straight from the stove\n");
    CHECK_CONTAINS(text, "  --frames A-B ");
}

TEST_LIST(TEST(absent_options_have_their_defaults), TEST(every_kind_of_value_is_read),
          TEST(words_behind_two_dashes_are_no_options), TEST(mistakes_say_what_is_wrong),
          TEST(help_shows_each_row_once))
