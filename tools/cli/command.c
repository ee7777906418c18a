#include "tools/cli/command.h"

#include <ctype.h>
#include <string.h>

static const char *const LOG_FORMATS[] = {"text", "json", NULL};

const char *const COIF_EMBREE_ISAS[] = {"auto", "avx2", "sse4.2", NULL};

// clang-format off
const coif_param COIF_GLOBAL_OPTIONS[] = {
    COIF_ARG_HEADING("global options"),
    COIF_ARG_NUMBER(coif_globals, threads, COIF_PARAM_INT, "N", "number of threads; 0: one per core", 0, 0, 4096),
    COIF_ARG(coif_globals, set, COIF_ARG_LIST, "PATH=VALUE", "override a value of the scene: grooms/0/count=500; repeatable"),
    COIF_ARG(coif_globals, plugin_path, COIF_PARAM_PATH, "DIRS", "folders of plugin modules, separated by :"),
    COIF_ARG(coif_globals, max_memory, COIF_ARG_BYTES, "SIZE", "memory limit: 800M, 4G; exit code 7 when exceeded"),
    COIF_ARG_CHOICE(coif_globals, log, LOG_FORMATS, "format of messages on stderr"),
    COIF_ARG(coif_globals, quiet, COIF_PARAM_BOOL, "", "print errors only"),
    COIF_ARG(coif_globals, verbose, COIF_PARAM_BOOL, "", "print more detail"),
    COIF_ARG(coif_globals, stats, COIF_PARAM_BOOL, "", "print time and memory use at the end"),
    COIF_ARG(coif_globals, help, COIF_PARAM_BOOL, "", "print this help"),
    COIF_ARG(coif_globals, version, COIF_PARAM_BOOL, "", "print the version"),
};
// clang-format on
const uint32_t COIF_GLOBAL_OPTION_COUNT = COIF_COUNT_OF(COIF_GLOBAL_OPTIONS);

static const char *const EXIT_CODES =
    "exit codes:\n"
    "  0 success           1 invalid usage    2 invalid scene    3 input/output error\n"
    "  4 damaged file      5 plugin error     6 cancelled        7 out of memory\n"
    "  8 validation tolerance exceeded\n";

coif_status coif_command_find(const coif_command **command, const char *name, coif_error *error)
{
    const char *names[32];
    size_t count = 0;
    for (; count < COIF_COUNT_OF(names) && COIF_COMMANDS[count] != NULL; ++count) {
        names[count] = COIF_COMMANDS[count]->name;
        if (strcmp(names[count], name) == 0) {
            *command = COIF_COMMANDS[count];
            return COIF_OK;
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "unknown command '%s'%s", name,
                     coif_suggest(name, names, count, "").text);
}

void coif_command_outline(const coif_command *command, FILE *stream)
{
    fprintf(stream, "usage: coif %s", command->name);
    coif_args_usage(command->options, command->option_count, stream);
    fprintf(stream, " [options]\n\n%c%s.\n", toupper((unsigned char)command->help[0]),
            command->help + 1);
    if (command->more != NULL) {
        fprintf(stream, "%s", command->more);
    }
    coif_args_explain(command->options, command->option_count, true, stream);
    coif_args_explain(command->options, command->option_count, false, stream);
    fprintf(stream, "\nexamples:\n%s", command->examples);
}

void coif_command_explain(const coif_command *command, FILE *stream)
{
    coif_command_outline(command, stream);
    coif_args_explain(COIF_GLOBAL_OPTIONS, COIF_GLOBAL_OPTION_COUNT, false, stream);
    fprintf(stream, "\n%s", EXIT_CODES);
}

void coif_program_explain(FILE *stream)
{
    fprintf(stream,
            "usage: coif COMMAND [options]\n\n"
            "coif %s: hair grooming, simulation and path tracing.\n\ncommands:\n",
            COIF_VERSION);
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        fprintf(stream, "  %-12s%s\n", COIF_COMMANDS[i]->name, COIF_COMMANDS[i]->help);
    }
    coif_args_explain(COIF_GLOBAL_OPTIONS, COIF_GLOBAL_OPTION_COUNT, false, stream);
    fprintf(stream,
            "\n'coif COMMAND --help' describes one command. A relative scene path that does not "
            "exist is\n"
            "looked up in share/coif of the installation.\n\n"
            "examples:\n"
            "  coif run scenes/tiny.json --out out/tiny\n"
            "  coif lint scenes/tiny.json\n\n%s",
            EXIT_CODES);
}
