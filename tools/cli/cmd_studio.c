// coif studio: paint and set things by hand and eye, in a page of the browser.
#include "tools/cli/command.h"
#include "tools/studio/server/http/server_main.h"

typedef struct studio_options {
    const char *scene;
    const char *cache;
    int32_t port;
    int32_t no_open;
} studio_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(studio_options, scene, "scene file to work on"),
    COIF_ARG(studio_options, cache, COIF_PARAM_PATH, "DIR", "folder of a strand cache to play back"),
    COIF_ARG_NUMBER(studio_options, port, COIF_PARAM_INT, "PORT", "of 127.0.0.1, 0: one that is free", 0, 0, 65535),
    COIF_ARG(studio_options, no_open, COIF_PARAM_BOOL, "", "print the address and open no browser"),
};
// clang-format on

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const studio_options *asked = options;
    COIF_TRY(coif_app_open_plugins(app, error));
    const coif_serve_desc desc = {
        .studio = {.path = asked->scene,
                   .tree = coif_scene_tree(&app->arena),
                   .plugins = coif_plugins_lookup(app->plugins),
                   .jobs = app->jobs,
                   .cache = asked->cache},
        .port = asked->port,
        .open = asked->no_open == 0,
        .progress = app->progress,
    };
    return coif_serve(&desc, &app->arena, error);
}

const coif_command COIF_COMMAND_STUDIO = {
    .name = "studio",
    .help = "paint scalp maps and set a scene up in the browser",
    .more =
        "Serves one page on the loopback address, prints its address with a token and opens it.\n"
        "What is not saved is kept beside the scene as .NAME.journal and is back the next time.\n",
    .examples = "  coif studio scenes/bob.json\n"
                "  coif studio scenes/bob.json --port 8080 --no-open\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(studio_options),
    .run = run,
};
