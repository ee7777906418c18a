// mesh_way: whether two places of a mesh are near along its surface, or only through the air.
//
// The way is where the plane through both places and the mean of their normals cuts the surface,
// from triangle to triangle. That is straight where the surface is flat, and for places near each
// other on a smooth body hardly longer than the shortest way there is.
#ifndef COIF_CORE_MESH_SURFACE_PATH_H
#define COIF_CORE_MESH_SURFACE_PATH_H

#include "core/mesh/mesh.h"

typedef struct coif_surface_paths {
    const coif_mesh *mesh;
    int32_t *vertex; // per corner, that of those at its place which stands for them
    int32_t *across; // 3 per triangle: the triangle behind the edge from that corner on, -1 none
} coif_surface_paths;

typedef struct coif_surface_location {
    int32_t triangle;
    float b1, b2; // weights of the second and third corner
} coif_surface_location;

// Vertices at one place are one vertex, so seams where a mesh was sewn from pieces do not part it.
void coif_surface_paths_open(coif_surface_paths *ways, const coif_mesh *mesh, coif_arena *arena);

// Whether the way is no longer than so many times the straight line.
bool coif_surface_paths_within(const coif_surface_paths *ways, coif_surface_location from,
                               coif_surface_location to, float times);

#endif
