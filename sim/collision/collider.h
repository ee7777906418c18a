// collide: bodies as hair meets them: the nearest point of a moving triangle mesh, and its inside.
//
// A collider is a tree of boxes, four per node, over the triangles of one mesh. The tree is built
// once from the rest pose; each frame only its boxes are fitted to where the triangles are at the
// beginning and at the end of the frame, and a query names the moment between them. Vertices move
// straight within a frame, as roots do, and so do the sides of boxes.
//
// Which side of the surface a point is on follows from the nearest feature: a face, an edge or a
// vertex, with angle-weighted normals (Baerentzen and Aanaes 2005). Meshes need not be closed; an
// open one has an inside only behind its faces.
//
// The answer depends only on the place, the moment and the mesh: ties go to the lower triangle, so
// neither the tree nor the hint of a search shows in the result.
#ifndef COIF_SIM_COLLISION_COLLIDER_H
#define COIF_SIM_COLLISION_COLLIDER_H

#include "core/mesh/mesh.h"

// Four boxes side by side, at the beginning of the frame and how far their sides move. A child is a
// node, or a leaf: one coif_bvh_leaf.
typedef struct coif_bvh_node {
    float low[3][4], high[3][4];
    float low_way[3][4], high_way[3][4];
    int32_t child[4]; // below zero: none
    int32_t leaf[4];  // 1 when the child is a leaf
} coif_bvh_node;

enum { COIF_BVH_LEAF_TRIANGLES = 4 };

// Four triangles side by side: their corners at the beginning of the frame, how far they move, and
// which ones they are in the mesh. One that is not full repeats its first.
typedef struct coif_bvh_leaf {
    float corner[3][3][4], motion[3][3][4]; // corner, axis, triangle
    int32_t index[4];
} coif_bvh_leaf;

typedef struct coif_collider {
    int32_t vertex_count, triangle_count, node_count, leaf_count;
    const int32_t *indices; // of the mesh, borrowed
    int32_t *weld;          // per vertex: the first one at the same rest position
    int32_t *neighbours;    // 3 per triangle: across each edge, -1 at a border
    int32_t *place;         // per triangle of the mesh: 4 * leaf + which of its four
    coif_bvh_node *nodes;
    coif_bvh_leaf *leaves;
    coif_vec3 *normals_begin, *normals_end; // per vertex, angle-weighted, not unit
    coif_vec3 low, high;                    // of the whole frame
    float fastest;                          // the longest way a vertex goes in this frame
    const struct coif_primitive *round;     // a formula in place of triangles, or NULL; see round.h
    struct coif_sdf *shell;                 // sampled distances, or NULL; see shell.h
    bool tree_rests; // the tree stands in the rest pose whatever the body does; only with a shell
} coif_collider;

typedef struct coif_closest_point {
    int32_t triangle;        // of the mesh; -1: nothing within reach
    float weights[2];        // of the second and third corner
    float distance;          // below zero inside
    coif_vec3 point, normal; // normal: unit, away from the body, along the shortest way out
    coif_vec3 motion;        // of the surface there, over the whole frame
} coif_closest_point;

// The mesh must outlive the collider; it stands still until moved.
void coif_collider_build(coif_collider *collider, const coif_mesh *mesh, coif_arena *arena);

// Vertices go from begin to end during the frame (both may be the same array). Copies what it
// needs.
void coif_collider_refit(coif_collider *collider, const coif_vec3 *begin, const coif_vec3 *end);

// The same for two poses of the mesh, which may know how it flexes.
void coif_collider_refit_posed(coif_collider *collider, const coif_mesh *begin,
                               const coif_mesh *end);

// Samples distances around the body, which stands at rest, so that contacts with it are cheap while
// it moves as one piece or flexes. Searches give the same answers as before.
void coif_collider_build_sdf(coif_collider *collider, const coif_mesh *mesh, coif_arena *arena,
                             coif_jobs *jobs);

// The same as building and sampling, for a mesh that is equal to that of a collider which was
// built, and sampled if that is wanted.
void coif_collider_copy(coif_collider *collider, const coif_collider *like, const coif_mesh *mesh,
                        coif_arena *arena);

// Where to search: moment runs from 0 to 1 within the frame, reach is the largest distance of
// interest, hint a triangle that is probably near (-1 for none).
typedef struct coif_closest_point_query {
    coif_vec3 place;
    float moment, reach;
    int32_t hint;
} coif_closest_point_query;

// True when something lies within reach; else nearest->triangle is -1 and distance is reach.
bool coif_collider_closest_point(coif_closest_point *nearest, const coif_collider *collider,
                                 const coif_closest_point_query *search);

// The same where the tree stands, which for a body that moves as one piece is the rest pose.
bool coif_collider_closest_point_bvh(coif_closest_point *nearest, const coif_collider *collider,
                                     const coif_closest_point_query *search);

#endif
