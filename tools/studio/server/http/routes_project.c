// Routes of the start page: recent scenes, templates, folders, opening and creating scenes.
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/json/json_writer.h"
#include "tools/studio/server/http/routes.h"
#include "tools/studio/server/http/server_main.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const TEMPLATE_KINDS[] = {"scene", "preset"};

static void write_templates(coif_json_writer *out, const coif_project *project, coif_arena *arena)
{
    coif_template *templates;
    int32_t count;
    coif_project_templates(&templates, &count, project, arena);
    coif_write_open(out, "templates", "[");
    for (int32_t i = 0; i < count; ++i) {
        coif_write_open(out, NULL, "{");
        coif_write_text(out, "kind", TEMPLATE_KINDS[templates[i].kind]);
        coif_write_text(out, "name", templates[i].name);
        coif_write_text(out, "help", templates[i].help);
        coif_write_raw(out, "picture", templates[i].picture != NULL ? "true" : "false");
        coif_write_close(out, "}");
    }
    coif_write_close(out, "]");
}

static void write_recent(coif_json_writer *out, const coif_project *project, coif_arena *arena)
{
    const char *paths[COIF_MAX_RECENT_SCENES];
    const int32_t count = coif_recent_scenes_load(paths, project->recent, arena);
    coif_write_open(out, "recent", "[");
    for (int32_t i = 0; i < count; ++i) {
        coif_write_text(out, NULL, paths[i]);
    }
    coif_write_close(out, "]");
}

// The open scene or what can be opened, and the templates.
coif_status coif_route_project(const coif_services *services, const coif_request *request,
                               coif_reply *reply, coif_error *error)
{
    const coif_project *project = services->project;
    (void)request, (void)error;
    coif_json_writer out;
    coif_json_writer_init(&out, reply->arena);
    coif_write_open(&out, NULL, "{");
    coif_write_raw(&out, "open", services->studio != NULL ? "true" : "false");
    coif_write_text(
        &out, "folder",
        coif_path_real(services->studio != NULL ? services->studio->folder : project->folder,
                       reply->arena));
    if (services->studio == NULL) {
        if (services->server->problem.status != COIF_OK) {
            coif_write_text(&out, "problem", services->server->problem.text);
        }
        if (project->mesh != NULL) {
            coif_write_text(&out, "mesh", coif_path_real(project->mesh, reply->arena));
        }
        if (project->name != NULL) {
            coif_write_text(&out, "name", project->name);
        }
        write_recent(&out, project, reply->arena);
    }
    write_templates(&out, project, reply->arena);
    coif_write_close(&out, "}");
    coif_reply_json(reply, out.text.data);
    return COIF_OK;
}

static coif_status find_kind(coif_template_kind *kind, const char *name, coif_error *error)
{
    for (size_t i = 0; i < COIF_COUNT_OF(TEMPLATE_KINDS); ++i) {
        if (name != NULL && strcmp(TEMPLATE_KINDS[i], name) == 0) {
            *kind = (coif_template_kind)i;
            return COIF_OK;
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "kind=%s: expected scene or preset",
                     name != NULL ? name : "");
}

// ?kind=preset&name=bun: JPEG of a template.
coif_status coif_route_picture(const coif_services *services, const coif_request *request,
                               coif_reply *reply, coif_error *error)
{
    coif_template_kind kind = COIF_TEMPLATE_SCENE;
    coif_template found;
    char *data;
    size_t size;
    const char *name = coif_request_query(request, "name");
    COIF_TRY(find_kind(&kind, coif_request_query(request, "kind"), error));
    COIF_TRY(coif_project_find_template(&found, services->project, kind, name != NULL ? name : "",
                                        reply->arena, error));
    if (found.picture == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "template \"%s\" has no picture", found.name);
    }
    COIF_TRY(coif_file_load(&data, &size, found.picture, reply->arena, error));
    coif_reply_bytes(reply, data, size);
    reply->type = "image/jpeg";
    return COIF_OK;
}

// ---- folders

typedef struct folder_entry {
    const char *name;
    bool folder;
} folder_entry;

static int folders_first(const void *a, const void *b)
{
    const folder_entry *x = a, *y = b;
    return x->folder != y->folder ? (int)y->folder - (int)x->folder : strcmp(x->name, y->name);
}

static bool has_extension_of(const char *name, const char *extensions, coif_arena *arena)
{
    char *rest = coif_arena_copy_text(arena, extensions), *extension;
    while ((extension = strsep(&rest, ",")) != NULL) {
        if (coif_path_has_extension(name, extension)) {
            return true;
        }
    }
    return false;
}

static int32_t list_folder(folder_entry *entries, int32_t capacity, const char *folder,
                           const char *extensions, coif_arena *arena)
{
    int32_t count = 0;
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return -1;
    }
    for (struct dirent *entry; count < capacity && (entry = readdir(directory)) != NULL;) {
        const char *name = entry->d_name;
        const bool is_folder = coif_path_is_directory(coif_path_join(folder, name, arena));
        if (name[0] != '.' && (is_folder || has_extension_of(name, extensions, arena))) {
            entries[count++] = (folder_entry){coif_arena_copy_text(arena, name), is_folder};
        }
    }
    closedir(directory);
    qsort(entries, (size_t)count, sizeof *entries, folders_first);
    return count;
}

// ?folder=/home/me&extensions=json,obj: its folders and files, without hidden ones.
coif_status coif_route_files(const coif_services *services, const coif_request *request,
                             coif_reply *reply, coif_error *error)
{
    enum { MAX = 5000 };
    const char *folder = coif_request_query(request, "folder");
    const char *extensions = coif_request_query(request, "extensions");
    folder = coif_path_join(services->project->folder,
                            folder != NULL && folder[0] != '\0' ? folder : ".", reply->arena);
    folder = coif_path_real(folder, reply->arena);
    folder_entry *entries = coif_arena_new(reply->arena, MAX, folder_entry);
    const int32_t count =
        list_folder(entries, MAX, folder, extensions != NULL ? extensions : "json", reply->arena);
    if (count < 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: %s", folder, strerror(errno));
    }
    coif_json_writer out;
    coif_json_writer_init(&out, reply->arena);
    coif_write_open(&out, NULL, "{");
    coif_write_text(&out, "folder", folder);
    for (int folders = 1; folders >= 0; --folders) {
        coif_write_open(&out, folders ? "folders" : "files", "[");
        for (int32_t i = 0; i < count; ++i) {
            if (entries[i].folder == (folders != 0)) {
                coif_write_text(&out, NULL, entries[i].name);
            }
        }
        coif_write_close(&out, "]");
    }
    coif_write_close(&out, "}");
    coif_reply_json(reply, out.text.data);
    return COIF_OK;
}

// ---- opening

// Closes the open scene, whose unsaved changes stay in its journal, and opens another one. The
// pages load themselves again.
static coif_status switch_scene(const coif_services *services, const char *path, coif_reply *reply,
                                coif_error *error)
{
    coif_server *server = services->server;
    const bool was_open = services->studio != NULL;
    coif_server_close_scene(server);
    server->problem = (coif_error){0};
    const coif_status status = path != NULL ? coif_server_open_scene(server, path, error) : COIF_OK;
    if (status != COIF_OK && was_open) {
        server->problem = *error; // for the page that loads itself again
    }
    if (status == COIF_OK || was_open) {
        coif_broadcast_event(&server->broadcast, "project", "{}");
    }
    COIF_TRY(status);
    coif_reply_json(reply, path != NULL ? "{\"open\": true}" : "{\"open\": false}");
    return COIF_OK;
}

// {"path": "bob.json"}, relative to the project folder.
coif_status coif_route_open_scene(const coif_services *services, const coif_request *request,
                                  coif_reply *reply, coif_error *error)
{
    coif_json *body;
    const char *path = "";
    COIF_TRY(coif_request_object(&body, request, "open", reply->arena, error));
    COIF_TRY(coif_json_read_text(&path, body, "path", error));
    path = coif_path_join(services->project->folder, path, reply->arena);
    if (!coif_path_exists(path) || coif_path_is_directory(path)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: no such file", path);
    }
    return switch_scene(services, path, reply, error);
}

coif_status coif_route_close_scene(const coif_services *services, const coif_request *request,
                                   coif_reply *reply, coif_error *error)
{
    (void)request;
    return switch_scene(services, NULL, reply, error);
}

static const char EMPTY_SCENE[] =
    "{\n  \"coif\": 1,\n  \"bodies\": [],\n  \"grooms\": [],\n  \"lights\": []\n}\n";

static coif_status write_template(const char **text, const coif_services *services,
                                  const coif_json *body, const char *path, coif_arena *arena,
                                  coif_error *error)
{
    const char *kind_name = NULL, *name = "";
    coif_template_kind kind = COIF_TEMPLATE_SCENE;
    coif_template found;
    char *instance;
    COIF_TRY(coif_json_read_text(&kind_name, body, "kind", error));
    COIF_TRY(coif_json_read_text(&name, body, "template", error));
    COIF_TRY(find_kind(&kind, kind_name, error));
    COIF_TRY(coif_project_find_template(&found, services->project, kind, name, arena, error));
    COIF_TRY(coif_project_instantiate(&instance, services->project, &found, path, arena, error));
    *text = instance;
    return COIF_OK;
}

static coif_status write_import(const char **text, bool *exists, const coif_services *services,
                                const coif_json *body, const char *path, bool overwrite,
                                coif_arena *arena, coif_error *error)
{
    coif_mesh_import import;
    char *scene;
    COIF_TRY(coif_mesh_import_read(&import, coif_json_find(body, "mesh"), services, arena, error));
    import.overwrite = overwrite;
    COIF_TRY(
        coif_mesh_import_scene(&scene, exists, services->project, &import, path, arena, error));
    *text = scene;
    return COIF_OK;
}

// Writes the files of a new scene and gives its path.
static coif_status write_scene(const char **path, bool *exists, const coif_services *services,
                               const coif_request *request, coif_arena *arena, coif_error *error)
{
    coif_json *body;
    coif_project_target target = {.name = "", .extension = "json"};
    COIF_TRY(coif_request_object(&body, request, "new scene", arena, error));
    COIF_TRY(coif_json_read_text(&target.name, body, "name", error));
    COIF_TRY(coif_json_read_text(&target.folder, body, "folder", error));
    COIF_TRY(coif_json_read_bool(&target.overwrite, body, "overwrite", error));
    COIF_TRY(coif_project_path(path, exists, services->project, &target, arena, error));
    const char *text = EMPTY_SCENE;
    if (coif_json_find(body, "mesh") != NULL) {
        COIF_TRY(
            write_import(&text, exists, services, body, *path, target.overwrite, arena, error));
    } else if (coif_json_find(body, "template") != NULL) {
        COIF_TRY(write_template(&text, services, body, *path, arena, error));
    }
    return coif_file_save(*path, text, strlen(text), error);
}

// {"name", "folder", "overwrite"} and {"kind", "template"} or {"mesh": {...}}: writes a scene and
// opens it; without either it is empty. An existing file is status 409.
coif_status coif_route_new_scene(const coif_services *services, const coif_request *request,
                                 coif_reply *reply, coif_error *error)
{
    const char *path;
    bool exists = false;
    const coif_status status = write_scene(&path, &exists, services, request, reply->arena, error);
    if (status != COIF_OK && exists) {
        coif_reply_error(reply, error, 409);
        return COIF_OK;
    }
    COIF_TRY(status);
    return switch_scene(services, path, reply, error);
}
