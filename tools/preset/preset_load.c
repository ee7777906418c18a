// preset_load: reads preset files.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "tools/preset/preset.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool read_vector(coif_vec3 *vector, const coif_json *object, const char *key)
{
    const coif_json *array = object != NULL ? coif_json_find(object, key) : NULL;
    if (array == NULL || array->kind != COIF_JSON_ARRAY || array->child_count != 3) {
        return false;
    }
    float *to = &vector->x;
    for (const coif_json *each = array->child; each != NULL; each = each->next) {
        if (each->kind != COIF_JSON_NUMBER || !(fabs(each->number) < 1e6)) {
            return false;
        }
        *to++ = (float)each->number;
    }
    return true;
}

static bool is_list_of_objects(const coif_json *array)
{
    if (array == NULL || array->kind != COIF_JSON_ARRAY || array->child == NULL) {
        return false;
    }
    for (const coif_json *each = array->child; each != NULL; each = each->next) {
        if (each->kind != COIF_JSON_OBJECT) {
            return false;
        }
        for (const coif_json *list = each->child; list != NULL; list = list->next) {
            const bool objects = strcmp(list->key, "maps") == 0 ||
                                 strcmp(list->key, "modifiers") == 0 ||
                                 strcmp(list->key, "constraints") == 0;
            if (objects && list->child != NULL && !is_list_of_objects(list)) {
                return false;
            }
        }
    }
    return true;
}

coif_status coif_preset_load(coif_preset *preset, const char *path, coif_arena *arena,
                             coif_error *error)
{
    char *source;
    size_t size;
    COIF_TRY(coif_file_load(&source, &size, path, arena, error));
    return coif_preset_parse(preset, path, source, size, arena, error);
}

coif_status coif_preset_parse(coif_preset *preset, const char *path, const char *source,
                              size_t size, coif_arena *arena, coif_error *error)
{
    coif_json *root;
    COIF_TRY(coif_json_parse(&root, path, source, size, arena, error));
    const coif_json *version =
        root->kind == COIF_JSON_OBJECT ? coif_json_find(root, "coif_preset") : NULL;
    if (version == NULL || version->kind != COIF_JSON_NUMBER) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: not a preset; expected \"coif_preset\": 1 (coif preset save writes "
                         "presets)",
                         path);
    }
    if (version->number != 1.0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: preset version %g, this build reads 1", path,
                         version->number);
    }
    const coif_json *reference = coif_json_find(root, "reference");
    const coif_json *help = coif_json_find(root, "help");
    *preset = (coif_preset){.path = path,
                            .source = source,
                            .root = root,
                            .help = help != NULL && help->text != NULL ? help->text : ""};
    const coif_vec3 *low = &preset->reference.low, *high = &preset->reference.high;
    if (reference == NULL || reference->kind != COIF_JSON_OBJECT ||
        !read_vector(&preset->reference.low, reference, "min") ||
        !read_vector(&preset->reference.high, reference, "max") || !(low->x < high->x) ||
        !(low->y < high->y) || !(low->z < high->z)) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: reference: expected {\"min\": [x, y, z], \"max\": [x, y, z]} of a "
                         "box that is not empty",
                         path);
    }
    if (!is_list_of_objects(coif_json_find(root, "grooms"))) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: grooms: expected an array of objects, with arrays of objects as "
                         "maps, modifiers and constraints",
                         path);
    }
    return COIF_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

coif_status coif_preset_names(const char ***names, size_t *count, const char *folder,
                              coif_arena *arena, coif_error *error)
{
    enum { MAX = 512 };
    *names = coif_arena_new(arena, MAX, const char *);
    *count = 0;
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return coif_fail(error, COIF_ERR_IO, "%s: %s; expected the presets of coif", folder,
                         strerror(errno));
    }
    for (struct dirent *entry; *count < MAX && (entry = readdir(directory)) != NULL;) {
        if (coif_path_has_extension(entry->d_name, "preset")) {
            (*names)[(*count)++] =
                coif_arena_print(arena, "%.*s", (int)(strlen(entry->d_name) - 7), entry->d_name);
        }
    }
    closedir(directory);
    qsort(*names, *count, sizeof **names, by_name);
    return COIF_OK;
}
