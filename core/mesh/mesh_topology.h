// Mesh topology: welded vertices, sorted edges and triangle adjacency.
#ifndef COIF_CORE_MESH_MESH_TOPOLOGY_H
#define COIF_CORE_MESH_MESH_TOPOLOGY_H

#include "core/mesh/mesh.h"

// Sets weld[v] to one vertex for all vertices at the same position, so that seams between
// duplicated vertices are connected. Tolerance is relative to the largest coordinate; 0 welds equal
// positions only, and then weld[v] is the lowest index.
void coif_mesh_weld(int32_t *weld, const coif_mesh *mesh, float tolerance, coif_arena *scratch);

typedef struct coif_mesh_edge {
    int32_t low, high; // vertices
    int32_t corner;    // 3 * triangle + k: the edge from this corner to the next one
} coif_mesh_edge;

// The corner after a corner of a triangle.
static inline int32_t coif_mesh_next_corner(int32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

// Per corner: the triangle across the edge from this corner on, -1 at a border. Edges of more than
// two triangles are borders if manifold is set; else each triangle leads to the next one.
void coif_mesh_adjacency(int32_t *across, const coif_mesh *mesh, const int32_t *weld, bool manifold,
                         coif_arena *scratch);

// Number of edges not shared by exactly two triangles, without welding.
typedef struct coif_mesh_edges {
    int64_t boundary, nonmanifold; // one triangle; more than two triangles
} coif_mesh_edges;
coif_mesh_edges coif_mesh_count_edges(const coif_mesh *mesh, coif_arena *scratch);

#endif
