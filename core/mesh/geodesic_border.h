// Geodesic distance of mesh vertices to the border of a group.
//
// Fast marching on triangles (Kimmel and Sethian 1998): a front advances from the border and
// crosses each triangle as a plane wave.
#ifndef COIF_CORE_MESH_GEODESIC_BORDER_H
#define COIF_CORE_MESH_GEODESIC_BORDER_H

#include "core/mesh/mesh.h"

// Distance per vertex in metres within the triangles of a group (-1: all); the border consists of
// the group boundary and open mesh edges. False without a border. Unreachable vertices and those
// outside are at INFINITY.
bool coif_geodesic_border(float *distances, const coif_mesh *mesh, int32_t group,
                          coif_arena *scratch);

// Interpolated distance of a surface point.
float coif_geodesic_border_distance(const float *distances, const coif_mesh *mesh, int32_t triangle,
                                    float b1, float b2);

#endif
