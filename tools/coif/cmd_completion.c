// coif completion: what a shell needs to complete commands and options, from the same rows as
// --help.
#include "tools/coif/command.h"

static void print_options(const coif_param *rows, uint32_t row_count)
{
    for (uint32_t i = 0; i < row_count; ++i) {
        if ((rows[i].flags & COIF_OPTION_ARGUMENT) == 0) {
            char name[64];
            coif_option_name(name, &rows[i]);
            printf(" %s", name);
        }
    }
}

static void print_names(const char *between)
{
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        printf("%s%s", i > 0 ? between : "", COIF_COMMANDS[i]->name);
    }
}

// Words that are no options fall through to the names of files.
static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    (void)app, (void)options;
    printf("_coif() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before command= options\n"
           "    for before in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
           "        case $before in\n        ");
    print_names(" | ");
    printf(") command=$before; break ;;\n"
           "        esac\n"
           "    done\n"
           "    case $command in\n");
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        printf("    %s) options=\"", COIF_COMMANDS[i]->name);
        print_options(COIF_COMMANDS[i]->options, COIF_COMMANDS[i]->option_count);
        printf("\" ;;\n");
    }
    printf("    *) options=\"");
    print_names(" ");
    printf("\" ;;\n"
           "    esac\n"
           "    COMPREPLY=()\n"
           "    if [ -z \"$command\" ] || [[ $word == -* ]]; then\n"
           "        options+=\"");
    print_options(COIF_GLOBAL_OPTIONS, COIF_GLOBAL_OPTION_COUNT);
    printf("\"\n"
           "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
           "    fi\n"
           "}\n"
           "complete -o default -F _coif coif\n");
    return coif_app_print("", NULL, error);
}

const coif_command COIF_COMMAND_COMPLETION = {
    .name = "completion",
    .help = "print a completion script for bash",
    .examples = "  source <(coif completion)\n",
    .options_size = 1,
    .run = run,
};
