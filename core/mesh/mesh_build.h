// mesh_build: from the polygons of a file to the triangles of a mesh.
#ifndef COIF_CORE_MESH_MESH_BUILD_H
#define COIF_CORE_MESH_MESH_BUILD_H

#include "core/mesh/mesh.h"
#include "core/mesh/obj.h"

typedef struct coif_mesh_file {
    const char *path; // for messages
    const coif_mesh_desc *desc;
} coif_mesh_file;

// Everything but the materials' properties, which stay grey.
coif_status coif_mesh_build(coif_mesh *mesh, const coif_obj *obj, const coif_mesh_file *file,
                            coif_arena *arena, coif_error *error);

#endif
