// args: parsing and help of command line options.
#include "tools/cli/args.h"

#include "core/base/fs.h"
#include "tests/support/test.h"

typedef struct encode_options {
    const char *input;
    const char *title;
    coif_text_list tags, files;
    coif_frame_range frames;
    int32_t count, force, codec;
    float gain;
    int64_t size;
} encode_options;

static const char *const CODECS[] = {"h264", "prores", NULL};

// clang-format off
static const coif_param ROWS[] = {
    COIF_ARGUMENT(encode_options, input, "first file"),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, encode_options, files, COIF_ARG_LIST, "", "more files"),
    COIF_ARG(encode_options, title, COIF_PARAM_STRING, "TEXT", "title"),
    COIF_ARG(encode_options, tags, COIF_ARG_LIST, "TEXT", "tag; repeatable"),
    COIF_ARG(encode_options, frames, COIF_ARG_FRAMES, "", "frames"),
    COIF_ARG_NUMBER(encode_options, count, COIF_PARAM_INT, "N", "number of passes", 2, 1, 10),
    COIF_ARG_NUMBER(encode_options, gain, COIF_PARAM_FLOAT, "STOPS", "gain", 0.5, 0, 0),
    COIF_ARG_HEADING("output options"),
    COIF_ARG_CHOICE(encode_options, codec, CODECS, "codec"),
    COIF_ARG(encode_options, force, COIF_PARAM_BOOL, "", "overwrite an existing file without asking, which is never done for a file that is open"),
    COIF_ARG(encode_options, size, COIF_ARG_BYTES, "SIZE", "maximum size of the file"),
};
// clang-format on

// Zero-initialised, an arena is empty; freed at exit.
static coif_arena arena = {.name = "args test"};

// Parses a line whose words are separated by blanks.
static coif_status read_line(encode_options *options, const char *line, coif_error *error)
{
    static char copy[512];
    static char *items[32];
    coif_words words = {.items = items};
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        items[words.count++] = word;
    }
    *options = (encode_options){0};
    *error = (coif_error){0};
    const coif_args args = {ROWS, COIF_COUNT_OF(ROWS), options};
    coif_args_init(&args);
    return coif_args_read(&args, 1, &words, false, &arena, error);
}

TEST(missing_options_have_their_defaults)
{
    encode_options made;
    coif_error error;
    CHECK_OK(read_line(&made, "a.png", &error), error);
    CHECK_TEXT(made.input, "a.png");
    CHECK(made.count == 2 && made.gain == 0.5f && made.codec == 0 && made.force == 0);
    CHECK(made.title == NULL && made.tags.count == 0 && made.frames.step == 0 && made.size == 0);
}

TEST(every_type_of_value_is_parsed)
{
    encode_options made;
    coif_error error;
    CHECK_OK(read_line(&made,
                       "--title=a=b a.png --count 7 --gain -1.5 --codec prores --force --size 1.5K "
                       "--frames 2-8x3 --tags x --tags=y b.png c.png",
                       &error),
             error);
    CHECK_TEXT(made.title, "a=b");
    CHECK(made.count == 7 && made.gain == -1.5f && made.codec == 1 && made.force == 1);
    CHECK(made.size == 1536);
    CHECK(made.frames.first == 2 && made.frames.last == 8 && made.frames.step == 3);
    CHECK(made.tags.count == 2 && made.files.count == 2);
    CHECK_TEXT(made.tags.items[1], "y");
    CHECK_TEXT(made.files.items[1], "c.png");
    CHECK_OK(read_line(&made, "a.png --force=true --force=false", &error), error);
    CHECK(made.force == 0);
}

TEST(words_after_two_dashes_are_arguments)
{
    encode_options made;
    coif_error error;
    CHECK_OK(read_line(&made, "-- --force -", &error), error);
    CHECK_TEXT(made.input, "--force");
    CHECK(made.force == 0 && made.files.count == 1);
}

TEST(errors_name_the_option_and_the_value)
{
    static const char *const lines[][2] = {
        {"", "INPUT is missing: first file"},
        {"a --froce", "unknown option '--froce'; did you mean '--force'?"},
        {"a --froce=1", "unknown option '--froce'; did you mean '--force'?"},
        {"a -x", "unknown option '-x'"},
        {"a --title", "--title needs a value: --title TEXT"},
        {"a --title --force", "--title needs a value"},
        {"a --count 11", "--count: 11 is outside 1 to 10"},
        {"a --count 1e99", "is outside 1 to 10"},
        {"a --count 3.5", "'3.5' is not a whole number"},
        {"a --count nan", "'nan' is not a number"},
        {"a --count=", "'' is not a number"},
        {"a --gain 1kg", "'1kg' is not a number"},
        {"a --gain inf", "'inf' is not a number"},
        {"a --codec prorse", "'prorse' is none of h264|prores; did you mean 'prores'?"},
        {"a --force=1", "'1' is neither true nor false"},
        {"a --size -4", "'-4' is not a size"},
        {"a --size 4T", "'4T' is not a size"},
        {"a --size K", "'K' is not a size"},
        {"a --frames 8-2", "last frame is before the first"},
        {"a --picture x", "option '--picture' was renamed to '--image'"},
    };
    for (size_t i = 0; i < COIF_COUNT_OF(lines); ++i) {
        encode_options made;
        coif_error error;
        CHECK(read_line(&made, lines[i][0], &error) == COIF_ERR_ARGUMENT);
        CHECK_CONTAINS(error.text, lines[i][1]);
    }
}

TEST(help_lists_arguments_and_titled_options)
{
    char text[4096] = "";
    FILE *stream = fmemopen(text, sizeof text - 1, "w");
    coif_args_usage(ROWS, COIF_COUNT_OF(ROWS), stream);
    coif_args_explain(ROWS, COIF_COUNT_OF(ROWS), true, stream);
    coif_args_explain(ROWS, COIF_COUNT_OF(ROWS), false, stream);
    fclose(stream);
    CHECK_CONTAINS(text, " INPUT [FILES...]\narguments:\n  INPUT                     first file\n");
    CHECK_CONTAINS(text, "\noptions:\n  --title TEXT              title\n");
    CHECK_CONTAINS(text, "  --count N                 number of passes (default: 2)\n");
    CHECK_CONTAINS(text, "  --frames A-B ");
    CHECK_CONTAINS(text, "\noutput options:\n"
                         "  --codec h264|prores       codec (default: h264)\n");
    // Wrapped before column 100, indented to the column of the help.
    CHECK_CONTAINS(text, "  --force                   overwrite an existing file without asking, "
                         "which is never done for a\n"
                         "                            file that is open\n");
}
