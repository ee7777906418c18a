// coif completion: completion scripts for bash, zsh and fish, from the tables of --help.
#include "tools/cli/command.h"

#include <string.h>

enum { BASH, ZSH, FISH };
static const char *const SHELLS[] = {"bash", "zsh", "fish", NULL};

typedef struct completion_options {
    int32_t shell;
} completion_options;

// clang-format off
static const coif_param OPTIONS[] = {
    {.name = "shell", .help = "shell of the script: bash, zsh or fish", .unit = "", .type = COIF_PARAM_CHOICE,
     .flags = COIF_ARG_ARGUMENT, .offset = offsetof(completion_options, shell), .choices = SHELLS},
};
// clang-format on

// Prints one option or argument of a command; command is NULL for the global options.
typedef void print_arg(const coif_param *row, const char *name, const char *command);

// Calls print for the options of a command (NULL: the global ones), and for its arguments with
// choices.
static void for_each_arg(const coif_command *command, print_arg *print)
{
    const coif_param *rows = command != NULL ? command->options : COIF_GLOBAL_OPTIONS;
    const uint32_t count = command != NULL ? command->option_count : COIF_GLOBAL_OPTION_COUNT;
    for (uint32_t i = 0; i < count; ++i) {
        char name[64];
        coif_arg_name(name, &rows[i]);
        if (name[0] == '-' || rows[i].type == COIF_PARAM_CHOICE) {
            print(&rows[i], name, command != NULL ? command->name : NULL);
        }
    }
}

static void print_choices(const coif_param *row, const char *before, const char *after)
{
    printf("%s", before);
    for (size_t c = 0; row->choices[c] != NULL; ++c) {
        printf("%s%s", c > 0 ? " " : "", row->choices[c]);
    }
    printf("%s", after);
}

// The text inside single quotes, with a backslash before special characters.
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

static void print_command_names(const char *separator)
{
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        printf("%s%s", i > 0 ? separator : "", COIF_COMMANDS[i]->name);
    }
}

static void bash_name(const coif_param *row, const char *name, const char *command)
{
    (void)row, (void)command;
    if (name[0] == '-') {
        printf(" %s", name);
    }
}

// The choices that may follow an option of a command, or of any command.
static void bash_choices(const coif_param *row, const char *name, const char *command)
{
    if (row->type == COIF_PARAM_CHOICE && name[0] == '-') {
        printf("    %s' %s') ", command != NULL ? command : "*", name);
        print_choices(row, "choices=\"", "\" ;;\n");
    }
}

// Words that are neither options nor commands complete to file names.
static void print_bash(void)
{
    printf("_coif() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before command= options choices=\n"
           "    for before in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
           "        case $before in\n        ");
    print_command_names(" | ");
    printf(") command=$before; break ;;\n"
           "        esac\n"
           "    done\n"
           "    case \"$command ${COMP_WORDS[COMP_CWORD-1]}\" in\n");
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        for_each_arg(COIF_COMMANDS[i], bash_choices);
    }
    for_each_arg(NULL, bash_choices);
    printf("    esac\n"
           "    if [ -n \"$choices\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
           "        return\n"
           "    fi\n"
           "    case $command in\n");
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        printf("    %s) options=\"", COIF_COMMANDS[i]->name);
        for_each_arg(COIF_COMMANDS[i], bash_name);
        printf("\" ;;\n");
    }
    printf("    *) options=\"");
    print_command_names(" ");
    printf("\" ;;\n"
           "    esac\n"
           "    COMPREPLY=()\n"
           "    if [ -z \"$command\" ] || [[ $word == -* ]]; then\n"
           "        options+=\"");
    for_each_arg(NULL, bash_name);
    printf("\"\n"
           "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
           "    fi\n"
           "}\n"
           "complete -o default -F _coif coif\n");
}

// '--frames=[frames to render]:A-B: ', or '1:shell:(bash zsh fish)' for an argument.
static void zsh_arg(const coif_param *row, const char *name, const char *command)
{
    printf(command != NULL ? "            '" : "        '");
    if (name[0] == '-') {
        printf("%s%s%s[", row->type == COIF_ARG_LIST ? "*" : "", name,
               row->type == COIF_PARAM_BOOL ? "" : "=");
        print_escaped(row->help, "[]:\\");
        printf("]");
    } else {
        printf("1");
    }
    if (row->type != COIF_PARAM_BOOL) {
        printf(":");
        print_escaped(row->unit[0] != '\0' ? row->unit : row->name, ":\\");
        if (row->type == COIF_PARAM_CHOICE) {
            print_choices(row, ":(", ")");
        } else {
            printf(row->type == COIF_PARAM_PATH ? ":_files" : ": ");
        }
    }
    printf("'\n");
}

static void print_zsh(void)
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
    for_each_arg(NULL, zsh_arg);
    printf("    )\n"
           "    for ((place = 2; place < CURRENT; ++place)); do\n"
           "        if (( ${commands[(I)${words[place]}:*]} )); then\n"
           "            command=${words[place]}\n"
           "            break\n"
           "        fi\n"
           "    done\n"
           "    case $command in\n");
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        printf("    %s)\n        options=(\n", COIF_COMMANDS[i]->name);
        for_each_arg(COIF_COMMANDS[i], zsh_arg);
        printf("            '*:file:_files'\n        )\n        ;;\n");
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
           "    _coif \"$@\"\n" // loaded from the search path
           "else\n"
           "    compdef _coif coif\n"
           "fi\n");
}

static void fish_help(const char *help)
{
    printf(" -d '");
    for (; *help != '\0'; ++help) {
        printf("%s%c", *help == '\'' || *help == '\\' ? "\\" : "", *help);
    }
    printf("'\n");
}

// -r: a value that may be a file; -x: another value; -f: no file.
static void fish_arg(const coif_param *row, const char *name, const char *command)
{
    printf("complete -c coif");
    if (command != NULL) {
        printf(" -n '__fish_seen_subcommand_from %s'", command);
    }
    if (name[0] == '-') {
        printf(" -l %s%s", name + 2,
               row->type == COIF_PARAM_BOOL   ? ""
               : row->type == COIF_PARAM_PATH ? " -r"
                                              : " -x");
    } else {
        printf(" -f");
    }
    if (row->type == COIF_PARAM_CHOICE) {
        print_choices(row, " -a '", "'");
    }
    fish_help(row->help);
}

static void print_fish(void)
{
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        printf("complete -c coif -n __fish_use_subcommand -f -a %s", COIF_COMMANDS[i]->name);
        fish_help(COIF_COMMANDS[i]->help);
        for_each_arg(COIF_COMMANDS[i], fish_arg);
    }
    for_each_arg(NULL, fish_arg);
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    static void (*const printers[])(void) = {
        [BASH] = print_bash, [ZSH] = print_zsh, [FISH] = print_fish};
    (void)app;
    printers[((const completion_options *)options)->shell]();
    return coif_app_print("", NULL, error);
}

const coif_command COIF_COMMAND_COMPLETION = {
    .name = "completion",
    .help = "print a completion script for bash, zsh or fish",
    .more = "An installation has the scripts in the folders of these shells.\n",
    .examples = "  source <(coif completion)\n"
                "  coif completion zsh > ~/.zfunc/_coif\n"
                "  coif completion fish > ~/.config/fish/completions/coif.fish\n",
    COIF_COMMAND_OPTIONS(completion_options, OPTIONS),
    .run = run,
};
