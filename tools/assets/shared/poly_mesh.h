// poly_mesh: polygon mesh of quads and triangles in double precision, with edge adjacency.
//
// core/mesh stores float triangles for simulation and rendering; meshing an SDF needs quads, and
// results that do not depend on single precision.
#ifndef COIF_ASSETS_POLY_MESH_H
#define COIF_ASSETS_POLY_MESH_H

#include "core/base/arena.h"
#include "core/base/vec3d.h"

typedef struct poly_face {
    int corner[4]; // corner[3] is -1 in a triangle
    int group;
} poly_face;

typedef struct poly_mesh {
    coif_arena *arena;
    int point_count, face_count;
    size_t point_capacity, border_capacity, face_capacity;
    coif_vec3d *point;
    int *border; // per point: 0, 1 + index of the border curve it lies on, -1 where curves join
    poly_face *face;
} poly_mesh;

// An edge: a < b, and the adjacent faces, -1 for none.
typedef struct poly_edge {
    int a, b;
    int face[2];
    int uses; // number of adjacent faces; a manifold edge has at most two
} poly_edge;

typedef struct poly_edges {
    int count;
    poly_edge *edge; // sorted by (a, b)
} poly_edges;

void poly_mesh_init(poly_mesh *mesh, coif_arena *arena);
int poly_mesh_add_point(poly_mesh *mesh, coif_vec3d p);
void poly_mesh_add_face(poly_mesh *mesh, poly_face face);

static inline int poly_face_size(const poly_face *face)
{
    return face->corner[3] < 0 ? 3 : 4;
}

// Unit normal of a face, from its diagonals.
coif_vec3d poly_face_normal(const poly_mesh *mesh, int f);

poly_edges poly_edges_build(const poly_mesh *mesh);
const poly_edge *poly_edges_find(const poly_edges *edges, int a, int b);

// component[f] becomes a face index common to all faces connected to f by edges between faces of
// the same label.
void poly_mesh_components(const poly_mesh *mesh, const poly_edges *edges, const int *label,
                          int *component);

// Rotates the corners of quads whose first diagonal, along which file readers triangulate, would
// give a sliver. Other quads keep their diagonal: parallel diagonals shade better.
void poly_mesh_choose_diagonals(poly_mesh *mesh);

// The half x >= 0 and its mirror image; points with x == 0 are shared. Points of the half keep
// their index; twin[i] is the index of the mirror image of point i.
void poly_mesh_mirror(poly_mesh *whole, const poly_mesh *half, int *twin);

#endif
