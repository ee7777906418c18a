// Corner normals of a mesh, for corners without normals in the file.
#ifndef COIF_CORE_MESH_MESH_NORMALS_H
#define COIF_CORE_MESH_MESH_NORMALS_H

#include "core/mesh/mesh.h"
#include "core/mesh/obj.h"

// Corner normals for the given vertex positions: those of the file where present, else smooth up to
// the crease angle. Obj may be NULL (no normals in the file); its polygons must be those of the
// mesh.
void coif_mesh_make_normals(coif_vec3 *normals, const coif_mesh *mesh, const coif_vec3 *positions,
                            const coif_obj *obj, coif_arena *scratch);

#endif
