#include "tools/cli/completion/completion.h"

#include <string.h>

// In single quotes, with a backslash before what _arguments and _describe give a meaning.
static void print_escaped(const char *text, const char *special)
{
    for (; *text != '\0'; ++text) {
        if (*text == '\'') {
            printf("'\\''");
        } else {
            printf("%s%c", strchr(special, *text) != NULL ? "\\" : "", *text);
        }
    }
}

// What may stand behind an option: files, one of a few words, or whatever its unit says.
static void print_value(const coif_param *row)
{
    if (row->type == COIF_PARAM_BOOL) {
        return;
    }
    printf(":");
    print_escaped(row->unit[0] != '\0' ? row->unit : row->name, ":\\");
    if (row->type == COIF_PARAM_PATH) {
        printf(":_files");
    } else if (row->type == COIF_PARAM_CHOICE) {
        printf(":(");
        for (size_t c = 0; row->choices[c] != NULL; ++c) {
            printf("%s%s", c > 0 ? " " : "", row->choices[c]);
        }
        printf(")");
    } else {
        printf(": ");
    }
}

// '--frames=[frames to render]:A-B: '
static void print_options(const coif_param *rows, uint32_t row_count, const char *margin)
{
    for (uint32_t i = 0; i < row_count; ++i) {
        if (coif_completion_is_option(&rows[i])) {
            char name[64];
            coif_arg_name(name, &rows[i]);
            printf("%s'%s%s%s[", margin, rows[i].type == COIF_ARG_LIST ? "*" : "", name,
                   rows[i].type == COIF_PARAM_BOOL ? "" : "=");
            print_escaped(rows[i].help, "[]:\\");
            printf("]");
            print_value(&rows[i]);
            printf("'\n");
        }
    }
}

// Words by their place: those of a choice, else files.
static void print_words(const coif_command *command)
{
    for (uint32_t i = 0; i < command->option_count; ++i) {
        if (!coif_completion_is_option(&command->options[i]) &&
            command->options[i].type == COIF_PARAM_CHOICE) {
            printf("            '1");
            print_value(&command->options[i]);
            printf("'\n");
        }
    }
    printf("            '*:file:_files'\n");
}

static void print_command(const coif_command *command)
{
    printf("    %s)\n        options=(\n", command->name);
    print_options(command->options, command->option_count, "            ");
    print_words(command);
    printf("        )\n        ;;\n");
}

void coif_completion_zsh(void)
{
    printf("#compdef coif\n"
           "_coif() {\n"
           "    local -a commands everywhere options\n"
           "    local -i place\n"
           "    local command=\n"
           "    commands=(\n");
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        printf("        '%s:", COIF_COMMANDS[i]->name);
        print_escaped(COIF_COMMANDS[i]->help, ":\\");
        printf("'\n");
    }
    printf("    )\n    everywhere=(\n");
    print_options(COIF_GLOBAL_OPTIONS, COIF_GLOBAL_OPTION_COUNT, "        ");
    printf("    )\n"
           "    for ((place = 2; place < CURRENT; ++place)); do\n"
           "        if (( ${commands[(I)${words[place]}:*]} )); then\n"
           "            command=${words[place]}\n"
           "            break\n"
           "        fi\n"
           "    done\n"
           "    case $command in\n");
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        print_command(COIF_COMMANDS[i]);
    }
    printf("    *)\n"
           "        [[ ${words[CURRENT]} == -* ]] || { _describe command commands; return }\n"
           "        _arguments $everywhere\n"
           "        return\n"
           "        ;;\n"
           "    esac\n"
           "    words=(coif ${words[place + 1, -1]})\n"
           "    (( CURRENT -= place - 1 ))\n"
           "    _arguments $everywhere $options\n"
           "}\n"
           "if [[ ${funcstack[1]} == _coif ]]; then\n"
           "    _coif \"$@\"\n" // found as a file of the search path
           "else\n"
           "    compdef _coif coif\n"
           "fi\n");
}
