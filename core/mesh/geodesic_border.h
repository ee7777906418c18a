// mesh_border: how far vertices of a mesh are from the border of a part of it, along the surface.
//
// Fast marching over triangles (Kimmel and Sethian 1998): a front runs in from the border, and
// crosses each triangle as a plane wave does. Distances between vertices are straight ones.
#ifndef COIF_CORE_MESH_GEODESIC_BORDER_H
#define COIF_CORE_MESH_GEODESIC_BORDER_H

#include "core/mesh/mesh.h"

// One distance per vertex, in metres, within the triangles of a group (-1: all); the border is
// where the group ends, and where the mesh is open. False when it has none. Vertices that no border
// can be reached from, and those outside, are INFINITY away.
bool coif_geodesic_border(float *distances, const coif_mesh *mesh, int32_t group,
                          coif_arena *scratch);

// That of a place, from its triangle's corners.
float coif_geodesic_border_distance(const float *distances, const coif_mesh *mesh, int32_t triangle,
                                    float b1, float b2);

#endif
