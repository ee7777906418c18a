#include "tools/cli/bundle/bundle_files.h"

#include "core/base/array_grow.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/image/udim.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *coif_path_absolute(const char *path, coif_arena *arena)
{
    char here[4096];
    const char *joined = path[0] != '/' && getcwd(here, sizeof here) != NULL
                             ? coif_path_join(here, path, arena)
                             : path;
    char *clean = coif_arena_alloc(arena, strlen(joined) + 2, 1);
    size_t size = 0;
    for (const char *part = joined; *part != '\0';) {
        part += strspn(part, "/");
        const size_t length = strcspn(part, "/");
        if (length == 2 && memcmp(part, "..", 2) == 0) {
            while (size > 0 && clean[--size] != '/') {
            }
        } else if (length > 0 && !(length == 1 && part[0] == '.')) {
            clean[size++] = '/';
            memcpy(clean + size, part, length);
            size += length;
        }
        part += length;
    }
    strcpy(clean + size, size == 0 ? "/" : "");
    return clean;
}

char *coif_path_relative(const char *path, const char *folder, coif_arena *arena)
{
    size_t common = 0, i = 0;
    for (; path[i] != '\0' && path[i] == folder[i]; ++i) {
        common = path[i] == '/' ? i : common;
    }
    common = folder[i] == '\0' && path[i] == '/' ? i : common;
    char *relative = coif_arena_copy_text(arena, path + common + 1);
    for (const char *up = folder + common; *up != '\0' && up[1] != '\0'; up += strcspn(up, "/")) {
        up += 1;
        relative = coif_arena_print(arena, "../%s", relative);
    }
    return relative;
}

static bool is_regular_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static void add_file(coif_bundle_files *files, const char *path, coif_arena *arena);

// A file that a mesh or material file names, relative to its folder.
static void add_named(coif_bundle_files *files, const char *name, const char *by, coif_arena *arena)
{
    const char *path = coif_path_join(coif_path_folder(by, arena), name, arena);
    if (name[0] == '/' && is_regular_file(path)) {
        files->unmovable = coif_arena_print(arena, "%s: %s", by, name);
    }
    add_file(files, path, arena);
}

// Library lines of an OBJ file, or lines of an MTL file that end with the name of an image.
static void add_dependencies(coif_bundle_files *files, const char *path, coif_arena *arena)
{
    const bool is_mtl = coif_path_has_extension(path, "mtl");
    coif_bytes bytes;
    coif_error ignored = {0};
    if ((!is_mtl && !coif_path_has_extension(path, "obj")) ||
        coif_file_map(&bytes, path, &ignored) != COIF_OK) {
        return;
    }
    const char *data = bytes.data;
    for (size_t begin = 0; begin < bytes.size;) {
        const char *stop = memchr(data + begin, '\n', bytes.size - begin);
        size_t end = stop != NULL ? (size_t)(stop - data) : bytes.size;
        const size_t next = end + 1;
        while (begin < end && isspace((unsigned char)data[begin])) {
            ++begin;
        }
        while (end > begin && isspace((unsigned char)data[end - 1])) {
            --end;
        }
        static const char *const keywords[] = {"mtllib ", "map_",  "bump ",
                                               "disp ",   "norm ", "refl "};
        for (size_t k = is_mtl ? 1 : 0; k < (is_mtl ? COIF_COUNT_OF(keywords) : 1); ++k) {
            const size_t length = strlen(keywords[k]);
            if (end - begin > length && memcmp(data + begin, keywords[k], length) == 0) {
                // The rest of the line, or its last word after options.
                char *line = coif_arena_print(arena, "%.*s", (int)(end - begin), data + begin);
                char *rest = line + strcspn(line, " \t");
                rest += strspn(rest, " \t");
                const char *word = strrchr(rest, ' ');
                add_named(files, rest, path, arena);
                if (word != NULL) {
                    add_named(files, word + 1, path, arena);
                }
            }
        }
        begin = next;
    }
    coif_file_unmap(&bytes);
}

static void add_file(coif_bundle_files *files, const char *path, coif_arena *arena)
{
    const char *absolute = coif_path_absolute(path, arena);
    const int32_t before = files->files.count;
    if (is_regular_file(absolute)) {
        coif_string_table_intern(&files->files, absolute, strlen(absolute), arena);
    }
    if (files->files.count > before) {
        add_dependencies(files, absolute, arena);
    }
}

// Whether a file name is that of the pattern with digits, and dots between them, for its run of #.
// A run may also stand for the name of a groom.
static bool fits_pattern(const char *name, const char *pattern)
{
    const size_t before = strcspn(pattern, "#"), run = strspn(pattern + before, "#");
    const char *after = pattern + before + run;
    const size_t length = strlen(name), end = strlen(after);
    return length > before + end && strncmp(name, pattern, before) == 0 &&
           strcmp(name + length - end, after) == 0;
}

static coif_status add_folder(coif_bundle_files *files, const char *folder, const char *pattern,
                              const char *extensions, coif_arena *arena, coif_error *error)
{
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return coif_fail(error, COIF_ERR_IO, "%s: cannot be read: %s", folder, strerror(errno));
    }
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *extension = strrchr(entry->d_name, '.');
        const size_t size = extension != NULL ? strlen(extension + 1) : 0;
        const char *known = size > 0 ? strstr(extensions, extension + 1) : NULL;
        const bool wanted = pattern != NULL
                                ? fits_pattern(entry->d_name, pattern)
                                : known != NULL && (known[size] == ' ' || known[size] == '\0');
        if (entry->d_name[0] != '.' && wanted) {
            add_file(files, coif_path_join(folder, entry->d_name, arena), arena);
        }
    }
    closedir(directory);
    return COIF_OK;
}

coif_status coif_bundle_files_add_folder(coif_bundle_files *files, const char *folder,
                                         const char *extensions, coif_arena *arena,
                                         coif_error *error)
{
    return add_folder(files, folder, NULL, extensions, arena, error);
}

// One file, a sequence, a UDIM set, or a folder of caches.
static coif_status add_path(coif_bundle_files *files, const char *path, coif_arena *arena,
                            coif_error *error)
{
    if (coif_path_is_directory(path)) {
        return add_folder(files, path, NULL, "groom strands", arena, error);
    }
    if (strchr(coif_path_name(path), '#') != NULL) {
        const char *folder = coif_path_folder(path, arena);
        return coif_path_is_directory(folder)
                   ? add_folder(files, folder, coif_path_name(path), "", arena, error)
                   : COIF_OK;
    }
    const int32_t last = coif_path_is_udim(path) ? COIF_UDIM_LAST : COIF_UDIM_FIRST;
    for (int32_t tile = COIF_UDIM_FIRST; tile <= last; ++tile) {
        add_file(files, coif_udim_tile_path(path, tile, arena), arena);
    }
    return COIF_OK;
}

static void add_absolute(coif_bundle_files *files, const coif_json *source, const char *path,
                         coif_arena *arena)
{
    if (source == NULL || source->kind != COIF_JSON_STRING || source->text[0] != '/' ||
        source->origin != NULL) {
        return;
    }
    files->absolute = coif_array_grow(files->absolute, files->absolute_count, 1,
                                      &files->absolute_capacity, sizeof *files->absolute, arena);
    files->absolute[files->absolute_count++] = (coif_scene_path){source->begin, source->end, path};
}

static coif_status add_values(coif_bundle_files *files, const coif_values *values,
                              coif_arena *arena, coif_error *error)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_value *value = &values->values[i];
        const bool is_path = values->rows[i].type == COIF_PARAM_PATH;
        const char *path = is_path ? value->text : value->texture;
        if (path == NULL || path[0] == '\0') {
            continue;
        }
        const coif_json *source = value->source;
        if (!is_path && source != NULL) {
            source = coif_json_find(source, "texture");
        }
        add_absolute(files, source, path, arena);
        COIF_TRY(add_path(files, path, arena, error));
    }
    return COIF_OK;
}

static coif_status add_node(coif_bundle_files *files, const coif_node *node, coif_arena *arena,
                            coif_error *error)
{
    COIF_TRY(add_values(files, &node->values, arena, error));
    COIF_TRY(add_values(files, &node->plugin_values, arena, error));
    for (int32_t i = 0; i < node->child_count; ++i) {
        COIF_TRY(add_node(files, &node->children[i], arena, error));
    }
    return COIF_OK;
}

coif_status coif_bundle_files_find(coif_bundle_files *files, const coif_scene *scene,
                                   coif_arena *arena, coif_error *error)
{
    *files = (coif_bundle_files){.unmovable = NULL};
    add_file(files, scene->path, arena);
    return add_node(files, scene->root, arena, error);
}
