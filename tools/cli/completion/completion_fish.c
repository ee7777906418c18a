#include "tools/cli/completion/completion.h"

static void print_quoted(const char *text)
{
    printf("'");
    for (; *text != '\0'; ++text) {
        printf("%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    }
    printf("'");
}

static void print_choices(const coif_param *row)
{
    printf(" -a '");
    for (size_t c = 0; row->choices[c] != NULL; ++c) {
        printf("%s%s", c > 0 ? " " : "", row->choices[c]);
    }
    printf("'");
}

// -r: something follows, which may be a file; -x: something that is none.
static void print_row(const coif_param *row, const char *command)
{
    printf("complete -c coif");
    if (command != NULL) {
        printf(" -n '__fish_seen_subcommand_from %s'", command);
    }
    if (coif_completion_is_option(row)) {
        char name[64];
        coif_arg_name(name, row);
        printf(" -l %s", name + 2);
        printf("%s", row->type == COIF_PARAM_BOOL   ? ""
                     : row->type == COIF_PARAM_PATH ? " -r"
                                                    : " -x");
    } else {
        printf(" -f");
    }
    if (row->type == COIF_PARAM_CHOICE) {
        print_choices(row);
    }
    printf(" -d ");
    print_quoted(row->help);
    printf("\n");
}

static void print_rows(const coif_param *rows, uint32_t row_count, const char *command)
{
    for (uint32_t i = 0; i < row_count; ++i) {
        if (coif_completion_is_option(&rows[i]) || rows[i].type == COIF_PARAM_CHOICE) {
            print_row(&rows[i], command);
        }
    }
}

void coif_completion_fish(void)
{
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        printf("complete -c coif -n __fish_use_subcommand -f -a %s -d ", COIF_COMMANDS[i]->name);
        print_quoted(COIF_COMMANDS[i]->help);
        printf("\n");
        print_rows(COIF_COMMANDS[i]->options, COIF_COMMANDS[i]->option_count,
                   COIF_COMMANDS[i]->name);
    }
    print_rows(COIF_GLOBAL_OPTIONS, COIF_GLOBAL_OPTION_COUNT, NULL);
}
