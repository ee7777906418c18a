// surface_anchor: a point of a triangle mesh and the rigid frame of its triangle, by which points
// follow any pose of the mesh. Needs no normals of the pose.
#ifndef COIF_SIM_RUN_SURFACE_ANCHOR_H
#define COIF_SIM_RUN_SURFACE_ANCHOR_H

#include "core/mesh/mesh.h"

typedef struct coif_surface_anchor {
    int32_t triangle;
    float b1, b2; // barycentric weights of the second and third corner
} coif_surface_anchor;

typedef struct coif_anchor_frame {
    coif_vec3 origin;
    coif_mat3 axes; // rows
} coif_anchor_frame;

// The closest surface points, which the mesh must have.
void coif_surface_anchors_find(coif_surface_anchor *anchors, const coif_mesh *mesh,
                               const coif_vec3 *points, int32_t count);

coif_anchor_frame coif_surface_anchor_frame(const coif_mesh *mesh,
                                            const coif_surface_anchor *anchor);

static inline coif_vec3 coif_anchor_frame_local(const coif_anchor_frame *frame, coif_vec3 position)
{
    return coif_mat3_apply(&frame->axes, coif_sub(position, frame->origin));
}

static inline coif_vec3 coif_anchor_frame_world(const coif_anchor_frame *frame, coif_vec3 local)
{
    return coif_add(frame->origin, coif_mat3_apply_transposed(&frame->axes, local));
}

#endif
