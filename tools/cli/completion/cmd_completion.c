// coif completion: what a shell needs to complete commands and options.
#include "tools/cli/completion/completion.h"

static const char *const SHELLS[] = {"bash", "zsh", "fish", NULL};
static void (*const WRITERS[])(void) = {coif_completion_bash, coif_completion_zsh,
                                        coif_completion_fish};

typedef struct completion_options {
    int32_t shell;
} completion_options;

// clang-format off
static const coif_param OPTIONS[] = {
    {.name = "shell", .help = "which shell it is for: bash, zsh or fish", .unit = "", .type = COIF_PARAM_CHOICE,
     .flags = COIF_ARG_ARGUMENT, .offset = offsetof(completion_options, shell), .choices = SHELLS},
};
// clang-format on

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    (void)app;
    WRITERS[((const completion_options *)options)->shell]();
    return coif_app_print("", NULL, error);
}

const coif_command COIF_COMMAND_COMPLETION = {
    .name = "completion",
    .help = "print a completion script for bash, zsh or fish",
    .more = "An installed coif has them where these shells look.\n",
    .examples = "  source <(coif completion)\n"
                "  coif completion zsh > ~/.zfunc/_coif\n"
                "  coif completion fish > ~/.config/fish/completions/coif.fish\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(completion_options),
    .run = run,
};
