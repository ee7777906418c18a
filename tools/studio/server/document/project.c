#include "tools/studio/server/document/project.h"

#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/json/json.h"
#include "core/json/json_edit.h"
#include "tools/preset/preset.h"
#include "tools/studio/server/document/paint_map_io.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- templates

// gallery_NAME.jpg of a scene or style_NAME.jpg of a preset, in the documentation of the source
// tree or of the installation.
static const char *find_picture(const coif_project *project, const char *name, coif_arena *arena)
{
    static const char *const folders[] = {"../docs/pictures", "../../doc/coif/pictures"};
    static const char *const kinds[] = {"style", "gallery"};
    for (size_t i = 0; i < COIF_COUNT_OF(folders) * COIF_COUNT_OF(kinds); ++i) {
        const char *path = coif_arena_print(arena, "%s/%s/%s_%s.jpg", project->scenes,
                                            folders[i / 2], kinds[i % 2], name);
        if (coif_path_exists(path)) {
            return path;
        }
    }
    return NULL;
}

static const char *template_file(const coif_project *project, coif_template_kind kind,
                                 const char *name, coif_arena *arena)
{
    return kind == COIF_TEMPLATE_SCENE
               ? coif_arena_print(arena, "%s/%s.json", project->scenes, name)
               : coif_arena_print(arena, "%s/presets/%s.preset", project->scenes, name);
}

// The comment of a scene; NULL for other JSON files.
static const char *scene_help(const char *path, coif_arena *arena)
{
    char *text;
    size_t size;
    coif_json *root;
    coif_error error = {0};
    if (coif_file_load(&text, &size, path, arena, &error) != COIF_OK ||
        coif_json_parse(&root, path, text, size, arena, &error) != COIF_OK ||
        root->kind != COIF_JSON_OBJECT || coif_json_find(root, "grooms") == NULL) {
        return NULL;
    }
    const coif_json *comment = coif_json_find(root, "comment");
    return comment != NULL && comment->kind == COIF_JSON_STRING ? comment->text : "";
}

static bool read_template(coif_template *found, const coif_project *project,
                          coif_template_kind kind, const char *name, coif_arena *arena)
{
    const char *path = template_file(project, kind, name, arena);
    const char *help = NULL;
    if (kind == COIF_TEMPLATE_SCENE) {
        help = scene_help(path, arena);
    } else {
        coif_preset preset;
        coif_error error = {0};
        if (coif_preset_load(&preset, path, arena, &error) == COIF_OK) {
            help = preset.help;
        }
    }
    *found = (coif_template){kind, name, help, find_picture(project, name, arena)};
    return help != NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Names of the JSON files in the folder of scenes, ascending.
static size_t scene_names(const char ***names, const char *folder, coif_arena *arena)
{
    enum { MAX = 512 };
    size_t count = 0;
    *names = coif_arena_new(arena, MAX, const char *);
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return 0;
    }
    for (struct dirent *entry; count < MAX && (entry = readdir(directory)) != NULL;) {
        if (coif_path_has_extension(entry->d_name, "json")) {
            (*names)[count++] =
                coif_arena_print(arena, "%.*s", (int)(strlen(entry->d_name) - 5), entry->d_name);
        }
    }
    closedir(directory);
    qsort(*names, count, sizeof **names, by_name);
    return count;
}

void coif_project_templates(coif_template **templates, int32_t *count, const coif_project *project,
                            coif_arena *arena)
{
    *count = 0;
    *templates = NULL;
    if (project->scenes == NULL) {
        return;
    }
    const char **scenes, **presets;
    size_t preset_count;
    coif_error error = {0};
    const size_t scene_count = scene_names(&scenes, project->scenes, arena);
    if (coif_preset_names(&presets, &preset_count,
                          coif_arena_print(arena, "%s/presets", project->scenes), arena,
                          &error) != COIF_OK) {
        preset_count = 0;
    }
    *templates = coif_arena_new(arena, (int64_t)(scene_count + preset_count) + 1, coif_template);
    for (size_t i = 0; i < scene_count; ++i) {
        *count +=
            read_template(&(*templates)[*count], project, COIF_TEMPLATE_SCENE, scenes[i], arena);
    }
    for (size_t i = 0; i < preset_count; ++i) {
        *count +=
            read_template(&(*templates)[*count], project, COIF_TEMPLATE_PRESET, presets[i], arena);
    }
}

coif_status coif_project_find_template(coif_template *found, const coif_project *project,
                                       coif_template_kind kind, const char *name, coif_arena *arena,
                                       coif_error *error)
{
    return project->scenes != NULL && strchr(name, '/') == NULL &&
                   read_template(found, project, kind, name, arena)
               ? COIF_OK
               : coif_fail(error, COIF_ERR_ARGUMENT, "no template \"%s\"", name);
}

// ---- files of a project

bool coif_project_is_file_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strlen(name) < 200 && strpbrk(name, "/\\") == NULL;
}

coif_status coif_project_path(const char **path, bool *exists, const coif_project *project,
                              const coif_project_target *target, coif_arena *arena,
                              coif_error *error)
{
    *exists = false;
    const char *folder = target->folder != NULL && target->folder[0] != '\0' ? target->folder : ".";
    folder = coif_path_join(project->folder, folder, arena);
    if (!coif_path_is_directory(folder)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: no such folder", folder);
    }
    if (!coif_project_is_file_name(target->name)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "\"%s\": expected a file name without folders and without a leading dot",
                         target->name);
    }
    const char *name = coif_path_has_extension(target->name, target->extension)
                           ? target->name
                           : coif_arena_print(arena, "%s.%s", target->name, target->extension);
    *path = coif_path_join(coif_path_real(folder, arena), name, arena);
    struct stat status;
    if (lstat(*path, &status) != 0) {
        return COIF_OK;
    }
    if (!S_ISREG(status.st_mode)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: not a file; choose another name", *path);
    }
    *exists = !target->overwrite;
    return target->overwrite ? COIF_OK
                             : coif_fail(error, COIF_ERR_ARGUMENT, "%s: exists already", *path);
}

// ---- scenes from templates

typedef struct instantiation {
    const char *name; // for messages
    const char *path; // of the new scene
    char *text;
    coif_arena *arena;
} instantiation;

static coif_status set_value(instantiation *to, const char *pointer, const char *value,
                             coif_error *error)
{
    const coif_json_text before = {to->name, to->text, strlen(to->text)};
    return coif_json_set(&to->text, &before, pointer, coif_json_quote(value, to->arena), to->arena,
                         error);
}

// SCENE_image.png beside the new scene, which paints it.
static coif_status copy_image(const char **name, const instantiation *to, const char *from,
                              coif_error *error)
{
    const char *scene = coif_path_name(to->path);
    *name = coif_arena_print(to->arena, "%.*s_%s", (int)(strrchr(scene, '.') - scene), scene,
                             coif_path_name(from));
    const char *path = coif_path_join(coif_path_folder(to->path, to->arena), *name, to->arena);
    struct stat status;
    if (lstat(path, &status) == 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: exists already; choose another name for the scene", path);
    }
    char *data;
    size_t size;
    COIF_TRY(coif_file_load(&data, &size, from, to->arena, error));
    return coif_file_save(path, data, size, error);
}

// A value with a path, or with the path of a texture.
static coif_status put_path(instantiation *to, const coif_node *node, const coif_param *row,
                            const coif_value *value, const char *folder, coif_error *error)
{
    const coif_json *source = value->source;
    const coif_json *texture = source != NULL && source->kind == COIF_JSON_OBJECT
                                   ? coif_json_find(source, "texture")
                                   : NULL;
    const coif_json *path = texture != NULL                ? texture
                            : row->type == COIF_PARAM_PATH ? source
                                                           : NULL;
    if (path == NULL || path->kind != COIF_JSON_STRING || path->text[0] == '\0') {
        return COIF_OK;
    }
    const char *absolute = coif_path_join(folder, path->text, to->arena);
    const bool image = coif_path_has_extension(absolute, "png") ||
                       coif_path_has_extension(absolute, "exr") ||
                       coif_path_has_extension(absolute, "tif");
    if (image && strncmp(node->path, "/grooms/", 8) == 0 && coif_path_exists(absolute)) {
        COIF_TRY(copy_image(&absolute, to, absolute, error));
    }
    const char *pointer = coif_arena_print(to->arena, "%s/%s%s", node->path, row->name,
                                           texture != NULL ? "/texture" : "");
    return set_value(to, pointer, absolute, error);
}

static coif_status put_values(instantiation *to, const coif_node *node, const coif_values *values,
                              const char *folder, coif_error *error)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        COIF_TRY(put_path(to, node, &values->rows[i], &values->values[i], folder, error));
    }
    return COIF_OK;
}

static coif_status put_paths(instantiation *to, const coif_node *node, const char *folder,
                             coif_error *error)
{
    if (node->anonymous) {
        return COIF_OK;
    }
    COIF_TRY(put_values(to, node, &node->values, folder, error));
    COIF_TRY(put_values(to, node, &node->plugin_values, folder, error));
    for (int32_t i = 0; i < node->child_count; ++i) {
        COIF_TRY(put_paths(to, &node->children[i], folder, error));
    }
    return COIF_OK;
}

static coif_status instantiate_scene(instantiation *to, const coif_project *project,
                                     const char *file, coif_error *error)
{
    coif_scene *scene = coif_arena_new(to->arena, 1, coif_scene);
    const coif_scene_desc desc = {
        .path = file, .tree = project->tree, .plugins = &project->plugins};
    COIF_TRY(coif_scene_load(scene, &desc, to->arena, error));
    to->text = coif_arena_copy_text(to->arena, scene->source);
    const coif_json_text before = {to->name, to->text, strlen(to->text)};
    COIF_TRY(coif_json_remove(&to->text, &before, "/$schema", to->arena, error));
    const char *folder = coif_path_real(coif_path_folder(file, to->arena), to->arena);
    return put_paths(to, scene->root, folder, error);
}

// The preset on the head that it was made for.
static coif_status instantiate_preset(instantiation *to, const coif_project *project,
                                      const char *file, coif_error *error)
{
    coif_preset preset;
    COIF_TRY(coif_preset_load(&preset, file, to->arena, error));
    const char *mesh = coif_arena_print(to->arena, "%s/assets/mannequin.obj", project->scenes);
    const coif_preset_head head = {.body = "head",
                                   .group = "scalp",
                                   .mesh = coif_path_real(mesh, to->arena),
                                   .scale = 1.0f,
                                   .growth = preset.reference};
    return coif_preset_scene(&to->text, &preset, &head, &project->plugins, to->arena, error);
}

coif_status coif_project_instantiate(char **text, const coif_project *project,
                                     const coif_template *from, const char *path, coif_arena *arena,
                                     coif_error *error)
{
    instantiation to = {.name = coif_path_name(path), .path = path, .arena = arena};
    const char *file = template_file(project, from->kind, from->name, arena);
    COIF_TRY(from->kind == COIF_TEMPLATE_SCENE ? instantiate_scene(&to, project, file, error)
                                               : instantiate_preset(&to, project, file, error));
    *text = to.text;
    return COIF_OK;
}
