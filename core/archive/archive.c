// Scene files of other programs: selection of the reader by content, and names of objects.
#include "core/archive/archive.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/base/strbuf.h"

#include <string.h>

static const coif_archive_vtable *const READERS[] = {&COIF_ARCHIVE_ALEMBIC, &COIF_ARCHIVE_USDA,
                                                     &COIF_ARCHIVE_USDC, &COIF_ARCHIVE_PLY,
                                                     &COIF_ARCHIVE_GLB};

// First bytes or extension of known formats without a reader, and what to do.
static const struct {
    const char *head, *extension; // either is ""
    const char *advice;
} UNREAD[] = {
    {"\x89HDF\r\n\x1a\n", "",
     "HDF5-based Alembic is not read; convert it: abcconvert -toOgawa IN.abc OUT.abc"},
    {"Kaydara FBX Binary", "fbx", "FBX is not read; export Alembic"},
    {"; FBX ", "", "FBX is not read; export Alembic"},
    {"", "gltf", "glTF with separate files is not read; export one binary .glb"}, // any JSON text
    {"BLENDER", "blend",
     "Blender files are not read; use the add-on for Blender, or export Alembic or USD"},
    {"//Maya ASCII", "ma", "Maya scenes are not read; export Alembic or USD"},
    {"", "mb", "Maya scenes are not read; export Alembic or USD"},
    {"", "hip", "Houdini scenes are not read; export Alembic or USD"},
    {"", "bgeo", "Houdini geometry is not read; export Alembic or USD"},
    {"", "max", "3ds Max scenes are not read; export Alembic"},
    {"", "c4d", "Cinema 4D scenes are not read; export Alembic"},
    {"", "xgen", "XGen collections are not read; export the curves as Alembic"},
    {"", "ass", "Arnold scenes are not read; export the curves as Alembic or USD"},
    {"", "stl", "STL is not read; export OBJ or PLY"},
    {"", "dae", "COLLADA is not read; export Alembic, USD or OBJ"},
};

enum { HEAD_BYTES = 64 };

static coif_status read_head(unsigned char *head, size_t *size, const char *path, coif_error *error)
{
    coif_file file;
    COIF_TRY(coif_file_open(&file, path, COIF_FILE_READ, error));
    *size = file.size < HEAD_BYTES ? (size_t)file.size : HEAD_BYTES;
    const coif_status status = coif_file_read(&file, head, *size, error);
    coif_file_close(&file);
    return status;
}

static const coif_archive_vtable *find_reader(const unsigned char *head, size_t size)
{
    for (size_t i = 0; i < COIF_COUNT_OF(READERS); ++i) {
        if (READERS[i]->matches(head, size)) {
            return READERS[i];
        }
    }
    return NULL;
}

static const char *find_advice(const char *path, const unsigned char *head, size_t size)
{
    for (size_t i = 0; i < COIF_COUNT_OF(UNREAD); ++i) {
        const size_t length = strlen(UNREAD[i].head);
        const bool begins =
            length > 0 && size >= length && memcmp(head, UNREAD[i].head, length) == 0;
        if (begins || (UNREAD[i].extension[0] != '\0' &&
                       coif_path_has_extension(path, UNREAD[i].extension))) {
            return UNREAD[i].advice;
        }
    }
    return NULL;
}

coif_status coif_archive_open(coif_archive **archive, const char *path,
                              const coif_archive_import *import, coif_arena *arena,
                              coif_error *error)
{
    unsigned char head[HEAD_BYTES];
    size_t size;
    COIF_TRY(read_head(head, &size, path, error));
    const coif_archive_vtable *reader = find_reader(head, size);
    if (reader == NULL) {
        const char *advice = find_advice(path, head, size);
        return coif_fail(error, COIF_ERR_FORMAT, "%s: %s", path,
                         advice != NULL ? advice : "not an archive of a known format");
    }
    COIF_TRY(reader->open(archive, path, import, arena, error));
    const coif_archive *opened = *archive;
    coif_log_once(COIF_LOG_INFO, "%s: %s%s%s, unit %g m%s, %c up, %d objects", path, opened->format,
                  *opened->application != '\0' ? " of " : "", opened->application,
                  opened->meters_per_unit, opened->states_units ? "" : " (assumed)",
                  opened->up_axis, opened->object_count);
    return COIF_OK;
}

bool coif_archive_is_archive(const char *path)
{
    unsigned char head[HEAD_BYTES];
    size_t size;
    coif_error ignored = {.status = COIF_OK};
    return read_head(head, &size, path, &ignored) == COIF_OK &&
           (find_reader(head, size) != NULL || find_advice(path, head, size) != NULL);
}

// Whether name is the path, its last component, or the same of its parent: most programs put a
// shape below a transform and name both.
static bool is_named(const char *path, size_t length, const char *name)
{
    const size_t size = strlen(name);
    return size <= length && memcmp(path + length - size, name, size) == 0 &&
           (size == length || path[length - size - 1] == '/');
}

static size_t parent_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) : 0;
}

int32_t coif_archive_find(const coif_archive *archive, coif_archive_kind kind, const char *name)
{
    int32_t of_kind = 0, only = -1, by_parent = -1;
    for (int32_t i = 0; i < archive->object_count; ++i) {
        const coif_archive_object *object = &archive->objects[i];
        if (object->kind != kind) {
            continue;
        }
        ++of_kind;
        only = i;
        if (name != NULL && is_named(object->path, strlen(object->path), name)) {
            return i;
        }
        if (name != NULL && by_parent < 0 &&
            is_named(object->path, parent_length(object->path), name)) {
            by_parent = i;
        }
    }
    return name != NULL ? by_parent : of_kind == 1 ? only : -1;
}

coif_status coif_archive_select(int32_t *object, const coif_archive *archive,
                                coif_archive_kind kind, const char *name, coif_error *error)
{
    static const char *const kinds[] = {"curves", "mesh", "camera"};
    const bool named = name != NULL && *name != '\0';
    *object = coif_archive_find(archive, kind, named ? name : NULL);
    if (*object >= 0) {
        return COIF_OK;
    }
    COIF_SCOPED_ARENA(scratch, "objects");
    const char **paths = coif_arena_new(&scratch, archive->object_count, const char *);
    size_t count = 0;
    for (int32_t i = 0; i < archive->object_count; ++i) {
        if (archive->objects[i].kind == kind) {
            paths[count++] = archive->objects[i].path;
        }
    }
    coif_strbuf list;
    coif_strbuf_init(&list, &scratch);
    coif_strbuf_add_names(&list, paths, count, 20);
    coif_fail(error, COIF_ERR_SCENE, "object: %s has %s%s%s%s (%s)", archive->path,
              count == 0 || named ? "no " : "more than one ", kinds[kind], named ? " " : "",
              named ? name : "", count > 0 ? list.data : "none");
    return COIF_ERR_SCENE;
}

#define DISPATCH(member, result)                                                                   \
    (archive->vtable->member != NULL                                                               \
         ? archive->vtable->member(archive, object, sample, result, arena, error)                  \
         : coif_fail(error, COIF_ERR_FORMAT, "%s: %s: %s has no such objects", archive->path,      \
                     archive->objects[object].path, archive->format))

coif_status coif_archive_read_curves(const coif_archive *archive, int32_t object, int32_t sample,
                                     coif_archive_curves *curves, coif_arena *arena,
                                     coif_error *error)
{
    return DISPATCH(read_curves, curves);
}

coif_status coif_archive_read_mesh(const coif_archive *archive, int32_t object, int32_t sample,
                                   coif_archive_mesh *mesh, coif_arena *arena, coif_error *error)
{
    return DISPATCH(read_mesh, mesh);
}

coif_status coif_archive_read_camera(const coif_archive *archive, int32_t object, int32_t sample,
                                     coif_archive_camera *camera, coif_arena *arena,
                                     coif_error *error)
{
    return DISPATCH(read_camera, camera);
}

const coif_archive_writer_vtable *coif_archive_writer_for(const char *path)
{
    static const coif_archive_writer_vtable *const writers[] = {
        &COIF_ARCHIVE_WRITE_ALEMBIC, &COIF_ARCHIVE_WRITE_USDA, &COIF_ARCHIVE_WRITE_USDC};
    for (size_t i = 0; i < COIF_COUNT_OF(writers); ++i) {
        if (coif_path_has_extension(path, writers[i]->extensions)) {
            return writers[i];
        }
    }
    return NULL;
}
