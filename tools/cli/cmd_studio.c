// coif studio: begin or edit a scene in the browser.
#include "core/archive/archive.h"
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
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, studio_options, scene, COIF_PARAM_PATH, "", "scene to edit, mesh to begin with, or new name; without one a start page"),
    COIF_ARG(studio_options, cache, COIF_PARAM_PATH, "DIR", "folder of a strand cache to play back"),
    COIF_ARG_NUMBER(studio_options, port, COIF_PARAM_INT, "PORT", "port on 127.0.0.1; 0: any free port", 0, 0, 65535),
    COIF_ARG(studio_options, no_open, COIF_PARAM_BOOL, "", "print the address without opening a browser"),
};
// clang-format on

static void open_browser(const char *path)
{
    coif_process_start((const char *const[]){"xdg-open", path, NULL});
}

static bool is_mesh(const char *path)
{
    return coif_path_has_extension(path, "obj") || coif_archive_is_archive(path);
}

// The start page with a mesh or with the name of a new scene, or an existing scene.
static coif_status choose_start(coif_server_desc *desc, const char *file, coif_app *app,
                                coif_error *error)
{
    if (file == NULL) {
        return COIF_OK;
    }
    const char *found = coif_app_find_file(app, file);
    const bool exists = coif_path_exists(found);
    if (is_mesh(file)) {
        desc->project.mesh = found;
        return exists ? COIF_OK : coif_fail(error, COIF_ERR_IO, "%s: no such file", file);
    }
    if (exists) {
        desc->studio.path = found;
        return COIF_OK;
    }
    const char *folder = coif_path_folder(file, &app->arena);
    if (!coif_path_has_extension(file, "json")) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: no such file; a new scene is named .json, a mesh .obj, .ply, .glb, "
                         ".abc, .usda or .usdc",
                         file);
    }
    if (!coif_path_is_directory(folder)) {
        return coif_fail(error, COIF_ERR_IO, "%s: no such folder", folder);
    }
    desc->project.folder = folder;
    desc->project.name = coif_path_name(file);
    return COIF_OK;
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const studio_options *studio = options;
    COIF_TRY(coif_app_open_plugins(app, error));
    const coif_section *tree = coif_scene_tree(&app->arena);
    const coif_plugin_lookup plugins = coif_plugins_lookup(app->plugins);
    const char *scenes = coif_app_find_file(app, "scenes");
    coif_server_desc desc = {
        .studio = {.tree = tree,
                   .plugins = plugins,
                   .eval_map = coif_eval_hair_map,
                   .jobs = app->jobs,
                   .cache = studio->cache},
        .project = {.folder = ".",
                    .scenes = coif_path_is_directory(scenes) ? scenes : NULL,
                    .recent = coif_recent_scenes_file(&app->arena),
                    .tree = tree,
                    .plugins = plugins},
        .port = studio->port,
        .open_browser = studio->no_open == 0 ? open_browser : NULL,
        .progress = app->progress,
    };
    COIF_TRY(choose_start(&desc, studio->scene, app, error));
    return coif_serve(&desc, &app->arena, error);
}

const coif_command COIF_COMMAND_STUDIO = {
    .name = "studio",
    .help = "begin, edit and paint a scene in the browser",
    .more = "Serves a page on the loopback interface, prints its address with an access token and "
            "opens it.\n"
            "Unsaved changes are kept beside the scene in .NAME.journal and restored at the next "
            "start.\n"
            "Without a scene a start page opens: recent scenes, templates, and new scenes from a "
            "mesh.\n",
    .examples = "  coif studio\n"
                "  coif studio head.obj\n"
                "  coif studio scenes/bob.json\n"
                "  coif studio scenes/bob.json --port 8080 --no-open\n",
    COIF_COMMAND_OPTIONS(studio_options, OPTIONS),
    .run = run,
};
