#include "tools/cli/bundle/bundle.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/json/json_writer.h"
#include "tools/cli/bundle/bundle_files.h"
#include "tools/cli/bundle/tar.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANIFEST         "bundle.json"
#define CACHE_FOLDER     "cache"
#define CACHE_EXTENSIONS "groom strands state"

enum { BUNDLE_VERSION = 1, MAX_DIFFERENCES = 20, DIGEST_TEXT = 17 };

// A bundle while it is written: to an archive, or to files of a folder.
typedef struct bundle_writer {
    const coif_bundle_desc *desc;
    coif_bundle_files files, cache;
    char *root;            // common folder of the files
    const char *scene;     // absolute path of the scene
    coif_bytes scene_text; // with relative paths
    coif_json_writer manifest;
    coif_file archive; // descriptor -1: a folder
    bool writes;       // false: the files are digested for the manifest
    coif_arena *arena;
} bundle_writer;

static bool is_archive(const char *path)
{
    return coif_path_has_extension(path, "coif");
}

// ---- writing

static int by_begin(const void *a, const void *b)
{
    const size_t x = ((const coif_scene_path *)a)->begin, y = ((const coif_scene_path *)b)->begin;
    return x < y ? -1 : x > y;
}

// The text of the scene with relative paths in place of absolute ones.
static void write_scene_text(bundle_writer *writer)
{
    const coif_scene *scene = writer->desc->scene;
    const char *folder = coif_path_folder(writer->scene, writer->arena);
    coif_scene_path *paths = writer->files.absolute;
    coif_strbuf text;
    coif_strbuf_init(&text, writer->arena);
    size_t done = 0;
    if (writer->files.absolute_count > 0) {
        qsort(paths, writer->files.absolute_count, sizeof *paths, by_begin);
        coif_log(
            COIF_LOG_WARNING,
            "%s: %zu absolute paths become relative; caches made with them are simulated again",
            scene->path, writer->files.absolute_count);
    }
    for (size_t i = 0; i < writer->files.absolute_count; ++i) {
        if (paths[i].begin >= done) {
            const char *path = coif_path_absolute(paths[i].path, writer->arena);
            coif_strbuf_add_bytes(&text, scene->source + done, paths[i].begin - done);
            coif_strbuf_add(&text, coif_json_quote(coif_path_relative(path, folder, writer->arena),
                                                   writer->arena));
            done = paths[i].end;
        }
    }
    coif_strbuf_add_bytes(&text, scene->source + done, scene->source_size - done);
    writer->scene_text = (coif_bytes){scene->path, text.data, text.size};
}

// The folder that holds all files.
static char *common_folder(const coif_string_table *files, coif_arena *arena)
{
    char *root = coif_path_folder(files->names[0], arena);
    for (int32_t i = 1; i < files->count; ++i) {
        while (strcmp(root, "/") != 0 && (strncmp(files->names[i], root, strlen(root)) != 0 ||
                                          files->names[i][strlen(root)] != '/')) {
            root = coif_path_folder(root, arena);
        }
    }
    return root;
}

static coif_status put_file(bundle_writer *writer, const char *name, const coif_bytes *content,
                            coif_error *error)
{
    if (!writer->writes) {
        char digest[DIGEST_TEXT];
        snprintf(digest, sizeof digest, "%016llx",
                 (unsigned long long)coif_hash64(content->data, content->size));
        coif_write_open(&writer->manifest, NULL, "{");
        coif_write_text(&writer->manifest, "path", name);
        coif_write_number(&writer->manifest, "bytes", (double)content->size);
        coif_write_text(&writer->manifest, "xxh3", digest);
        coif_write_close(&writer->manifest, "}");
        return COIF_OK;
    }
    if (is_archive(writer->desc->out)) {
        return coif_tar_add(&writer->archive, name, content, error);
    }
    const char *path = coif_path_join(writer->desc->out, name, writer->arena);
    COIF_TRY(coif_path_make_directory(coif_path_folder(path, writer->arena), error));
    return coif_file_save(path, content->data, content->size, error);
}

static coif_status put_path(bundle_writer *writer, const char *name, const char *path,
                            coif_error *error)
{
    coif_bytes content;
    if (!coif_progress_step(writer->desc->progress, 1)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled", writer->desc->out);
    }
    if (strcmp(path, writer->scene) == 0) {
        return put_file(writer, name, &writer->scene_text, error);
    }
    COIF_TRY(coif_file_map(&content, path, error));
    const coif_status status = put_file(writer, name, &content, error);
    coif_file_unmap(&content);
    return status;
}

static const char *name_in_bundle(const bundle_writer *writer, const char *path)
{
    return coif_path_relative(path, writer->root, writer->arena);
}

static coif_status put_all(bundle_writer *writer, bool writes, coif_error *error)
{
    writer->writes = writes;
    for (int32_t i = 0; i < writer->files.files.count; ++i) {
        const char *path = writer->files.files.names[i];
        COIF_TRY(put_path(writer, name_in_bundle(writer, path), path, error));
    }
    for (int32_t i = 0; i < writer->cache.files.count; ++i) {
        const char *path = writer->cache.files.names[i];
        const char *name =
            coif_arena_print(writer->arena, CACHE_FOLDER "/%s", coif_path_name(path));
        COIF_TRY(put_path(writer, name, path, error));
    }
    return COIF_OK;
}

static void write_plugins(coif_json_writer *manifest, const coif_node *node,
                          coif_string_table *written, coif_arena *arena)
{
    const coif_plugin *plugin = node->plugin;
    const int32_t before = written->count;
    if (plugin != NULL) {
        coif_string_table_intern(written, plugin->id, strlen(plugin->id), arena);
    }
    if (written->count > before) {
        coif_write_open(manifest, NULL, "{");
        coif_write_text(manifest, "id", plugin->id);
        coif_write_text(manifest, "version", plugin->version);
        coif_write_close(manifest, "}");
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        write_plugins(manifest, &node->children[i], written, arena);
    }
}

static coif_status write_manifest(bundle_writer *writer, coif_bytes *text, coif_error *error)
{
    coif_json_writer *manifest = &writer->manifest;
    coif_string_table plugins = {0};
    coif_json_writer_init(manifest, writer->arena);
    coif_write_open(manifest, NULL, "{");
    coif_write_number(manifest, "coif_bundle", BUNDLE_VERSION);
    coif_write_text(manifest, "program", COIF_VERSION);
    coif_write_text(manifest, "scene", name_in_bundle(writer, writer->scene));
    coif_write_text(manifest, "cache", writer->desc->cache != NULL ? CACHE_FOLDER : "");
    coif_write_open(manifest, "plugins", "[");
    write_plugins(manifest, writer->desc->scene->root, &plugins, writer->arena);
    coif_write_close(manifest, "]");
    coif_write_open(manifest, "files", "[");
    COIF_TRY(put_all(writer, false, error));
    coif_write_close(manifest, "]");
    coif_write_close(manifest, "}");
    coif_strbuf_add(&manifest->text, "\n");
    *text = (coif_bytes){MANIFEST, manifest->text.data, manifest->text.size};
    return COIF_OK;
}

// In a folder the manifest is written last, so that a bundle that has one is complete.
static coif_status write_bundle(bundle_writer *writer, const coif_bytes *manifest,
                                coif_error *error)
{
    writer->writes = true;
    if (!is_archive(writer->desc->out)) {
        COIF_TRY(put_all(writer, true, error));
        return put_file(writer, MANIFEST, manifest, error);
    }
    COIF_TRY(coif_file_open(&writer->archive, writer->desc->out, COIF_FILE_WRITE, error));
    coif_status status = put_file(writer, MANIFEST, manifest, error);
    status = status == COIF_OK ? put_all(writer, true, error) : status;
    status = status == COIF_OK ? coif_tar_finish(&writer->archive, error) : status;
    status = status == COIF_OK ? coif_file_commit(&writer->archive, error) : status;
    coif_file_close(&writer->archive);
    return status;
}

static coif_status check_empty(const char *folder, coif_error *error)
{
    DIR *directory = opendir(folder);
    bool empty = true;
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return empty ? COIF_OK
                 : coif_fail(error, COIF_ERR_IO, "%s: the folder is not empty; expected a new one",
                             folder);
}

static coif_status find_files(bundle_writer *writer, coif_error *error)
{
    const coif_bundle_desc *desc = writer->desc;
    COIF_TRY(coif_bundle_files_find(&writer->files, desc->scene, writer->arena, error));
    if (writer->files.unmovable != NULL) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s; expected a path relative to that file, which a bundle can keep",
                         writer->files.unmovable);
    }
    writer->scene = coif_path_absolute(desc->scene->path, writer->arena);
    writer->root = common_folder(&writer->files.files, writer->arena);
    return desc->cache != NULL
               ? coif_bundle_files_add_folder(&writer->cache, desc->cache, CACHE_EXTENSIONS,
                                              writer->arena, error)
               : COIF_OK;
}

coif_status coif_bundle_write(coif_bundle_summary *summary, const coif_bundle_desc *desc,
                              coif_arena *arena, coif_error *error)
{
    bundle_writer writer = {.desc = desc, .archive.descriptor = -1, .arena = arena};
    coif_bytes manifest;
    if (!is_archive(desc->out)) {
        COIF_TRY(check_empty(desc->out, error));
    }
    COIF_TRY(find_files(&writer, error));
    write_scene_text(&writer);
    const int32_t count = writer.files.files.count + writer.cache.files.count;
    coif_progress_begin(desc->progress, "packing", 2 * (int64_t)count, "files");
    COIF_TRY(write_manifest(&writer, &manifest, error));
    COIF_TRY(write_bundle(&writer, &manifest, error));
    coif_progress_end(desc->progress);
    *summary = (coif_bundle_summary){.file_count = count,
                                     .scene = name_in_bundle(&writer, writer.scene),
                                     .cache = desc->cache != NULL ? CACHE_FOLDER : ""};
    return COIF_OK;
}

// ---- reading

typedef struct bundle_reader {
    const char *path;
    coif_bytes archive; // no data: a folder
    const coif_json *manifest;
    size_t offset; // of the next file of an archive
    coif_strbuf differences;
    int32_t difference_count;
    coif_progress *progress;
    coif_arena *arena;
} bundle_reader;

static const char *text_of(const coif_json *object, const char *key)
{
    const coif_json *value = coif_json_find(object, key);
    return value != NULL && value->kind == COIF_JSON_STRING ? value->text : "";
}

static bool manifest_is_valid(const coif_json *manifest)
{
    const coif_json *version = coif_json_find(manifest, "coif_bundle");
    const coif_json *files = coif_json_find(manifest, "files");
    bool valid = version != NULL && (int)version->number == BUNDLE_VERSION && files != NULL &&
                 files->kind == COIF_JSON_ARRAY &&
                 coif_tar_name_is_safe(text_of(manifest, "scene"));
    for (const coif_json *file = valid ? files->child : NULL; file != NULL; file = file->next) {
        const coif_json *bytes = coif_json_find(file, "bytes");
        valid = valid && coif_tar_name_is_safe(text_of(file, "path")) &&
                strlen(text_of(file, "xxh3")) == DIGEST_TEXT - 1 && bytes != NULL &&
                bytes->number >= 0.0;
    }
    return valid;
}

static coif_status parse_manifest(bundle_reader *reader, const coif_bytes *text, coif_error *error)
{
    const char *name = coif_arena_print(reader->arena, "%s: " MANIFEST, reader->path);
    coif_json *root;
    COIF_TRY(coif_json_parse(&root, name, text->data, text->size, reader->arena, error));
    reader->manifest = root;
    return manifest_is_valid(root)
               ? COIF_OK
               : coif_fail(
                     error, COIF_ERR_FORMAT,
                     "%s: expected \"coif_bundle\": %d, \"scene\", and \"files\" with \"path\", "
                     "\"bytes\" and \"xxh3\"",
                     name, BUNDLE_VERSION);
}

static coif_status open_reader(bundle_reader *reader, coif_error *error)
{
    coif_strbuf_init(&reader->differences, reader->arena);
    if (coif_path_is_directory(reader->path)) {
        char *data;
        size_t size;
        const char *path = coif_path_join(reader->path, MANIFEST, reader->arena);
        COIF_TRY(coif_file_load(&data, &size, path, reader->arena, error));
        return parse_manifest(reader, &(coif_bytes){path, data, size}, error);
    }
    COIF_TRY(coif_file_map(&reader->archive, reader->path, error));
    coif_tar_entry entry;
    bool found;
    COIF_TRY(coif_tar_next(&entry, &reader->archive, &reader->offset, &found, error));
    if (!found || strcmp(entry.name, MANIFEST) != 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: expected " MANIFEST " as the first file",
                         reader->path);
    }
    return parse_manifest(reader, &entry.content, error);
}

static void add_difference(bundle_reader *reader, const char *name, const char *what)
{
    if (reader->difference_count++ < MAX_DIFFERENCES) {
        coif_strbuf_print(&reader->differences, "%s: %s: %s\n", reader->path, name, what);
    }
}

static void compare(bundle_reader *reader, const coif_json *file, const coif_bytes *content)
{
    char digest[DIGEST_TEXT];
    snprintf(digest, sizeof digest, "%016llx",
             (unsigned long long)coif_hash64(content->data, content->size));
    if ((double)content->size != coif_json_find(file, "bytes")->number) {
        add_difference(reader, text_of(file, "path"),
                       coif_arena_print(reader->arena, "%zu bytes, expected %.0f", content->size,
                                        coif_json_find(file, "bytes")->number));
    } else if (strcmp(digest, text_of(file, "xxh3")) != 0) {
        add_difference(reader, text_of(file, "path"), "the content has changed");
    }
}

// The content of the next file of the manifest, which an archive has in the same order.
static bool next_content(bundle_reader *reader, const coif_json *file, coif_bytes *content,
                         coif_error *error)
{
    const char *name = text_of(file, "path");
    if (reader->archive.data == NULL) {
        const char *path = coif_path_join(reader->path, name, reader->arena);
        return coif_file_map(content, path, error) == COIF_OK;
    }
    coif_tar_entry entry;
    bool found;
    if (coif_tar_next(&entry, &reader->archive, &reader->offset, &found, error) != COIF_OK) {
        return false;
    }
    if (!found || strcmp(entry.name, name) != 0) {
        coif_fail(error, COIF_ERR_FORMAT, "%s: expected %s, found %s", reader->path, name,
                  found ? entry.name : "the end");
        return false;
    }
    *content = entry.content;
    return true;
}

static coif_status read_files(bundle_reader *reader, const char *folder, coif_error *error)
{
    const coif_json *files = coif_json_find(reader->manifest, "files");
    coif_progress_begin(reader->progress, folder != NULL ? "unpacking" : "checking",
                        files->child_count, "files");
    for (const coif_json *file = files->child; file != NULL; file = file->next) {
        coif_bytes content;
        coif_error missing = {0};
        if (!coif_progress_step(reader->progress, 1)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled", reader->path);
        }
        if (!next_content(reader, file, &content, &missing)) {
            if (reader->archive.data != NULL) {
                return coif_fail(error, missing.status, "%s", missing.text);
            }
            add_difference(reader, text_of(file, "path"), "is missing");
            continue;
        }
        const int32_t before = reader->difference_count;
        compare(reader, file, &content);
        coif_status status = COIF_OK;
        if (folder != NULL && reader->difference_count == before) {
            const char *path = coif_path_join(folder, text_of(file, "path"), reader->arena);
            status = coif_path_make_directory(coif_path_folder(path, reader->arena), error);
            status = status == COIF_OK ? coif_file_save(path, content.data, content.size, error)
                                       : status;
        }
        if (reader->archive.data == NULL) {
            coif_file_unmap(&content);
        }
        COIF_TRY(status);
    }
    coif_progress_end(reader->progress);
    return COIF_OK;
}

static void check_plugins(bundle_reader *reader, const coif_plugins *plugins)
{
    const coif_json *list = coif_json_find(reader->manifest, "plugins");
    for (const coif_json *entry = list != NULL ? list->child : NULL; entry != NULL;
         entry = entry->next) {
        const char *id = text_of(entry, "id"), *version = text_of(entry, "version");
        const coif_plugin *plugin = coif_plugins_find(plugins, id);
        if (plugin == NULL) {
            add_difference(reader, id, "no such plugin; give its folder with --plugin-path");
        } else if (strcmp(plugin->version, version) != 0) {
            add_difference(reader, id,
                           coif_arena_print(reader->arena, "plugin of version %s, expected %s",
                                            plugin->version, version));
        }
    }
}

static coif_status finish_reading(coif_bundle_summary *summary, bundle_reader *reader,
                                  coif_error *error)
{
    const coif_json *files = coif_json_find(reader->manifest, "files");
    *summary = (coif_bundle_summary){.file_count = files->child_count,
                                     .scene = text_of(reader->manifest, "scene"),
                                     .cache = text_of(reader->manifest, "cache")};
    for (const coif_json *file = files->child; file != NULL; file = file->next) {
        summary->bytes += (uint64_t)coif_json_find(file, "bytes")->number;
    }
    if (reader->difference_count == 0) {
        return COIF_OK;
    }
    reader->differences.data[reader->differences.size - 1] = '\0';
    return coif_fail(error, COIF_ERR_FORMAT, "%s%s", reader->differences.data,
                     reader->difference_count > MAX_DIFFERENCES ? "\n..." : "");
}

coif_status coif_bundle_check(coif_bundle_summary *summary, const char *path,
                              const coif_plugins *plugins, coif_progress *progress,
                              coif_arena *arena, coif_error *error)
{
    bundle_reader reader = {.path = path, .progress = progress, .arena = arena};
    coif_status status = open_reader(&reader, error);
    status = status == COIF_OK ? read_files(&reader, NULL, error) : status;
    if (status == COIF_OK) {
        check_plugins(&reader, plugins);
        status = finish_reading(summary, &reader, error);
    }
    coif_file_unmap(&reader.archive);
    return status;
}

coif_status coif_bundle_unpack(coif_bundle_summary *summary, const char *archive,
                               const char *folder, coif_progress *progress, coif_arena *arena,
                               coif_error *error)
{
    bundle_reader reader = {.path = archive, .progress = progress, .arena = arena};
    COIF_TRY(check_empty(folder, error));
    coif_status status = open_reader(&reader, error);
    status = status == COIF_OK ? read_files(&reader, folder, error) : status;
    status = status == COIF_OK ? finish_reading(summary, &reader, error) : status;
    // The manifest last: a folder that has one is complete.
    coif_tar_entry entry;
    size_t offset = 0;
    bool found;
    if (status == COIF_OK) {
        status = coif_tar_next(&entry, &reader.archive, &offset, &found, error);
    }
    if (status == COIF_OK) {
        status = coif_file_save(coif_path_join(folder, MANIFEST, arena), entry.content.data,
                                entry.content.size, error);
    }
    coif_file_unmap(&reader.archive);
    return status;
}
