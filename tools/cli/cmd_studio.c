// coif studio: edit a scene and paint scalp maps in the browser.
#include "tools/cli/command.h"
#include "tools/cli/map_callback.h"
#include "tools/cli/process.h"
#include "tools/studio/server/http/server_main.h"

typedef struct studio_options {
    const char *scene;
    const char *cache;
    int32_t port;
    int32_t no_open;
} studio_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(studio_options, scene, "scene file to edit"),
    COIF_ARG(studio_options, cache, COIF_PARAM_PATH, "DIR", "folder of a strand cache to play back"),
    COIF_ARG_NUMBER(studio_options, port, COIF_PARAM_INT, "PORT", "port on 127.0.0.1; 0: any free port", 0, 0, 65535),
    COIF_ARG(studio_options, no_open, COIF_PARAM_BOOL, "", "print the address without opening a browser"),
};
// clang-format on

static void open_browser(const char *path)
{
    coif_process_start((const char *const[]){"xdg-open", path, NULL});
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const studio_options *studio = options;
    COIF_TRY(coif_app_open_plugins(app, error));
    const coif_server_desc desc = {
        .studio = {.path = coif_app_find_file(app, studio->scene),
                   .tree = coif_scene_tree(&app->arena),
                   .plugins = coif_plugins_lookup(app->plugins),
                   .eval_map = coif_eval_hair_map,
                   .jobs = app->jobs,
                   .cache = studio->cache},
        .port = studio->port,
        .open_browser = studio->no_open == 0 ? open_browser : NULL,
        .progress = app->progress,
    };
    return coif_serve(&desc, &app->arena, error);
}

const coif_command COIF_COMMAND_STUDIO = {
    .name = "studio",
    .help = "edit a scene and paint scalp maps in the browser",
    .more = "Serves a page on the loopback interface, prints its address with an access token and "
            "opens it.\n"
            "Unsaved changes are kept beside the scene in .NAME.journal and restored at the next "
            "start.\n",
    .examples = "  coif studio scenes/bob.json\n"
                "  coif studio scenes/bob.json --port 8080 --no-open\n",
    COIF_COMMAND_OPTIONS(studio_options, OPTIONS),
    .run = run,
};
