// Length of paths along the surface, to tell neighbours on the surface from neighbours in space.
//
// The path is the intersection of the surface with the plane through both points and their mean
// normal. It is straight on a flat surface, and for near points on a smooth body hardly longer than
// the geodesic.
#ifndef COIF_CORE_MESH_SURFACE_PATH_H
#define COIF_CORE_MESH_SURFACE_PATH_H

#include "core/mesh/mesh.h"

typedef struct coif_surface_paths {
    const coif_mesh *mesh;
    int32_t *vertex; // per corner: welded vertex
    int32_t *across; // per corner: triangle across the edge from it on, -1 for none
} coif_surface_paths;

typedef struct coif_surface_location {
    int32_t triangle;
    float b1, b2; // barycentric weights of the second and third corner
} coif_surface_location;

// Vertices at the same position are welded, so that seams are connected.
void coif_surface_paths_open(coif_surface_paths *paths, const coif_mesh *mesh, coif_arena *arena);

// Whether the path is at most max_ratio times as long as the straight line.
bool coif_surface_paths_within(const coif_surface_paths *paths, coif_surface_location from,
                               coif_surface_location to, float max_ratio);

#endif
