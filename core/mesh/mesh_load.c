// Mesh loading from OBJ and MTL files.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/mesh/mesh_build.h"
#include "core/mesh/mtl.h"
#include "core/mesh/obj.h"

const coif_mesh_desc COIF_MESH_ALL_TRIANGLES = {.group = "", .without = "", .crease = 60.0f};

static coif_status load(coif_mesh *mesh, const coif_mesh_file *file, coif_arena *arena,
                        coif_arena *scratch, coif_error *error)
{
    coif_obj obj;
    COIF_TRY(coif_obj_load(&obj, file->path, scratch, error));
    COIF_TRY(coif_mesh_build(mesh, &obj, file, arena, error));
    for (int32_t i = 0; i < obj.libraries.count; ++i) {
        coif_mtl_load(mesh->material_table, &obj.material_names, obj.libraries.names[i], file->path,
                      arena);
    }
    return COIF_OK;
}

coif_status coif_mesh_load(coif_mesh *mesh, const char *path, const coif_mesh_desc *desc,
                           coif_arena *arena, coif_error *error)
{
    *mesh = (coif_mesh){0};
    coif_arena scratch;
    coif_arena_init(&scratch, "obj");
    const coif_status status = load(mesh, &(coif_mesh_file){path, desc}, arena, &scratch, error);
    coif_arena_free(&scratch);
    return status;
}
