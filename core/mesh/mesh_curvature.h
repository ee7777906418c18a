// Discrete mean curvature of a mesh per vertex.
#ifndef COIF_CORE_MESH_MESH_CURVATURE_H
#define COIF_CORE_MESH_MESH_CURVATURE_H

#include "core/mesh/mesh.h"

// Mean of the normal curvatures along the edges of a vertex, 1/m, positive where the surface is
// convex (1 / radius on a sphere):
//
//   k_ij = (n_j - n_i) . (p_j - p_i) / |p_j - p_i|^2
//
// with area-weighted vertex normals. One value per vertex; 0 for vertices without triangles.
void coif_mesh_curvature(float *curvature, const coif_mesh *mesh, coif_arena *scratch);

#endif
