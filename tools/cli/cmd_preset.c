// coif preset: hairstyles that apply to any head.
#include "core/base/dynlib.h"
#include "core/base/strbuf.h"
#include "core/body/body.h"
#include "sim/groom/groom_params.h"
#include "tools/cli/command.h"
#include "tools/preset/preset.h"
#include "tools/studio/server/document/mesh_import.h"

#include <string.h>

typedef struct preset_options {
    const char *action, *file, *mesh;
    const char *out, *body, *group;
    float scale;
    int32_t force;
} preset_options;

#define FOLDER "scenes/presets"

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, preset_options, action, COIF_PARAM_STRING, "", "list, apply or save"),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, preset_options, file, COIF_PARAM_PATH, "", "apply: preset file or name of a shipped preset; save: scene"),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, preset_options, mesh, COIF_PARAM_PATH, "", "apply: mesh of the head or body, y up, facing z"),
    COIF_ARG(preset_options, out, COIF_PARAM_PATH, "FILE", "scene or preset to write (default: beside the mesh or scene)"),
    COIF_ARG(preset_options, group, COIF_PARAM_STRING, "NAME", "group on which hair grows (default: scalp; apply: without it, the part above a hairline)"),
    COIF_ARG(preset_options, body, COIF_PARAM_STRING, "NAME", "save: body of the grooms (default: that of the first groom)"),
    COIF_ARG_NUMBER(preset_options, scale, COIF_PARAM_FLOAT, "M", "apply: metres per unit of the mesh; 0: 1, or the likely unit where that is no person", 0, 0, 1000),
    COIF_ARG(preset_options, force, COIF_PARAM_BOOL, "", "overwrite the output file"),
};
// clang-format on

// Names of the shipped presets, ascending.
static coif_status shipped(const char ***names, size_t *count, const char **folder, coif_app *app,
                           coif_error *error)
{
    *folder = coif_app_find_file(app, FOLDER);
    return coif_preset_names(names, count, *folder, &app->arena, error);
}

static coif_status list(coif_app *app, coif_error *error)
{
    const char **names, *folder;
    size_t count;
    COIF_TRY(shipped(&names, &count, &folder, app, error));
    coif_strbuf text;
    coif_strbuf_init(&text, &app->arena);
    for (size_t i = 0; i < count; ++i) {
        coif_preset preset;
        const char *file = coif_arena_print(&app->arena, "%s.preset", names[i]);
        COIF_TRY(coif_preset_load(&preset, coif_path_join(folder, file, &app->arena), &app->arena,
                                  error));
        coif_strbuf_print(&text, "%-12s %s\n", names[i], preset.help);
    }
    return coif_app_print(text.data, NULL, error);
}

// A file, or a shipped preset by its name, with or without the extension.
static coif_status open_preset(coif_preset *preset, const char *name, coif_app *app,
                               coif_error *error)
{
    const bool has_extension = coif_path_has_extension(name, "preset");
    const char *path = coif_app_find_file(app, name);
    if (has_extension && (coif_path_exists(path) || strchr(name, '/') != NULL)) {
        return coif_preset_load(preset, path, &app->arena, error);
    }
    const char **names, *folder;
    size_t count;
    COIF_TRY(shipped(&names, &count, &folder, app, error));
    for (size_t i = 0; i < count; ++i) {
        const char *file = coif_arena_print(&app->arena, "%s.preset", names[i]);
        if (strcmp(has_extension ? file : names[i], name) == 0) {
            return coif_preset_load(preset, coif_path_join(folder, file, &app->arena), &app->arena,
                                    error);
        }
    }
    coif_strbuf known;
    coif_strbuf_init(&known, &app->arena);
    coif_strbuf_add_names(&known, names, count, 40);
    return coif_fail(error, COIF_ERR_ARGUMENT, "no preset \"%s\"; known: %s, or a .preset file",
                     name, known.data);
}

static coif_status fail_group(const char *path, const char *group, const coif_string_table *names,
                              coif_app *app, coif_error *error)
{
    coif_strbuf known;
    coif_strbuf_init(&known, &app->arena);
    coif_strbuf_add_names(&known, names->names, (size_t)names->count, 20);
    return coif_fail(error, COIF_ERR_SCENE,
                     "%s: no group \"%s\"; select the group on which hair grows with --group "
                     "(known: %s)",
                     path, group, known.data);
}

static coif_status check_group(const coif_obj *obj, const char *path, const char *group,
                               coif_app *app, coif_error *error)
{
    return group == NULL || coif_string_table_find(&obj->group_names, group, strlen(group)) >= 0 ||
                   coif_string_table_find(&obj->material_names, group, strlen(group)) >= 0
               ? COIF_OK
               : fail_group(path, group, &obj->group_names, app, error);
}

static coif_status check_output(const char *path, const preset_options *preset, coif_error *error)
{
    return !preset->force && coif_path_exists(path)
               ? coif_fail(error, COIF_ERR_IO, "%s: exists; --force overwrites it", path)
               : COIF_OK;
}

static const char *with_extension(const char *path, const char *extension, coif_arena *arena)
{
    const char *dot = strrchr(path, '.');
    return coif_arena_print(arena, "%.*s.%s", dot != NULL ? (int)(dot - path) : (int)strlen(path),
                            path, extension);
}

// What was assumed about the mesh, and the options that decide otherwise.
static void report_guess(const coif_mesh_import *import, const coif_mesh_guess *guess,
                         const preset_options *options)
{
    const double height = (double)((guess->body.high.y - guess->body.low.y) * import->scale);
    const char *what = guess->unit.is_body ? "body" : "head";
    if (options->scale == 0.0f && import->scale != 1.0f) {
        coif_log(COIF_LOG_INFO,
                 "%s: taken as %s, so that the %s is %.3g m high; --scale decides otherwise",
                 import->path, guess->unit.best->name, what, height);
    }
    if (guess->helpers > 0) {
        coif_log(COIF_LOG_INFO, "%s: %d %s of helpers and joints left out", import->path,
                 (int)guess->helpers, guess->helpers == 1 ? "group" : "groups");
    }
    if (guess->has_hairline) {
        coif_log(COIF_LOG_INFO,
                 "%s: no group is called scalp; hair grows on \"%s\" above a hairline from "
                 "forehead to nape; --group decides otherwise",
                 import->path, import->scalp[0].names[0]);
    }
}

static coif_status apply(coif_app *app, const preset_options *options, coif_error *error)
{
    if (options->file == NULL || options->mesh == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "preset apply needs a preset and a mesh: coif preset apply curls "
                         "head.obj");
    }
    coif_preset preset;
    coif_mesh_source source;
    coif_mesh_guess guess;
    const char *path = coif_app_find_file(app, options->mesh);
    const char *out =
        options->out != NULL ? options->out : with_extension(options->mesh, "json", &app->arena);
    COIF_TRY(coif_app_open_plugins(app, error));
    COIF_TRY(open_preset(&preset, options->file, app, error));
    COIF_TRY(check_output(out, options, error));
    COIF_TRY(coif_mesh_source_read(&source, path, NULL, &app->arena, error));
    COIF_TRY(check_group(&source.obj, path, options->group, app, error));
    coif_mesh_import import = {.path = path,
                               .object = "",
                               .body = "head",
                               .scale = options->scale,
                               .overwrite = options->force != 0};
    coif_mesh_import_guess(&import, &guess, &source, options->group, &app->arena);
    if (options->scale != 0.0f || guess.unit.metres_are_plausible) {
        const float height = (guess.body.high.y - guess.body.low.y) * import.scale;
        if (height < 0.08f || height > 5.0f) {
            coif_log(COIF_LOG_WARNING,
                     "%s: %.3g m high; is the unit right? --scale gives metres per unit", path,
                     (double)height);
        }
    }
    char *text;
    bool exists;
    coif_error cause = {0};
    const coif_plugin_lookup plugins = coif_plugins_lookup(app->plugins);
    if (coif_mesh_import_styled(&text, &exists, &preset, &plugins, &import, out, &app->arena,
                                &cause) != COIF_OK) {
        return exists ? coif_fail(error, COIF_ERR_IO, "%s; --force overwrites it", cause.text)
                      : coif_fail(error, cause.status, "%s: %.7000s", path, cause.text);
    }
    report_guess(&import, &guess, options);
    COIF_TRY(coif_file_save(out, text, strlen(text), error));
    coif_log(COIF_LOG_INFO, "%s: written; next: coif run %s --rest --out out", out, out);
    return COIF_OK;
}

static coif_status save(coif_app *app, const preset_options *options, coif_error *error)
{
    if (options->file == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "preset save needs a scene: coif preset save scenes/curls.json");
    }
    coif_scene *scene;
    coif_body *bodies;
    int32_t count;
    coif_groom_params first = {.body = ""};
    const char *out =
        options->out != NULL ? options->out : with_extension(options->file, "preset", &app->arena);
    COIF_TRY(coif_app_load_scene(&scene, app, options->file, error));
    COIF_TRY(check_output(out, options, error));
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    if (grooms->child_count > 0) {
        coif_node_read(&grooms->children[0], 0.0, &first);
    }
    const char *name = options->body != NULL ? options->body : first.body;
    const char *group = options->group != NULL ? options->group : "scalp";
    COIF_TRY(coif_bodies_load(&bodies, &count, scene, &app->arena, error));
    const coif_body *body = coif_bodies_find(bodies, count, name);
    if (body == NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: no body named \"%s\"", scene->path, name);
    }
    if (group[0] != '\0' && coif_mesh_find_group(&body->rest, group) < 0) {
        const coif_string_table names = {.names = body->rest.group_names,
                                         .count = body->rest.group_count};
        return fail_group(scene->path, group, &names, app, error);
    }
    char *text;
    COIF_TRY(coif_preset_of_scene(&text, scene, name, group, &body->rest, &app->arena, error));
    COIF_TRY(coif_file_save(out, text, strlen(text), error));
    coif_log(COIF_LOG_INFO, "%s: written", out);
    return COIF_OK;
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const preset_options *preset = options;
    if (strcmp(preset->action, "list") == 0) {
        return list(app, error);
    }
    if (strcmp(preset->action, "apply") == 0) {
        return apply(app, preset, error);
    }
    if (strcmp(preset->action, "save") == 0) {
        return save(app, preset, error);
    }
    return coif_fail(error, COIF_ERR_ARGUMENT,
                     "preset: unknown action \"%s\"; expected list, apply "
                     "or save",
                     preset->action);
}

const coif_command COIF_COMMAND_PRESET = {
    .name = "preset",
    .help = "apply a hairstyle to another head",
    .more =
        "apply writes a scene with the head, the hairstyle fitted to the bounding box of its "
        "scalp,\na camera and lights. A mesh without a group for the scalp is copied beside the "
        "scene with one,\nabove a hairline from the forehead to the nape. save makes a preset "
        "of the grooms on the scalp of\na scene.\n",
    .examples =
        "  coif preset list\n"
        "  coif preset apply curls scenes/assets/mannequin.obj --out out/head.json --force\n"
        "  coif preset save scenes/curls.json --out out/curls.preset --force\n",
    COIF_COMMAND_OPTIONS(preset_options, OPTIONS),
    .run = run,
};
