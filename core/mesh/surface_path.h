// mesh_way: whether two places of a mesh are near along its surface, or only through the air.
//
// The way is where the plane through both places and the mean of their normals cuts the surface,
// from triangle to triangle. That is straight where the surface is flat, and for places near each
// other on a smooth body hardly longer than the shortest way there is.
#ifndef COIF_CORE_MESH_SURFACE_PATH_H
#define COIF_CORE_MESH_SURFACE_PATH_H

#include "core/mesh/mesh.h"

typedef struct coif_mesh_ways {
    const coif_mesh *mesh;
    int32_t *vertex; // per corner, that of those at its place which stands for them
    int32_t *across; // 3 per triangle: the triangle behind the edge from that corner on, -1 none
} coif_mesh_ways;

typedef struct coif_mesh_place {
    int32_t triangle;
    float b1, b2; // weights of the second and third corner
} coif_mesh_place;

// Vertices at one place are one vertex, so seams where a mesh was sewn from pieces do not part it.
void coif_mesh_ways_open(coif_mesh_ways *ways, const coif_mesh *mesh, coif_arena *arena);

// Whether the way is no longer than so many times the straight line.
bool coif_mesh_ways_near(const coif_mesh_ways *ways, coif_mesh_place from, coif_mesh_place to,
                         float times);

#endif
