#include "tools/cli/args.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/frame_list.h"
#include "core/base/fs.h"
#include "core/base/nearest_name.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64, HELP_COLUMN = 28, HELP_WIDTH = 100, MAX_NAMES = 64 };

static bool is_argument(const coif_param *row)
{
    return (row->flags & COIF_ARG_ARGUMENT) != 0;
}

static void *field_of(const coif_args *args, const coif_param *row)
{
    return (char *)args->values + row->offset;
}

void coif_arg_name(char *buffer, const coif_param *row)
{
    const bool argument = is_argument(row);
    size_t length = 0;
    buffer[0] = '\0';
    if (row->name == NULL) {
        return;
    }
    if (!argument) {
        buffer[length++] = '-';
        buffer[length++] = '-';
    }
    for (const char *letter = row->name; *letter != '\0' && length + 1 < NAME_SIZE; ++letter) {
        const char dashed = *letter == '_' ? '-' : *letter;
        buffer[length++] = argument ? (char)toupper((unsigned char)dashed) : dashed;
    }
    buffer[length] = '\0';
}

// Placeholder of the value in --help: DIR, N, text|json. Empty for a flag.
static void value_placeholder(char *buffer, size_t size, const coif_param *row)
{
    buffer[0] = '\0';
    if (row->unit != NULL && row->unit[0] != '\0') {
        snprintf(buffer, size, "%s", row->unit);
    } else if (row->type == COIF_PARAM_CHOICE) {
        for (size_t i = 0, used = 0; row->choices[i] != NULL && used < size; ++i) {
            used += (size_t)snprintf(buffer + used, size - used, "%s%s", i > 0 ? "|" : "",
                                     row->choices[i]);
        }
    } else if (row->type == COIF_ARG_FRAMES || row->type == COIF_ARG_FRAME_LIST) {
        snprintf(buffer, size, "A-B");
    } else if (row->type != COIF_PARAM_BOOL) {
        snprintf(buffer, size, "VALUE");
    }
}

static coif_status read_number(double *number, const char *text, const coif_param *row,
                               coif_error *error)
{
    char name[NAME_SIZE];
    coif_arg_name(name, row);
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*number)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: '%s' is not a number", name, text);
    }
    if (row->type == COIF_PARAM_INT && floor(*number) != *number) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: '%s' is not a whole number", name, text);
    }
    if (row->low < row->high && (*number < row->low || *number > row->high)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: %s is outside %g to %g", name, text,
                         row->low, row->high);
    }
    return COIF_OK;
}

coif_suggestion coif_suggest(const char *name, const char *const *names, size_t count,
                             const char *fallback)
{
    coif_suggestion suggestion;
    const char *nearest = coif_nearest_name(name, names, count);
    snprintf(suggestion.text, sizeof suggestion.text,
             nearest != NULL ? "; did you mean '%s'?" : "%s", nearest != NULL ? nearest : fallback);
    return suggestion;
}

static coif_status read_choice(int32_t *choice, const char *text, const coif_param *row,
                               coif_error *error)
{
    char name[NAME_SIZE], list[256];
    size_t count = 0;
    for (; row->choices[count] != NULL; ++count) {
        if (strcmp(row->choices[count], text) == 0) {
            *choice = (int32_t)count;
            return COIF_OK;
        }
    }
    coif_arg_name(name, row);
    value_placeholder(list, sizeof list, row);
    return coif_fail(error, COIF_ERR_ARGUMENT, "%s: '%s' is none of %s%s", name, text, list,
                     coif_suggest(text, row->choices, count, "").text);
}

// 4096, 512K, 800M, 4G: powers of 1024.
static coif_status read_bytes(int64_t *bytes, const char *text, const coif_param *row,
                              coif_error *error)
{
    char name[NAME_SIZE];
    char *end;
    const double number = strtod(text, &end);
    double unit = 1.0;
    switch (*end) {
    case 'K':
        unit = 1024.0;
        break;
    case 'M':
        unit = 1048576.0;
        break;
    case 'G':
        unit = 1073741824.0;
        break;
    default:
        break;
    }
    end += unit > 1.0;
    if (end == text || *end != '\0' || !(number > 0.0) || !(number * unit < 9e15)) {
        coif_arg_name(name, row);
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: '%s' is not a size such as 800M or 4G",
                         name, text);
    }
    *bytes = (int64_t)(number * unit);
    return COIF_OK;
}

static coif_status read_flag(int32_t *value, const char *text, const coif_param *row,
                             coif_error *error)
{
    char name[NAME_SIZE];
    if (text == NULL || strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *value = text == NULL || text[0] == 't';
        return COIF_OK;
    }
    coif_arg_name(name, row);
    return coif_fail(error, COIF_ERR_ARGUMENT, "%s: '%s' is neither true nor false", name, text);
}

static void append(coif_text_list *list, const char *text, const coif_words *words,
                   coif_arena *arena)
{
    if (list->items == NULL) {
        list->items = coif_arena_new(arena, words->count, const char *);
    }
    list->items[list->count++] = text;
}

// Text is NULL only for a flag without "=".
static coif_status store(const coif_args *args, const coif_param *row, const char *text,
                         coif_arena *arena, coif_error *error)
{
    void *field = field_of(args, row);
    double number;
    switch (row->type) {
    case COIF_PARAM_BOOL:
        return read_flag(field, text, row, error);
    case COIF_PARAM_CHOICE:
        return read_choice(field, text, row, error);
    case COIF_PARAM_INT:
        COIF_TRY(read_number(&number, text, row, error));
        *(int32_t *)field = (int32_t)number;
        return COIF_OK;
    case COIF_PARAM_FLOAT:
        COIF_TRY(read_number(&number, text, row, error));
        *(float *)field = (float)number;
        return COIF_OK;
    case COIF_ARG_FRAMES:
        return coif_frame_range_parse(field, text, error);
    case COIF_ARG_FRAME_LIST:
        return coif_frame_list_parse(field, text, arena, error);
    case COIF_ARG_BYTES:
        return read_bytes(field, text, row, error);
    default:
        *(const char **)field = text;
        return COIF_OK;
    }
}

void coif_args_init(const coif_args *args)
{
    for (uint32_t i = 0; i < args->row_count; ++i) {
        const coif_param *row = &args->rows[i];
        void *field = field_of(args, row);
        if (row->type == COIF_PARAM_INT || row->type == COIF_PARAM_BOOL ||
            row->type == COIF_PARAM_CHOICE) {
            *(int32_t *)field = (int32_t)row->fallback[0];
        } else if (row->type == COIF_PARAM_FLOAT) {
            *(float *)field = (float)row->fallback[0];
        }
    }
}

// The row of an option of the given length ("--out" of "--out=x"), and its table.
static const coif_param *find_row(const coif_args **owner, const coif_args *tables,
                                  int32_t table_count, const char *word, size_t length)
{
    for (int32_t t = 0; t < table_count; ++t) {
        for (uint32_t i = 0; i < tables[t].row_count; ++i) {
            char name[NAME_SIZE];
            coif_arg_name(name, &tables[t].rows[i]);
            if (strlen(name) == length && memcmp(name, word, length) == 0) {
                *owner = &tables[t];
                return &tables[t].rows[i];
            }
        }
    }
    return NULL;
}

// Options by their former and their present name.
static const char *const FORMER_OPTIONS[][2] = {
    {"--redo", "--force"},       {"--keep", "--keep-checkpoint"}, {"--isa", "--embree-isa"},
    {"--clay", "--bodies-only"}, {"--picture", "--image"},        {"--setting", "--hairball"},
    {"--sky", "--environment"},
};

static coif_status unknown_option(const coif_args *tables, int32_t table_count, const char *word,
                                  coif_error *error)
{
    char names[MAX_NAMES][NAME_SIZE], given[NAME_SIZE];
    const char *pointers[MAX_NAMES];
    size_t count = 0;
    for (int32_t t = 0; t < table_count; ++t) {
        for (uint32_t i = 0; i < tables[t].row_count && count < MAX_NAMES; ++i) {
            if (tables[t].rows[i].name != NULL && !is_argument(&tables[t].rows[i])) {
                coif_arg_name(names[count], &tables[t].rows[i]);
                pointers[count] = names[count];
                ++count;
            }
        }
    }
    snprintf(given, sizeof given, "%.*s", (int)strcspn(word, "="), word);
    for (size_t i = 0; i < COIF_COUNT_OF(FORMER_OPTIONS); ++i) {
        if (strcmp(given, FORMER_OPTIONS[i][0]) == 0) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "option '%s' was renamed to '%s'", given,
                             FORMER_OPTIONS[i][1]);
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "unknown option '%s'%s", given,
                     coif_suggest(given, pointers, count, "").text);
}

static coif_status read_option(const coif_args *tables, int32_t table_count, coif_words *words,
                               coif_arena *arena, coif_error *error)
{
    const char *word = words->items[words->next++];
    const size_t length = strcspn(word, "=");
    const coif_args *owner = NULL;
    const coif_param *row = find_row(&owner, tables, table_count, word, length);
    if (row == NULL) {
        return unknown_option(tables, table_count, word, error);
    }
    const char *text = word[length] == '=' ? word + length + 1 : NULL;
    if (text == NULL && row->type != COIF_PARAM_BOOL) {
        const bool present =
            words->next < words->count && strncmp(words->items[words->next], "--", 2) != 0;
        if (!present) {
            char value[256];
            value_placeholder(value, sizeof value, row);
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s needs a value: %s %s", word, word,
                             value);
        }
        text = words->items[words->next++];
    }
    if (row->type == COIF_ARG_LIST) {
        append(field_of(owner, row), text, words, arena);
        return COIF_OK;
    }
    return store(owner, row, text, arena, error);
}

// The row of a positional argument; a LIST row takes all remaining words.
static const coif_param *argument_row(const coif_args **owner, const coif_args *tables,
                                      int32_t table_count, int32_t index)
{
    for (int32_t t = 0; t < table_count; ++t) {
        for (uint32_t i = 0; i < tables[t].row_count; ++i) {
            const coif_param *row = &tables[t].rows[i];
            if (is_argument(row) && (index-- == 0 || row->type == COIF_ARG_LIST)) {
                *owner = &tables[t];
                return row;
            }
        }
    }
    return NULL;
}

static coif_status read_argument(const coif_args *tables, int32_t table_count, int32_t index,
                                 coif_words *words, coif_arena *arena, coif_error *error)
{
    const char *word = words->items[words->next++];
    const coif_args *owner = NULL;
    const coif_param *row = argument_row(&owner, tables, table_count, index);
    if (row == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "unexpected argument '%s'", word);
    }
    if (row->type == COIF_ARG_LIST) {
        append(field_of(owner, row), word, words, arena);
        return COIF_OK;
    }
    return store(owner, row, word, arena, error);
}

// Required rows are texts or lists, so that a NULL field is a missing one. A required choice is a
// positional argument before one of these.
static coif_status check_required(const coif_args *tables, int32_t table_count, coif_error *error)
{
    for (int32_t t = 0; t < table_count; ++t) {
        for (uint32_t i = 0; i < tables[t].row_count; ++i) {
            const coif_param *row = &tables[t].rows[i];
            if ((row->flags & COIF_ARG_REQUIRED) != 0 && row->type != COIF_PARAM_CHOICE &&
                *(const char *const *)field_of(&tables[t], row) == NULL) {
                char name[NAME_SIZE];
                coif_arg_name(name, row);
                return coif_fail(error, COIF_ERR_ARGUMENT, "%s is missing: %s", name, row->help);
            }
        }
    }
    return COIF_OK;
}

coif_status coif_args_read(const coif_args *tables, int32_t table_count, coif_words *words,
                           bool until_word, coif_arena *arena, coif_error *error)
{
    int32_t index = 0;
    bool options = true;
    while (words->next < words->count) {
        const char *word = words->items[words->next];
        if (options && strcmp(word, "--") == 0) {
            options = false;
            ++words->next;
        } else if (options && word[0] == '-' && word[1] != '\0') {
            COIF_TRY(read_option(tables, table_count, words, arena, error));
        } else if (until_word) {
            return COIF_OK;
        } else {
            COIF_TRY(read_argument(tables, table_count, index++, words, arena, error));
        }
    }
    return until_word ? COIF_OK : check_required(tables, table_count, error);
}

// Words of text from a column on, broken before HELP_WIDTH and indented to HELP_COLUMN.
static void print_wrapped(const char *text, FILE *stream)
{
    int column = HELP_COLUMN;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + length > HELP_WIDTH) {
            fprintf(stream, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        column += fprintf(stream, "%s%.*s", column > HELP_COLUMN ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    fputc('\n', stream);
}

static void explain_row(const coif_param *row, FILE *stream)
{
    char name[NAME_SIZE], value[256] = "", help[512];
    coif_arg_name(name, row);
    if (!is_argument(row)) {
        value_placeholder(value, sizeof value, row);
    }
    const int width = fprintf(stream, "  %s%s%s", name, value[0] != '\0' ? " " : "", value);
    if (width + 1 >= HELP_COLUMN) {
        fprintf(stream, "\n%*s", HELP_COLUMN, "");
    } else {
        fprintf(stream, "%*s", HELP_COLUMN - width, "");
    }
    // A default outside of the range means "not given"; the help text states what happens then.
    const bool in_range = row->low == row->high || row->fallback[0] >= row->low;
    if ((row->type == COIF_PARAM_INT || row->type == COIF_PARAM_FLOAT) && in_range) {
        snprintf(help, sizeof help, "%s (default: %g)", row->help, row->fallback[0]);
    } else if (row->type == COIF_PARAM_CHOICE && (row->flags & COIF_ARG_REQUIRED) == 0) {
        snprintf(help, sizeof help, "%s (default: %s)", row->help,
                 row->choices[(int32_t)row->fallback[0]]);
    } else {
        snprintf(help, sizeof help, "%s", row->help);
    }
    print_wrapped(help, stream);
}

void coif_args_explain(const coif_param *rows, uint32_t row_count, bool arguments, FILE *stream)
{
    const char *title = arguments ? "arguments" : "options";
    for (uint32_t i = 0; i < row_count; ++i) {
        if (rows[i].name == NULL) {
            title = rows[i].help;
        } else if (is_argument(&rows[i]) == arguments) {
            if (title != NULL) {
                fprintf(stream, "\n%s:\n", title);
                title = NULL;
            }
            explain_row(&rows[i], stream);
        }
    }
}

void coif_args_usage(const coif_param *rows, uint32_t row_count, FILE *stream)
{
    for (uint32_t i = 0; i < row_count; ++i) {
        if (is_argument(&rows[i])) {
            char name[NAME_SIZE];
            coif_arg_name(name, &rows[i]);
            const bool required = (rows[i].flags & COIF_ARG_REQUIRED) != 0;
            const char *more = rows[i].type == COIF_ARG_LIST ? "..." : "";
            fprintf(stream, required ? " %s%s" : " [%s%s]", name, more);
        }
    }
}
