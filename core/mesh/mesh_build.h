// Mesh construction: triangulates the polygons of an OBJ file.
#ifndef COIF_CORE_MESH_MESH_BUILD_H
#define COIF_CORE_MESH_MESH_BUILD_H

#include "core/mesh/mesh.h"
#include "core/mesh/obj.h"

typedef struct coif_mesh_file {
    const char *path; // for messages
    const coif_mesh_desc *desc;
} coif_mesh_file;

// Builds everything but the material properties, which are the defaults.
coif_status coif_mesh_build(coif_mesh *mesh, const coif_obj *obj, const coif_mesh_file *file,
                            coif_arena *arena, coif_error *error);

#endif
