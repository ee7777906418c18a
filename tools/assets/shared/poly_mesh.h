// mesh: points and faces of three or four corners.
//
// Until the very end only the half x >= 0 exists. A point with x == 0 exactly lies on the seam and
// stays there; mirroring doubles everything else.
#ifndef COIF_ASSETS_POLY_MESH_H
#define COIF_ASSETS_POLY_MESH_H

#include "tools/assets/shared/vec.h"

#include <stddef.h>

enum { HEAD_SCALP, HEAD_FACE, HEAD_EAR, HEAD_NECK, HEAD_BUST, HEAD_GROUPS };

typedef struct head_face {
    int corner[4]; // corner[3] is -1 in a triangle
    int group;
} head_face;

typedef struct head_mesh {
    int point_count, point_room;
    int face_count, face_room;
    head_vec *point;
    int *border; // per point: which border curve it lies on plus one, 0 for none, -1 for a junction
    head_face *face;
} head_mesh;

// Two ends of an edge, low index first, and the faces on its sides (-1 for none).
typedef struct head_edge {
    int a, b;
    int face[2];
    int uses; // more than two is a mistake
} head_edge;

typedef struct head_edges {
    int count;
    head_edge *edge;
} head_edges;

// Memory or the end of the program: a generator has nothing to save.
void *head_allocate(size_t count, size_t size);

int head_mesh_add_point(head_mesh *mesh, head_vec p);
void head_mesh_add_face(head_mesh *mesh, head_face face);
void head_mesh_free(head_mesh *mesh);

static inline int head_face_size(const head_face *face)
{
    return face->corner[3] < 0 ? 3 : 4;
}

// All edges, sorted by (a, b).
void head_edges_build(head_edges *edges, const head_mesh *mesh);
const head_edge *head_edges_find(const head_edges *edges, int a, int b);
void head_edges_free(head_edges *edges);

// Turns quads that would be cut into a sliver: readers of the file cut from the first corner. The
// others stay, because neighbours that are cut alike shade better.
void head_mesh_turn_quads(head_mesh *mesh);

// The whole mannequin from its half. Point i of the half keeps its index; twin[i] gets the index
// of its mirror image (i itself on the seam).
void head_mesh_mirror(head_mesh *whole, const head_mesh *half, int *twin);

#endif
