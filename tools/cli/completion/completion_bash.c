#include "tools/cli/completion/completion.h"

static void print_options(const coif_param *rows, uint32_t row_count)
{
    for (uint32_t i = 0; i < row_count; ++i) {
        if (coif_completion_is_option(&rows[i])) {
            char name[64];
            coif_arg_name(name, &rows[i]);
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

// What may follow an option of a command; NULL: of any.
static void print_choices(const coif_param *rows, uint32_t row_count, const char *command)
{
    for (uint32_t i = 0; i < row_count; ++i) {
        if (rows[i].type == COIF_PARAM_CHOICE && coif_completion_is_option(&rows[i])) {
            char name[64];
            coif_arg_name(name, &rows[i]);
            printf("    %s' %s') choices=\"", command != NULL ? command : "*", name);
            for (size_t c = 0; rows[i].choices[c] != NULL; ++c) {
                printf("%s%s", c > 0 ? " " : "", rows[i].choices[c]);
            }
            printf("\" ;;\n");
        }
    }
}

static void print_chosen(void)
{
    printf("    case \"$command ${COMP_WORDS[COMP_CWORD-1]}\" in\n");
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        print_choices(COIF_COMMANDS[i]->options, COIF_COMMANDS[i]->option_count,
                      COIF_COMMANDS[i]->name);
    }
    print_choices(COIF_GLOBAL_OPTIONS, COIF_GLOBAL_OPTION_COUNT, NULL);
    printf("    esac\n"
           "    if [ -n \"$choices\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
           "        return\n"
           "    fi\n");
}

// Words that are no options fall through to the names of files.
void coif_completion_bash(void)
{
    printf("_coif() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before command= options choices=\n"
           "    for before in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
           "        case $before in\n        ");
    print_names(" | ");
    printf(") command=$before; break ;;\n"
           "        esac\n"
           "    done\n");
    print_chosen();
    printf("    case $command in\n");
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
}
