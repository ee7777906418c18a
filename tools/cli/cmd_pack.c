// coif pack, coif unpack: a scene with all its files in one archive.
#include "tools/cli/bundle/bundle.h"
#include "tools/cli/command.h"

#include <string.h>

typedef struct pack_options {
    const char *scene;
    const char *out;
    const char *cache;
    int32_t check;
} pack_options;

typedef struct unpack_options {
    const char *archive;
    const char *out;
} unpack_options;

// clang-format off
static const coif_param PACK_OPTIONS[] = {
    COIF_ARGUMENT(pack_options, scene, "scene file; with --check a bundle"),
    COIF_ARG(pack_options, out, COIF_PARAM_PATH, "FILE", "bundle to write: an archive as shot.coif, or a new folder (default: the name of the scene with the extension coif)"),
    COIF_ARG(pack_options, cache, COIF_PARAM_PATH, "DIR", "also pack the grooms, frames and checkpoints of this folder"),
    COIF_ARG(pack_options, check, COIF_PARAM_BOOL, "", "compare all files of a bundle with its manifest, and its plugins with those of this program"),
};
static const coif_param UNPACK_OPTIONS[] = {
    COIF_ARGUMENT(unpack_options, archive, "archive written by coif pack"),
    COIF_ARG_WITH(COIF_ARG_REQUIRED, unpack_options, out, COIF_PARAM_PATH, "DIR", "new folder for the files"),
};
// clang-format on

static coif_status check(coif_app *app, const pack_options *pack, coif_error *error)
{
    coif_bundle_summary summary;
    COIF_TRY(coif_app_open_plugins(app, error));
    COIF_TRY(
        coif_bundle_check(&summary, pack->scene, app->plugins, app->progress, &app->arena, error));
    return coif_app_print(coif_arena_print(&app->arena, "%s: %d files, %.1f MB, complete\n",
                                           pack->scene, summary.file_count,
                                           (double)summary.bytes * 1e-6),
                          NULL, error);
}

static coif_status run_pack(coif_app *app, const void *options, coif_error *error)
{
    const pack_options *pack = options;
    if (app->globals.set.count > 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "pack: --set changes no file; a bundle holds the scene file as it is");
    }
    if (pack->check) {
        return check(app, pack, error);
    }
    coif_scene *scene;
    COIF_TRY(coif_app_load_scene(&scene, app, pack->scene, error));
    const char *name = coif_path_name(scene->path);
    const char *dot = strrchr(name, '.');
    const char *out =
        pack->out != NULL
            ? pack->out
            : coif_arena_print(&app->arena, "%.*s.coif",
                               dot != NULL ? (int)(dot - name) : (int)strlen(name), name);
    const coif_bundle_desc desc = {
        .scene = scene, .cache = pack->cache, .out = out, .progress = app->progress};
    coif_bundle_summary summary;
    COIF_TRY(coif_bundle_write(&summary, &desc, &app->arena, error));
    coif_log(COIF_LOG_INFO, "%s: %d files; the scene is %s", out, summary.file_count,
             summary.scene);
    return COIF_OK;
}

static coif_status run_unpack(coif_app *app, const void *options, coif_error *error)
{
    const unpack_options *unpack = options;
    coif_bundle_summary summary;
    COIF_TRY(coif_bundle_unpack(&summary, unpack->archive, unpack->out, app->progress, &app->arena,
                                error));
    const char *cache = summary.cache[0] != '\0' ? coif_arena_print(&app->arena, " --cache %s/%s",
                                                                    unpack->out, summary.cache)
                                                 : "";
    coif_log(COIF_LOG_INFO, "%s: %d files; next: coif %s %s/%s%s --out out", unpack->out,
             summary.file_count, cache[0] != '\0' ? "render" : "run", unpack->out, summary.scene,
             cache);
    return COIF_OK;
}

const coif_command COIF_COMMAND_PACK = {
    .name = "pack",
    .help = "gather a scene with all its files in one archive",
    .more =
        "The archive holds the scene, meshes, materials, images and sequences in their places\n"
        "relative to each other, and a manifest with the digest of every file and the plugins of\n"
        "the scene. On another machine, coif unpack restores files that render the same bits.\n"
        "Plugin modules are not packed; coif pack --check names those that are missing. Programs\n"
        "that read tar archives can read a bundle.\n",
    .examples = "  coif pack scenes/tiny.json --out out/tiny.coif\n"
                "  coif pack --check out/tiny.coif\n",
    COIF_COMMAND_OPTIONS(pack_options, PACK_OPTIONS),
    .run = run_pack,
};

const coif_command COIF_COMMAND_UNPACK = {
    .name = "unpack",
    .help = "restore the files of an archive written by pack",
    .more =
        "Every file is compared with the digest of the manifest before it is written. Names that\n"
        "lead out of the folder, links and devices are errors.\n",
    .examples = "  coif unpack out/tiny.coif --out out/unpacked\n",
    COIF_COMMAND_OPTIONS(unpack_options, UNPACK_OPTIONS),
    .run = run_unpack,
};
