// coif info: what a file is and what it holds.
//
// Our own files are verified from the first byte to the last while they are explained, so that
// `coif info cache/*` is also the way to check a cache.
#include "core/image/image.h"
#include "core/json/json.h"
#include "core/json/json_writer.h"
#include "tools/cli/command.h"
#include "tools/cli/file_info.h"

#include <stdio.h>
#include <string.h>

typedef struct info_options {
    coif_text_list files;
    int32_t json;
} info_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, info_options, files, COIF_ARG_LIST, "", "files to explain"),
    COIF_ARG(info_options, json, COIF_PARAM_BOOL, "", "print an array with one object per file"),
};
// clang-format on

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path);
    const size_t wanted = strlen(ending);
    return length > wanted && strcmp(path + length - wanted, ending) == 0;
}

// Figures beside frames and pictures: one object, or one per line.
static bool are_figures(const char *path)
{
    return ends_with(path, ".stats.json") || ends_with(path, ".stats.jsonl");
}

// The text of a file of figures, every line or the whole of it checked to be JSON.
static coif_status load_figures(char **text, coif_app *app, const char *path, coif_error *error)
{
    size_t size;
    COIF_TRY(coif_file_load(text, &size, path, &app->arena, error));
    const bool lines = ends_with(path, ".jsonl");
    for (size_t at = 0; at < size;) {
        const size_t length = lines ? strcspn(*text + at, "\n") : size;
        coif_json *root;
        COIF_TRY(coif_json_parse(&root, path, *text + at, length, &app->arena, error));
        at += length + 1;
    }
    return COIF_OK;
}

static coif_status explain_figures(coif_app *app, const char *path, coif_error *error)
{
    char *text;
    COIF_TRY(load_figures(&text, app, path, error));
    printf("%s: figures of how long it took\n", path);
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        printf("  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    return COIF_OK;
}

static coif_status figures_as_json(coif_json_writer *writer, coif_app *app, const char *path,
                                   coif_error *error)
{
    char *text;
    COIF_TRY(load_figures(&text, app, path, error));
    coif_write_text(writer, "kind", "figures");
    coif_write_open(writer, "figures", "[");
    for (const char *line = text; *line != '\0';) {
        const size_t length = ends_with(path, ".jsonl") ? strcspn(line, "\n") : strlen(line);
        coif_write_raw(writer, NULL, coif_arena_print(&app->arena, "%.*s", (int)length, line));
        line += length + (line[length] == '\n');
    }
    coif_write_close(writer, "]");
    return COIF_OK;
}

// Entries are known by their name, or by the plugin they are.
static const char *name_of(const coif_node *entry)
{
    const coif_value *name = coif_values_find(&entry->values, "name");
    return name != NULL && name->text != NULL ? name->text
           : entry->plugin != NULL            ? entry->plugin->id
                                              : "";
}

static coif_status explain_scene(coif_app *app, const char *path, coif_error *error)
{
    coif_scene *scene;
    COIF_TRY(coif_app_load_scene(&scene, app, path, error));
    printf("%s: scene, digest %016llx\n", path, (unsigned long long)scene->digest);
    for (int32_t i = 0; i < scene->root->child_count; ++i) {
        const coif_node *node = &scene->root->children[i];
        if (node->list) {
            printf("  %-10s %d\n", node->section->name, node->child_count);
        }
        for (int32_t k = 0; node->list && k < node->child_count; ++k) {
            const coif_node *entry = &node->children[k];
            printf("    %s %s\n", entry->path, name_of(entry));
        }
    }
    return COIF_OK;
}

static coif_status scene_as_json(coif_json_writer *writer, coif_app *app, const char *path,
                                 coif_error *error)
{
    coif_scene *scene;
    COIF_TRY(coif_app_load_scene(&scene, app, path, error));
    coif_write_text(writer, "kind", "scene");
    coif_write_text(writer, "digest",
                    coif_arena_print(&app->arena, "%016llx", (unsigned long long)scene->digest));
    for (int32_t i = 0; i < scene->root->child_count; ++i) {
        const coif_node *node = &scene->root->children[i];
        if (!node->list) {
            continue;
        }
        coif_write_open(writer, node->section->name, "[");
        for (int32_t k = 0; k < node->child_count; ++k) {
            coif_write_text(writer, NULL, name_of(&node->children[k]));
        }
        coif_write_close(writer, "]");
    }
    return COIF_OK;
}

// Grooms, frames, states, checkpoints, meshes and .hair files.
static coif_status explain_file(coif_app *app, const char *path, coif_error *error)
{
    char *text;
    COIF_TRY(coif_file_info(&text, path, &app->arena, error));
    fputs(text, stdout);
    return COIF_OK;
}

static const char *const PICTURE_KEYS[] = {"coif:version", "coif:scene",   "coif:grooms",
                                           "coif:frame",   "coif:samples", "coif:seed",
                                           "coif:isa"};

static coif_status picture_as_json(coif_json_writer *writer, coif_app *app, const char *path,
                                   coif_error *error)
{
    coif_image image;
    COIF_TRY(coif_image_load(&image, path, &app->arena, error));
    coif_write_text(writer, "kind", "picture");
    coif_write_number(writer, "width", image.width);
    coif_write_number(writer, "height", image.height);
    coif_write_number(writer, "integer_bits", image.integer_bits);
    coif_write_open(writer, "channels", "[");
    for (int32_t i = 0; i < image.channel_count; ++i) {
        coif_write_text(writer, NULL, image.channel_names[i]);
    }
    coif_write_close(writer, "]");
    for (size_t i = 0; i < COIF_COUNT_OF(PICTURE_KEYS); ++i) {
        char *value = NULL;
        COIF_TRY(coif_image_read_attribute(&value, path, PICTURE_KEYS[i], &app->arena, error));
        if (value != NULL) {
            coif_write_text(writer, PICTURE_KEYS[i] + strlen("coif:"), value);
        }
    }
    return COIF_OK;
}

static coif_status explain_picture(coif_app *app, const char *path, coif_error *error)
{
    coif_image image;
    COIF_TRY(coif_image_load(&image, path, &app->arena, error));
    printf("%s: picture\n  size       %d x %d\n  channels  ", path, image.width, image.height);
    for (int32_t i = 0; i < image.channel_count; ++i) {
        printf(" %s", image.channel_names[i]);
    }
    if (image.integer_bits > 0) {
        printf("\n  values     %d-bit\n", image.integer_bits);
    } else {
        printf("\n  values     floating point\n");
    }
    for (size_t i = 0; i < COIF_COUNT_OF(PICTURE_KEYS); ++i) {
        char *value = NULL;
        COIF_TRY(coif_image_read_attribute(&value, path, PICTURE_KEYS[i], &app->arena, error));
        if (value != NULL) {
            printf("  %-10s %s\n", PICTURE_KEYS[i] + strlen("coif:"), value);
        }
    }
    return COIF_OK;
}

static bool has_any_extension(const char *path, const char *const *extensions)
{
    for (; *extensions != NULL; ++extensions) {
        if (coif_path_has_extension(path, *extensions)) {
            return true;
        }
    }
    return false;
}

// One file, as text or as the members of an open object.
static coif_status explain(coif_app *app, const char *path, coif_json_writer *writer,
                           coif_error *error)
{
    static const char *const pictures[] = {"exr",  "png", "jpg", "jpeg", "tif",
                                           "tiff", "bmp", "hdr", NULL};
    if (are_figures(path)) {
        return writer != NULL ? figures_as_json(writer, app, path, error)
                              : explain_figures(app, path, error);
    }
    if (coif_path_has_extension(path, "json")) {
        return writer != NULL ? scene_as_json(writer, app, path, error)
                              : explain_scene(app, path, error);
    }
    if (has_any_extension(path, pictures)) {
        return writer != NULL ? picture_as_json(writer, app, path, error)
                              : explain_picture(app, path, error);
    }
    return writer != NULL ? coif_file_info_json(writer, path, &app->arena, error)
                          : explain_file(app, path, error);
}

static coif_status explain_as_json(coif_json_writer *writer, coif_app *app, const char *path,
                                   coif_error *error)
{
    coif_write_open(writer, NULL, "{");
    coif_write_text(writer, "file", path);
    const coif_status status = explain(app, path, writer, error);
    if (status != COIF_OK) {
        coif_write_text(writer, "error", error->text);
    }
    coif_write_close(writer, "}");
    return status;
}

// Goes on after a file that is damaged: the next one may be whole.
static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const info_options *info = options;
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "[");
    for (int32_t i = 0; i < info->files.count; ++i) {
        coif_error own = {0};
        const char *path = info->files.items[i];
        const coif_status status =
            info->json ? explain_as_json(&writer, app, path, &own) : explain(app, path, NULL, &own);
        if (status != COIF_OK) {
            const size_t used = strlen(error->text);
            error->status = error->status != COIF_OK ? error->status : own.status;
            snprintf(error->text + used, sizeof error->text - used, "%s%s", used > 0 ? "\n" : "",
                     own.text);
        }
    }
    coif_write_close(&writer, "]");
    if (info->json) {
        puts(writer.text.data);
    }
    const coif_status printed = coif_app_print("", NULL, error);
    return error->status != COIF_OK ? error->status : printed;
}

const coif_command COIF_COMMAND_INFO = {
    .name = "info",
    .help = "explain a file: groom, frame, state, picture, mesh, scene",
    .more = "Files of a cache are verified to the last byte: a damaged one ends with 4.\n",
    .examples = "  coif info out/tiny/*\n"
                "  coif info scenes/assets/ball.obj out/tiny/render0001.png\n"
                "  coif info --json out/tiny/hair.0001.strands\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(info_options),
    .run = run,
};
