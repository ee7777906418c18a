// cub_mesh: the tiger cub as a quad mesh with texture coordinates.
#ifndef COIF_ASSETS_CUB_MESH_H
#define COIF_ASSETS_CUB_MESH_H

#include "tools/assets/shared/poly_mesh.h"
#include "tools/assets/tiger_cub/tiger_cub.h"

// The surface of the field, smoothed, with the groups CUB_COAT and CUB_SKIN.
void cub_mesh_build(poly_mesh *mesh, const tiger_cub *cub, coif_arena *arena);

// Adds the two eyeballs.
void cub_mesh_add_eyes(poly_mesh *mesh, const tiger_cub *cub);

// Box projection: connected faces that face the same axis form an island, projected along it.
// Returns two coordinates for each of the four corners of each face; gap is the least distance
// between islands.
double *cub_uv_build(const poly_mesh *mesh, double gap);

#endif
