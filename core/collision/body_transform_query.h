// body_transform_query: transforms and bounds of one position; those of kernels with one lane used.
#ifndef COIF_CORE_COLLISION_BODY_TRANSFORM_QUERY_H
#define COIF_CORE_COLLISION_BODY_TRANSFORM_QUERY_H

#include "core/collision/body_transform.h"

// World to rest position. NaN where the inverse was not found.
coif_vec3 coif_to_rest(const coif_body_transform *transform, coif_vec3 position);

// Upper bound of rest distance over world distance, for distances of some millimetres around p.
float coif_body_motion_max_stretch(const coif_body_motion *motion, coif_vec3 p);

// Upper bound of the displacement in rest space of a point that stays in a world box and moves by
// `displacement` in world space during a fraction of the frame.
float coif_body_motion_max_displacement(const coif_body_motion *motion, coif_vec3 low,
                                        coif_vec3 high, float displacement, float fraction);

#endif
