// primitive_colliders: analytic collision shapes (spheres, capsules, planes); not rendered.
#ifndef COIF_SIM_COLLISION_PRIMITIVE_COLLIDERS_H
#define COIF_SIM_COLLISION_PRIMITIVE_COLLIDERS_H

#include "core/base/vec.h"
#include "core/scene/scene.h"
#include "sim/collision/bvh.h"

typedef struct coif_primitive_params {
    const char *name;
    int32_t shape;
    float position[3]; // middle of a sphere, one end of a capsule, a point of a plane
    float end[3];      // other end of a capsule
    float radius;      // of spheres and capsules
    float normal[3];   // of a plane, towards where hair is
} coif_primitive_params;

enum { COIF_PRIMITIVE_SPHERE, COIF_PRIMITIVE_CAPSULE, COIF_PRIMITIVE_PLANE };

// "colliders" of a scene.
extern const coif_section COIF_COLLIDERS_SECTION;

// A sphere is a capsule of zero length. The second end of a plane is its unit normal.
typedef struct coif_primitive_pose {
    coif_vec3 ends[2];
    float radius;
} coif_primitive_pose;

typedef struct coif_primitive {
    int32_t shape;
    const coif_node *node;
    coif_primitive_pose begin, end; // of the frame
} coif_primitive;

// Pose in the scene at a frame. A zero normal of a plane becomes y.
coif_primitive_pose coif_primitive_pose_at(const coif_primitive *primitive, double frame);

// Makes a collider of the shape, moving from one pose to the other during the frame.
void coif_primitive_move(coif_collider *collider, coif_primitive *primitive,
                         const coif_primitive_pose *begin, const coif_primitive_pose *end);

// Closest point at a time of the frame; distance is never limited.
void coif_primitive_closest_point(coif_closest_point *nearest, const coif_primitive *primitive,
                                  coif_vec3 position, float time);

#endif
