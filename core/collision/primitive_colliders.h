// primitive_colliders: collision shapes without triangles: spheres, capsules, planes, and any shape
// given by a signed distance function.
#ifndef COIF_CORE_COLLISION_PRIMITIVE_COLLIDERS_H
#define COIF_CORE_COLLISION_PRIMITIVE_COLLIDERS_H

#include "core/base/vec.h"
#include "core/collision/bvh.h"

enum {
    COIF_PRIMITIVE_SPHERE,
    COIF_PRIMITIVE_CAPSULE,
    COIF_PRIMITIVE_PLANE,
    COIF_PRIMITIVE_FUNCTION
};

// Writes distance, normal and motion of each closest point; motion is the velocity of the surface,
// m/s, and zero beforehand. Distances may be too small, never too large. [worker]
typedef void (*coif_distance_function)(void *context, coif_closest_point *nearest,
                                       const coif_vec3 *positions, int32_t count, double seconds);

// A sphere is a capsule of zero length. The second end of a plane is its unit normal.
typedef struct coif_primitive_pose {
    coif_vec3 ends[2];
    float radius;
} coif_primitive_pose;

typedef struct coif_primitive {
    int32_t shape;
    coif_primitive_pose begin, end; // of the frame
    // Of a distance function, which has no pose.
    coif_distance_function function;
    void *context;
    double time, seconds; // begin and duration of the frame
} coif_primitive;

// Makes a collider of the shape, moving from one pose to the other during the frame.
void coif_primitive_move(coif_collider *collider, coif_primitive *primitive,
                         const coif_primitive_pose *begin, const coif_primitive_pose *end);

// The same for a distance function, whose surface moves on its own.
void coif_primitive_set_time(coif_collider *collider, coif_primitive *primitive, double time,
                             double seconds);

// Closest points at a time of the frame; distance is never limited.
void coif_primitive_closest_points(coif_closest_point *nearest, const coif_primitive *primitive,
                                   const coif_vec3 *positions, int32_t count, float time);

// Upper bound of the motion of the surface over the frame, near its closest point.
float coif_primitive_max_motion(const coif_primitive *primitive, const coif_closest_point *nearest);

#endif
