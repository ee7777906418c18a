// bvh: the collider of a moving triangle mesh, and signed distance queries on its BVH.
//
// The BVH has four children per node and four triangles per leaf. It is built once from the rest
// pose; each frame only its boxes are refitted to the triangles at the begin and the end of the
// frame, and a query gives a time between them. Vertices move linearly within a frame, as roots do,
// and so do the faces of the boxes.
//
// The sign follows from the closest feature, a face, an edge or a vertex, with angle-weighted
// pseudonormals (Baerentzen and Aanaes 2005). Meshes need not be closed; an open one has an inside
// only behind its faces.
//
// The result depends only on position, time and mesh: of equal distances the lower triangle wins,
// so neither the BVH nor the hint of a query influences it.
#ifndef COIF_CORE_COLLISION_BVH_H
#define COIF_CORE_COLLISION_BVH_H

#include "core/mesh/mesh.h"

// Four child boxes in SoA layout, at the begin of the frame, and the motion of their faces.
typedef struct coif_bvh_node {
    float low[3][4], high[3][4];
    float low_motion[3][4], high_motion[3][4];
    int32_t child[4]; // a node or a leaf; -1: none
    int32_t leaf[4];  // 1 when the child is a leaf
} coif_bvh_node;

enum { COIF_BVH_LEAF_TRIANGLES = 4 };

// Four triangles in SoA layout: corners at the begin of the frame, their motion, and their indices
// in the mesh. A leaf that is not full repeats its first triangle.
typedef struct coif_bvh_leaf {
    float corner[3][3][4], motion[3][3][4]; // corner, axis, triangle
    int32_t index[4];
} coif_bvh_leaf;

// How hair touches a collider; all zero: as the parameters of the simulation say, from outside.
typedef struct coif_contact_surface {
    bool has_friction;
    float friction; // then: coefficient in place of that of hair
    float margin;   // the surface lies this far in front of the shape, m
    float softness; // depth to which hair sinks in under its own weight, m; 0: rigid
    bool inner;     // a boundary: hair is kept on the inside
} coif_contact_surface;

typedef struct coif_collider {
    int32_t vertex_count, triangle_count, node_count, leaf_count;
    const int32_t *indices; // of the mesh, borrowed
    int32_t *weld;          // per vertex: the first one with the same rest position
    int32_t *neighbours;    // 3 per triangle: across each edge, -1 at a border
    int32_t *leaf_slot;     // per triangle of the mesh: 4 * leaf + slot in it
    coif_bvh_node *nodes;
    coif_bvh_leaf *leaves;
    // Corners (3 * triangle + corner) that meet at a welded vertex v, in increasing order:
    // corners[corner_first[v]] to corners[corner_first[v + 1] - 1].
    int32_t *corner_first, *corners;
    coif_vec3 low, high;                    // bounds over the whole frame
    float max_displacement;                 // of any vertex during the frame
    const struct coif_primitive *primitive; // analytic shape instead of triangles, or NULL
    struct coif_sdf *sdf;                   // signed distance field of the rest pose, or NULL
    struct coif_deforming_sdf *deforming;   // with an SDF: maps poses that are not valid for it
    bool bvh_at_rest; // the BVH is in the rest pose, whatever pose the body has; only with an SDF
    coif_contact_surface surface; // of contacts; closest point queries are of the shape
} coif_collider;

typedef struct coif_closest_point {
    int32_t triangle;        // of the mesh; -1: nothing within max_distance
    float weights[2];        // barycentric, of the second and third corner
    float distance;          // signed, negative inside
    coif_vec3 point, normal; // normal: unit, out of the body, along the shortest way out
    coif_vec3 motion;        // of the surface at point, over the whole frame
} coif_closest_point;

// From the closest point of the shape to that of its contact surface.
static inline void coif_contact_surface_apply(const coif_contact_surface *surface,
                                              coif_closest_point *nearest)
{
    if (surface->inner) {
        nearest->distance = -nearest->distance;
        nearest->normal = coif_scale(nearest->normal, -1.0f);
    }
    if (surface->margin > 0.0f) {
        nearest->distance -= surface->margin;
        nearest->point = coif_mad(nearest->point, surface->margin, nearest->normal);
    }
}

typedef struct coif_closest_point_query {
    coif_vec3 position;
    float time; // 0..1 within the frame
    float max_distance;
    int32_t hint; // a triangle that is probably near, -1 for none
} coif_closest_point_query;

// Closest point in the space of the BVH, which is rest space while bvh_at_rest. False when nothing
// lies within max_distance; then triangle is -1 and distance max_distance.
bool coif_collider_closest_point_bvh(coif_closest_point *nearest, const coif_collider *collider,
                                     const coif_closest_point_query *query);

#endif
