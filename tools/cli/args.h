// option: the command line as a table of rows.
//
// Options are declared with the same rows as scene parameters, so checking, --help and completion
// come from one place. A field delete_frames is the option --delete-frames; a row with
// COIF_ARG_ARGUMENT is a word without dashes, shown in capitals. Rows fill a plain struct.
#ifndef COIF_TOOLS_CLI_ARGS_H
#define COIF_TOOLS_CLI_ARGS_H

#include "core/scene/params.h"

#include <stdio.h>

// Kinds of values only a command line has, beside COIF_PARAM_...
enum {
    COIF_ARG_FRAMES = 100, // coif_frame_range: 7, 1-48, 1-48x2
    COIF_ARG_LIST = 101,   // coif_text_list: may be given again and again
    COIF_ARG_BYTES = 102   // int64_t: 800M, 4G
};

enum {
    COIF_ARG_ARGUMENT = 1 << 16, // a word by its place, not by a name
    COIF_ARG_REQUIRED = 1 << 17  // absence is an error
};

typedef struct coif_text_list {
    const char **items;
    int32_t count;
} coif_text_list;

// A switch, a text, a path, a list or a range; the unit is what --help shows for the value.
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

// A word by its place that must be there.
#define COIF_ARGUMENT(type_, field_, help_)                                                        \
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, type_, field_, COIF_PARAM_PATH, "", help_)

#define COIF_ARG_NUMBER(type_, field_, kind_, value_, help_, fallback_, low_, high_)               \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = value_, .type = kind_,                             \
        .offset = offsetof(type_, field_), .fallback = {fallback_}, .low = low_, .high = high_     \
    }

// One of a few words; the first is the default.
#define COIF_ARG_CHOICE(type_, field_, choices_, help_)                                            \
    {                                                                                              \
        .name = #field_, .help = help_, .unit = "", .type = COIF_PARAM_CHOICE,                     \
        .offset = offsetof(type_, field_), .choices = choices_                                     \
    }

// Rows and the struct they fill.
typedef struct coif_args {
    const coif_param *rows;
    uint32_t row_count;
    void *values;
} coif_args;

// The words still to be read; reading moves next.
typedef struct coif_words {
    char **items;
    int32_t count;
    int32_t next;
} coif_words;

// Puts defaults into the struct.
void coif_args_init(const coif_args *options);

// Reads options of any of the tables until the words end; words without dashes fill the ARGUMENT
// rows in order. With until_word reading stops at the first such word instead. Errors are
// COIF_ERR_ARGUMENT and name the nearest option.
coif_status coif_args_read(const coif_args *tables, int32_t table_count, coif_words *words,
                           bool until_word, coif_arena *arena, coif_error *error);

// The lines of --help for the rows with (or without) COIF_ARG_ARGUMENT.
void coif_args_explain(const coif_param *rows, uint32_t row_count, bool arguments, FILE *stream);

// " SCENE OUT [GROOM]": arguments as the usage line shows them.
void coif_args_usage(const coif_param *rows, uint32_t row_count, FILE *stream);

// Name with dashes: --delete-frames, or in capitals for an argument. Buffer holds at least 64.
void coif_arg_name(char *buffer, const coif_param *row);

#endif
