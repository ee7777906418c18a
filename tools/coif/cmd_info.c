// coif info: what a file is and what it holds.
//
// Our own files are verified from the first byte to the last while they are explained, so that
// `coif info cache/*` is also the way to check a cache.
#include "core/explain.h"
#include "core/image.h"
#include "core/json.h"
#include "tools/coif/command.h"

#include <stdio.h>
#include <string.h>

typedef struct info_options {
    coif_text_list files;
} info_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_OPTION_WITH(COIF_OPTION_ARGUMENT | COIF_OPTION_NEEDED, info_options, files, COIF_OPTION_LIST, "", "files to explain"),
};
// clang-format on

// Figures beside frames and pictures are JSON already; they only need a name.
static coif_status explain_figures(coif_app *app, const char *path, coif_error *error)
{
    char *text;
    size_t size;
    COIF_TRY(coif_file_load(&text, &size, path, &app->arena, error));
    coif_json *root;
    COIF_TRY(coif_json_parse(&root, path, text, size, &app->arena, error));
    printf("%s: figures of how long it took\n  %s", path, text);
    return COIF_OK;
}

static bool are_figures(const char *path)
{
    static const char ending[] = ".stats.json";
    const size_t length = strlen(path);
    return length >= sizeof ending && strcmp(path + length - (sizeof ending - 1), ending) == 0;
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
            const coif_value *name = coif_values_find(&entry->values, "name");
            const char *text = name != NULL && name->text != NULL ? name->text
                               : entry->plugin != NULL            ? entry->plugin->id
                                                                  : "";
            printf("    %s %s\n", entry->path, text);
        }
    }
    return COIF_OK;
}

// Grooms, frames, states, checkpoints, meshes and .hair files.
static coif_status explain_file(coif_app *app, const char *path, coif_error *error)
{
    char *text;
    COIF_TRY(coif_explain(&text, path, &app->arena, error));
    fputs(text, stdout);
    return COIF_OK;
}

static coif_status explain_picture(coif_app *app, const char *path, coif_error *error)
{
    static const char *const keys[] = {"coif:version", "coif:scene", "coif:grooms", "coif:frame",
                                       "coif:samples", "coif:seed",  "coif:isa"};
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
    for (size_t i = 0; i < COIF_COUNT_OF(keys); ++i) {
        char *value = NULL;
        COIF_TRY(coif_image_read_text(&value, path, keys[i], &app->arena, error));
        if (value != NULL) {
            printf("  %-10s %s\n", keys[i] + strlen("coif:"), value);
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

static coif_status explain(coif_app *app, const char *path, coif_error *error)
{
    static const char *const pictures[] = {"exr",  "png", "jpg", "jpeg", "tif",
                                           "tiff", "bmp", "hdr", NULL};
    if (are_figures(path)) {
        return explain_figures(app, path, error);
    }
    if (coif_path_has_extension(path, "json")) {
        return explain_scene(app, path, error);
    }
    if (has_any_extension(path, pictures)) {
        return explain_picture(app, path, error);
    }
    return explain_file(app, path, error);
}

// Goes on after a file that is damaged: the next one may be whole.
static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const info_options *info = options;
    for (int32_t i = 0; i < info->files.count; ++i) {
        coif_error own = {0};
        if (explain(app, info->files.items[i], &own) != COIF_OK) {
            const size_t used = strlen(error->text);
            error->status = error->status != COIF_OK ? error->status : own.status;
            snprintf(error->text + used, sizeof error->text - used, "%s%s", used > 0 ? "\n" : "",
                     own.text);
        }
    }
    const coif_status printed = coif_app_print("", NULL, error);
    return error->status != COIF_OK ? error->status : printed;
}

const coif_command COIF_COMMAND_INFO = {
    .name = "info",
    .help = "explain a file: groom, frame, state, picture, mesh, scene",
    .more = "Files of a cache are verified to the last byte: a damaged one ends with 4.\n",
    .examples = "  coif info out/tiny/*\n"
                "  coif info scenes/assets/ball.obj out/tiny/render0001.png\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(info_options),
    .run = run,
};
