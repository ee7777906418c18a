// Routes of new scenes from a mesh: upload, contents of the file, reading of the request.
#include "core/base/error.h"
#include "core/base/fs.h"
#include "tools/studio/server/http/routes.h"

#include <dirent.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static void empty_folder(const char *folder, coif_arena *arena)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        unlink(coif_path_join(folder, coif_arena_copy_text(arena, entry->d_name), arena));
    }
    if (directory != NULL) {
        closedir(directory);
    }
}

// ?name=head.obj&first=1, with the bytes of a file: a mesh, its materials or an image of them, kept
// in the temporary folder until a scene is made. The first file of an upload removes those before.
coif_status coif_route_upload_mesh(const coif_services *services, const coif_request *request,
                                   coif_reply *reply, coif_error *error)
{
    const char *name = coif_request_query(request, "name");
    const char *folder = services->upload_folder;
    if (name == NULL || !coif_project_is_file_name(name)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "name=%s: expected a file name without folders",
                         name != NULL ? name : "");
    }
    COIF_TRY(coif_path_make_directory(folder, error));
    if (coif_request_number(request, "first", 0, 0, 1) == 1) {
        empty_folder(folder, reply->arena);
    }
    const char *path = coif_path_join(folder, name, reply->arena);
    COIF_TRY(coif_file_save(path, request->body, request->body_size, error));
    coif_reply_json(reply, coif_arena_print(reply->arena, "{\"path\": %s}",
                                            coif_json_quote(path, reply->arena)));
    return COIF_OK;
}

// ?path=head.obj&object=: see coif_mesh_source_pack.
coif_status coif_route_project_mesh(const coif_services *services, const coif_request *request,
                                    coif_reply *reply, coif_error *error)
{
    const char *path = coif_request_query(request, "path");
    coif_mesh_source source;
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    path = coif_path_join(services->project->folder, path != NULL ? path : "", reply->arena);
    COIF_TRY(coif_mesh_source_read(&source, path, coif_request_query(request, "object"),
                                   reply->arena, error));
    COIF_TRY(coif_mesh_source_pack(&out, &source, reply->arena, error));
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

static coif_status read_names(coif_name_list *list, const coif_json *object, const char *key,
                              coif_arena *arena, coif_error *error)
{
    const coif_json *array = coif_json_find(object, key);
    if (array == NULL) {
        return COIF_OK;
    }
    if (array->kind != COIF_JSON_ARRAY) {
        return coif_fail(error, COIF_ERR_FORMAT, "\"%s\": expected an array of names", key);
    }
    list->names = coif_arena_new(arena, array->child_count + 1, const char *);
    for (const coif_json *each = array->child; each != NULL; each = each->next) {
        if (each->kind != COIF_JSON_STRING) {
            return coif_fail(error, COIF_ERR_FORMAT, "\"%s\": expected an array of names", key);
        }
        list->names[list->count++] = each->text;
    }
    return COIF_OK;
}

coif_status coif_mesh_import_read(coif_mesh_import *import, const coif_json *mesh,
                                  const coif_services *services, coif_arena *arena,
                                  coif_error *error)
{
    *import = (coif_mesh_import){.object = "",
                                 .path = "",
                                 .body = "body",
                                 .preset = "",
                                 .upload_folder = services->upload_folder};
    if (mesh->kind != COIF_JSON_OBJECT) {
        return coif_fail(error, COIF_ERR_FORMAT, "\"mesh\": expected an object");
    }
    COIF_TRY(coif_json_read_text(&import->path, mesh, "path", error));
    COIF_TRY(coif_json_read_text(&import->object, mesh, "object", error));
    COIF_TRY(coif_json_read_text(&import->preset, mesh, "preset", error));
    COIF_TRY(coif_json_read_bool(&import->z_up, mesh, "z_up", error));
    COIF_TRY(coif_json_read_bool(&import->unwrap, mesh, "unwrap", error));
    COIF_TRY(read_names(&import->left_out[0], mesh, "left_out_groups", arena, error));
    COIF_TRY(read_names(&import->left_out[1], mesh, "left_out_materials", arena, error));
    COIF_TRY(read_names(&import->scalp[0], mesh, "scalp_groups", arena, error));
    COIF_TRY(read_names(&import->scalp[1], mesh, "scalp_materials", arena, error));
    const coif_json *planes = coif_json_find(mesh, "planes");
    if (planes != NULL) {
        import->plane_count = planes->child_count / 4;
        if (import->plane_count > COIF_MAX_IMPORT_PLANES) {
            return coif_fail(error, COIF_ERR_FORMAT, "\"planes\": at most %d are possible",
                             COIF_MAX_IMPORT_PLANES);
        }
        COIF_TRY(coif_json_read_floats(import->planes[0], 4 * import->plane_count, mesh, "planes",
                                       1e9, error));
    }
    const coif_json *scale = coif_json_find(mesh, "scale");
    if (scale == NULL || scale->kind != COIF_JSON_NUMBER ||
        !(scale->number >= 1e-6 && scale->number <= 1e6)) {
        return coif_fail(error, COIF_ERR_FORMAT, "\"scale\": expected a number from 1e-6 to 1e6");
    }
    import->scale = (float)scale->number;
    import->path = coif_path_join(services->project->folder, import->path, arena);
    return COIF_OK;
}
