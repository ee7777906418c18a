// primitive_colliders: analytic collision shapes (spheres, capsules, planes); not rendered.
#ifndef COIF_SIM_COLLISION_PRIMITIVE_COLLIDERS_H
#define COIF_SIM_COLLISION_PRIMITIVE_COLLIDERS_H

#include "core/base/vec.h"
#include "sim/collision/bvh.h"

enum { COIF_PRIMITIVE_SPHERE, COIF_PRIMITIVE_CAPSULE, COIF_PRIMITIVE_PLANE };

// A sphere is a capsule of zero length. The second end of a plane is its unit normal.
typedef struct coif_primitive_pose {
    coif_vec3 ends[2];
    float radius;
} coif_primitive_pose;

typedef struct coif_primitive {
    int32_t shape;
    coif_primitive_pose begin, end; // of the frame
} coif_primitive;

// Makes a collider of the shape, moving from one pose to the other during the frame.
void coif_primitive_move(coif_collider *collider, coif_primitive *primitive,
                         const coif_primitive_pose *begin, const coif_primitive_pose *end);

// Closest point at a time of the frame; distance is never limited.
void coif_primitive_closest_point(coif_closest_point *nearest, const coif_primitive *primitive,
                                  coif_vec3 position, float time);

#endif
