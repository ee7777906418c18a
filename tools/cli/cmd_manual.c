// coif manual: the manual page, from the text of --help.
#include "tools/cli/command.h"

// Copies the lines of a file to stdout as unfilled roff text.
static void print_literally(FILE *file)
{
    char line[1024];
    rewind(file);
    printf(".nf\n");
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '.' || line[0] == '\'') {
            printf("\\&");
        }
        for (const char *at = line; *at != '\0'; ++at) {
            if (*at == '\\') {
                printf("\\e");
            } else if (*at == '-') {
                printf("\\-");
            } else {
                putchar(*at);
            }
        }
    }
    printf(".fi\n");
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    (void)app, (void)options;
    printf(".TH COIF 1 \"\" \"coif %s\" \"User commands\"\n"
           ".SH NAME\ncoif \\- hair grooming, simulation and path tracing\n"
           ".SH SYNOPSIS\n.B coif\n.I COMMAND\n[options]\n"
           ".SH DESCRIPTION\n",
           COIF_VERSION);
    FILE *text = tmpfile();
    if (text == NULL) {
        return coif_fail(error, COIF_ERR_IO, "cannot create a temporary file");
    }
    coif_program_explain(text);
    print_literally(text);
    fclose(text);
    printf(".SH COMMANDS\n");
    for (size_t i = 0; COIF_COMMANDS[i] != NULL; ++i) {
        printf(".SS coif %s\n", COIF_COMMANDS[i]->name);
        text = tmpfile();
        if (text == NULL) {
            return coif_fail(error, COIF_ERR_IO, "cannot create a temporary file");
        }
        coif_command_outline(COIF_COMMANDS[i], text);
        print_literally(text);
        fclose(text);
    }
    return coif_app_print("", NULL, error);
}

const coif_command COIF_COMMAND_MANUAL = {
    .name = "manual",
    .help = "print the manual page",
    .examples = "  coif manual | man -l -\n",
    .options_size = 1,
    .run = run,
};
