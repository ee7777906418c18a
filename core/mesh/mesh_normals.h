// mesh_normals: what a mesh faces at its corners, where its file does not say.
#ifndef COIF_CORE_MESH_MESH_NORMALS_H
#define COIF_CORE_MESH_MESH_NORMALS_H

#include "core/mesh/mesh.h"
#include "core/mesh/obj.h"

// Corner normals of a mesh whose points stand at positions: the file's where it has them, smooth
// ones up to mesh->crease elsewhere. Obj may be NULL: none is the file's. Its polygons must be
// those the mesh was made from.
void coif_mesh_make_normals(coif_vec3 *normals, const coif_mesh *mesh, const coif_vec3 *positions,
                            const coif_obj *obj, coif_arena *scratch);

#endif
