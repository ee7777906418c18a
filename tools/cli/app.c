// app: state shared by the commands: scene, plugins, stdout.
#include "core/base/dynlib.h"
#include "core/base/jobs.h"
#include "core/scene/applies_to.h"
#include "sim/run/collider_params.h"
#include "sim/run/sim_params.h"
#include "sim/run/sim_warnings.h"
#include "tools/cli/command.h"

#include <errno.h>
#include <string.h>

coif_status coif_app_open_plugins(coif_app *app, coif_error *error)
{
    if (app->plugins != NULL) {
        return COIF_OK;
    }
    return coif_plugins_open(&app->plugins, app->globals.plugin_path, &app->arena, error);
}

const char *coif_app_find_file(coif_app *app, const char *path)
{
    if (path[0] == '/' || coif_path_exists(path)) {
        return path;
    }
    const char *share =
        coif_path_join(coif_dynlib_program_folder(&app->arena), "../share/coif", &app->arena);
    const char *installed = coif_path_join(share, path, &app->arena);
    if (!coif_path_exists(installed)) {
        return path;
    }
    coif_log(COIF_LOG_INFO, "%s: using %s", path, installed);
    return installed;
}

coif_status coif_app_load_scene(coif_scene **scene, coif_app *app, const char *path,
                                coif_error *error)
{
    COIF_TRY(coif_app_open_plugins(app, error));
    const coif_plugin_lookup lookup = coif_plugins_lookup(app->plugins);
    const coif_scene_desc desc = {
        .path = coif_app_find_file(app, path),
        .sets = app->globals.set.items,
        .set_count = app->globals.set.count,
        .tree = coif_scene_tree(&app->arena),
        .plugins = &lookup,
    };
    *scene = coif_arena_new(&app->arena, 1, coif_scene);
    COIF_TRY(coif_scene_load(*scene, &desc, &app->arena, error));
    coif_scene_warn_without_effect(*scene, &app->arena);
    coif_sim_warn_wind_without_drag(*scene);
    coif_sim_warn_contact_without_effect(*scene);
    coif_sim_warn_values_without_effect(*scene);
    return COIF_OK;
}

coif_status coif_app_print(const char *text, const char *path, coif_error *error)
{
    if (path != NULL) {
        return coif_file_save(path, text, strlen(text), error);
    }
    // A closed pipe or a full disk is reported by the flush.
    if (fputs(text, stdout) == EOF || fflush(stdout) != 0) {
        // A reader that closed the pipe, as in `coif schema | head`, gets no message.
        return errno == EPIPE ? coif_fail(error, COIF_ERR_IO, "%s", "")
                              : coif_fail(error, COIF_ERR_IO, "stdout: %s", strerror(errno));
    }
    return COIF_OK;
}

void coif_app_close(coif_app *app)
{
    if (app->plugins != NULL) {
        coif_plugins_close(app->plugins);
    }
    if (app->jobs != NULL) {
        coif_jobs_close(app->jobs);
    }
    coif_arena_free(&app->arena);
}
