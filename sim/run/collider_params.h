// collider_params: "colliders" of a scene, see sim/collision/primitive_colliders.h.
#ifndef COIF_SIM_RUN_COLLIDER_PARAMS_H
#define COIF_SIM_RUN_COLLIDER_PARAMS_H

#include "core/scene/scene.h"
#include "sim/collision/primitive_colliders.h"

typedef struct coif_collider_params {
    const char *name;
    int32_t shape;
    float position[3]; // middle of a sphere, one end of a capsule, a point of a plane
    float end[3];      // other end of a capsule
    float radius;      // of spheres and capsules
    float normal[3];   // of a plane, towards where hair is
} coif_collider_params;

extern const coif_section COIF_COLLIDERS_SECTION;

// Pose at a frame. A zero normal of a plane becomes y.
coif_primitive_pose coif_collider_params_pose(const coif_node *node, double frame);

#endif
