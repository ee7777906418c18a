// Polygons of the file that a triangle mesh was built from, for export.
#ifndef COIF_CORE_MESH_MESH_POLYGONS_H
#define COIF_CORE_MESH_MESH_POLYGONS_H

#include "core/mesh/mesh.h"

typedef struct coif_mesh_polygons {
    int32_t count, corner_count;
    int32_t *sizes;     // corners per polygon
    int32_t *corners;   // index into indices, normals and uvs of the mesh
    int32_t *triangles; // first triangle of each polygon
} coif_mesh_polygons;

// Joins the triangles of each polygon. One that lost a part without area stays triangles.
coif_mesh_polygons coif_mesh_polygons_of(const coif_mesh *mesh, coif_arena *arena);

#endif
