// mesh_build: from the polygons of a file to the triangles of a mesh.
#ifndef COIF_CORE_MESH_BUILD_H
#define COIF_CORE_MESH_BUILD_H

#include "core/mesh.h"
#include "core/obj.h"

// Everything but the materials' properties, which stay grey. Path is for messages.
coif_status coif_mesh_build(coif_mesh *mesh, const coif_obj *obj, const char *path,
                            coif_arena *arena, coif_error *error);

// Corner normals of a mesh whose points stand at positions: the file's where it has them, smooth
// ones elsewhere. Obj may be NULL: all smooth. Its polygons must be those the mesh was made from.
void coif_mesh_make_normals(coif_vec3 *normals, const coif_mesh *mesh, const coif_vec3 *positions,
                            const coif_obj *obj, coif_arena *scratch);

#endif
