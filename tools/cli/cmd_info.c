// coif info: type and contents of files. Files of a cache are verified to the last byte.
#include "core/json/json.h"
#include "tools/cli/command.h"
#include "tools/cli/file_info.h"
#include "tools/cli/json_text.h"

#include <inttypes.h>
#include <string.h>

typedef struct info_options {
    coif_text_list files;
    int32_t json;
} info_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, info_options, files, COIF_ARG_LIST, "", "files to describe"),
    COIF_ARG(info_options, json, COIF_PARAM_BOOL, "", "print a JSON array with one object per file"),
};
// clang-format on

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}

// Statistics of a run: one JSON object, or one per line (.jsonl).
static coif_status write_statistics(coif_json_writer *writer, coif_app *app, const char *path,
                                    coif_error *error)
{
    char *text;
    size_t size;
    COIF_TRY(coif_file_load(&text, &size, path, &app->arena, error));
    coif_strbuf objects;
    coif_strbuf_init(&objects, &app->arena);
    for (size_t at = 0; at < size;) {
        const size_t length = ends_with(path, ".jsonl") ? strcspn(text + at, "\n") : size;
        coif_json *root;
        COIF_TRY(coif_json_parse(&root, path, text + at, length, &app->arena, error));
        coif_strbuf_add(&objects, objects.size > 0 ? ",\n      " : "");
        coif_strbuf_add_bytes(&objects, text + at + root->begin, root->end - root->begin);
        at += length + 1;
    }
    coif_write_text(writer, "kind", "statistics");
    coif_write_raw(writer, "statistics",
                   coif_arena_print(&app->arena, "[%s]", objects.size > 0 ? objects.data : ""));
    return COIF_OK;
}

// Entries are identified by their name, or by their plugin.
static const char *name_of(const coif_node *entry)
{
    const coif_value *name = coif_values_find(&entry->values, "name");
    return name != NULL && name->text != NULL ? name->text
           : entry->plugin != NULL            ? entry->plugin->id
                                              : "";
}

static const char *value_text(const coif_param *row, const coif_value *value, coif_arena *arena)
{
    const double *n = value->numbers;
    if (value->map != NULL || value->texture != NULL) {
        return value->map != NULL ? coif_arena_print(arena, "map %s", value->map) : value->texture;
    }
    if (value->key_count > 1) {
        return coif_arena_print(arena, "%d keys", value->key_count);
    }
    switch (row->type) {
    case COIF_PARAM_CHOICE:
        return row->choices[(size_t)n[0]];
    case COIF_PARAM_BOOL:
        return n[0] != 0.0 ? "true" : "false";
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        return coif_arena_print(arena, "[%.9g, %.9g, %.9g]", n[0], n[1], n[2]);
    case COIF_PARAM_PATH:
    case COIF_PARAM_STRING:
        return value->text;
    default:
        return coif_arena_print(arena, "%.9g%s", n[0], value->ramp_count > 0 ? ", ramp" : "");
    }
}

// Values of a section with presets that are not its defaults, and where they come from.
static void write_values(coif_json_writer *writer, const coif_node *node, coif_arena *arena)
{
    coif_write_open(writer, node->section->name, "[");
    for (uint32_t i = 0; i < node->values.row_count; ++i) {
        const coif_value *value = &node->values.values[i];
        if (value->given || value->preset != NULL) {
            coif_write_open(writer, NULL, "{");
            coif_write_text(writer, "key", node->values.rows[i].name);
            coif_write_text(writer, "value", value_text(&node->values.rows[i], value, arena));
            coif_write_text(writer, "from", value->given ? "scene" : value->preset);
            coif_write_close(writer, "}");
        }
    }
    coif_write_close(writer, "]");
}

static coif_status write_scene(coif_json_writer *writer, coif_app *app, const char *path,
                               coif_error *error)
{
    coif_scene *scene;
    COIF_TRY(coif_app_load_scene(&scene, app, path, error));
    coif_write_text(writer, "kind", "scene");
    coif_write_text(writer, "digest", coif_arena_print(&app->arena, "%016" PRIx64, scene->digest));
    for (int32_t i = 0; i < scene->root->child_count; ++i) {
        const coif_node *node = &scene->root->children[i];
        if (node->section->presets != NULL) {
            write_values(writer, node, &app->arena);
        }
        if (!node->list) {
            continue;
        }
        coif_write_open(writer, node->section->name, "[");
        for (int32_t k = 0; k < node->child_count; ++k) {
            coif_write_open(writer, NULL, "{");
            coif_write_text(writer, "path", node->children[k].path);
            coif_write_text(writer, "name", name_of(&node->children[k]));
            coif_write_close(writer, "}");
        }
        coif_write_close(writer, "]");
    }
    return COIF_OK;
}

static coif_status write_file(coif_json_writer *writer, coif_app *app, const char *path,
                              coif_error *error)
{
    const coif_status status = ends_with(path, ".stats.json") || ends_with(path, ".stats.jsonl")
                                   ? write_statistics(writer, app, path, error)
                               : coif_path_has_extension(path, "json")
                                   ? write_scene(writer, app, path, error)
                                   : coif_file_info(writer, path, &app->arena, error);
    if (status != COIF_OK) {
        coif_write_text(writer, "error", error->text);
    }
    return status;
}

// A damaged file is reported after all files have been read; the first one sets the exit code.
static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const info_options *info = options;
    coif_json_writer all;
    coif_strbuf text;
    coif_json_writer_init(&all, &app->arena);
    coif_strbuf_init(&text, &app->arena);
    coif_write_open(&all, NULL, "[");
    for (int32_t i = 0; i < info->files.count; ++i) {
        coif_error own = {0};
        const char *path = coif_app_find_file(app, info->files.items[i]);
        coif_json_writer single;
        coif_json_writer_init(&single, &app->arena);
        coif_json_writer *writer = info->json ? &all : &single;
        coif_write_open(writer, NULL, "{");
        if (info->json) {
            coif_write_text(writer, "file", path);
        }
        const coif_status status = write_file(writer, app, path, &own);
        coif_write_close(writer, "}");
        if (status != COIF_OK) {
            const size_t used = strlen(error->text);
            error->status = error->status != COIF_OK ? error->status : own.status;
            snprintf(error->text + used, sizeof error->text - used, "%s%s", used > 0 ? "\n" : "",
                     own.text);
        } else if (!info->json) {
            coif_strbuf_print(&text, "%s\n", path);
            coif_json_text(&text, single.text.data, &app->arena);
        }
    }
    coif_write_close(&all, "]");
    coif_strbuf_add(&all.text, "\n");
    const coif_status printed = coif_app_print(info->json ? all.text.data : text.data, NULL, error);
    return error->status != COIF_OK ? error->status : printed;
}

const coif_command COIF_COMMAND_INFO = {
    .name = "info",
    .help = "describe and verify files: groom, frame, state, image, mesh, USD, Alembic, scene",
    .more =
        "Cache files are verified to the last byte; the exit code of a damaged one is 4. Lengths "
        "of cache\nfiles are in metres, times in seconds; strand files and meshes do not tell "
        "their unit, and the\nlikely one is printed. Lists the groups of a mesh, and the parts "
        "and channels of EXR.\n",
    .examples = "  coif info out/tiny/hair.*\n"
                "  coif info scenes/assets/ball.obj out/tiny/render0001.png\n"
                "  coif info --json out/tiny/hair.0001.strands\n",
    COIF_COMMAND_OPTIONS(info_options, OPTIONS),
    .run = run,
};
