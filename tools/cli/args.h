// args: command line options as a table.
//
// Options are declared by the same coif_param rows as scene parameters, from which parsing, --help
// and completion are derived. The field delete_frames is the option --delete-frames; a row with
// COIF_ARG_ARGUMENT is a positional argument, shown in capitals. Parsing fills a plain struct.
#ifndef COIF_TOOLS_CLI_ARGS_H
#define COIF_TOOLS_CLI_ARGS_H

#include "core/scene/params.h"

#include <stdio.h>

// Types of command line values in addition to COIF_PARAM_...
enum {
    COIF_ARG_FRAMES = 100,    // coif_frame_range: 7, 1-48, 1-48x2
    COIF_ARG_LIST = 101,      // coif_text_list: repeatable
    COIF_ARG_BYTES = 102,     // int64_t: 800M, 4G
    COIF_ARG_FRAME_LIST = 103 // coif_frame_list: 12.5, 1-24x0.5, 2,5,9-20x3
};

enum {
    COIF_ARG_ARGUMENT = 1 << 16, // positional
    COIF_ARG_REQUIRED = 1 << 17  // an error when missing
};

typedef struct coif_text_list {
    const char **items;
    int32_t count;
} coif_text_list;

// A title in --help for the options after it; has no field.
#define COIF_ARG_HEADING(title_)                                                                   \
    {                                                                                              \
        .help = title_                                                                             \
    }

// A flag, text, path, list or range; value_ is the placeholder in --help.
#define COIF_ARG(type_, field_, kind_, value_, help_)                                              \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = value_, .type = kind_,                             \
        .offset = offsetof(type_, field_)                                                          \
    }

// The same with flags: COIF_ARG_ARGUMENT, COIF_ARG_REQUIRED.
#define COIF_ARG_WITH(flags_, type_, field_, kind_, value_, help_)                                 \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = value_, .type = kind_, .flags = flags_,            \
        .offset = offsetof(type_, field_)                                                          \
    }

// A required positional argument.
#define COIF_ARGUMENT(type_, field_, help_)                                                        \
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, type_, field_, COIF_PARAM_PATH, "", help_)

#define COIF_ARG_NUMBER(type_, field_, kind_, value_, help_, fallback_, low_, high_)               \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = value_, .type = kind_,                             \
        .offset = offsetof(type_, field_), .fallback = {fallback_}, .low = low_, .high = high_     \
    }

// One of the choices; the first is the default.
#define COIF_ARG_CHOICE(type_, field_, choices_, help_)                                            \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = "", .type = COIF_PARAM_CHOICE,                     \
        .offset = offsetof(type_, field_), .choices = choices_                                     \
    }

// A table and the struct it fills.
typedef struct coif_args {
    const coif_param *rows;
    uint32_t row_count;
    void *values;
} coif_args;

// The arguments of main; next is the first that has not been parsed.
typedef struct coif_words {
    char **items;
    int32_t count;
    int32_t next;
} coif_words;

// Stores the defaults.
void coif_args_init(const coif_args *args);

// Parses options of any of the tables; words without dashes fill the positional arguments in order,
// or end parsing with until_word. Errors are COIF_ERR_ARGUMENT and suggest the nearest option.
coif_status coif_args_read(const coif_args *tables, int32_t table_count, coif_words *words,
                           bool until_word, coif_arena *arena, coif_error *error);

// Prints the titled lists of --help for the positional arguments, or for the options.
void coif_args_explain(const coif_param *rows, uint32_t row_count, bool arguments, FILE *stream);

// Prints the positional arguments of the usage line: " SCENE OUT [GROOM]".
void coif_args_usage(const coif_param *rows, uint32_t row_count, FILE *stream);

// "; did you mean 'NAME'?" for the most similar of names, or fallback.
typedef struct coif_suggestion {
    char text[96];
} coif_suggestion;
coif_suggestion coif_suggest(const char *name, const char *const *names, size_t count,
                             const char *fallback);

// --delete-frames, SCENE for a positional argument, empty for a heading. Buffer holds at least 64
// bytes.
void coif_arg_name(char *buffer, const coif_param *row);

#endif
