// round: colliders that are a formula: spheres, capsules and planes. Nobody sees them; hair does.
#ifndef COIF_SIM_COLLISION_PRIMITIVE_COLLIDERS_H
#define COIF_SIM_COLLISION_PRIMITIVE_COLLIDERS_H

#include "core/scene/scene.h"
#include "core/base/vec.h"
#include "sim/collision/collider.h"

typedef struct coif_round_params {
    const char *name;
    int32_t shape;
    float place[3];  // middle of a sphere, one end of a capsule, a point of a plane
    float to[3];     // other end of a capsule
    float radius;    // of spheres and capsules
    float normal[3]; // of a plane, towards where hair is
} coif_round_params;

enum { COIF_ROUND_SPHERE, COIF_ROUND_CAPSULE, COIF_ROUND_PLANE };

// "colliders" of a scene.
extern const coif_section COIF_COLLIDERS_SECTION;

// A sphere is a capsule without length. Of a plane the second end is its unit normal.
typedef struct coif_round_pose {
    coif_vec3 ends[2];
    float radius;
} coif_round_pose;

typedef struct coif_round {
    int32_t shape;
    const coif_node *node;
    coif_round_pose begin, end; // of the frame
} coif_round;

// As the scene says at a frame. A plane without a normal is level.
coif_round_pose coif_round_pose_at(const coif_round *round, double frame);

// A collider of this kind, which goes from one pose to the other during the frame.
void coif_round_move(coif_collider *collider, coif_round *round, const coif_round_pose *begin,
                     const coif_round_pose *end);

// The nearest point of it at a moment; always within reach.
void coif_round_find(coif_nearest *nearest, const coif_round *round, coif_vec3 place, float moment);

#endif
