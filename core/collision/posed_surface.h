// posed_surface: signed distances of a collider at one time, for many queries of hair points. Where
// the collider has a valid SDF its interpolated values are used, elsewhere the BVH.
#ifndef COIF_CORE_COLLISION_POSED_SURFACE_H
#define COIF_CORE_COLLISION_POSED_SURFACE_H

#include "core/collision/collider.h"
#include "core/collision/sdf.h"

typedef struct coif_posed_surface {
    const coif_collider *collider;
    float time;                    // 0..1 within the frame that the collider was refitted to
    coif_body_transform transform; // of a valid SDF
} coif_posed_surface;

void coif_posed_surface_init(coif_posed_surface *surface, const coif_collider *collider,
                             float time);

typedef struct coif_surface_sample {
    float distance;   // signed, negative inside
    coif_vec3 normal; // unit
    int32_t hint;     // in and out: a triangle near the position, -1 for none
} coif_surface_sample;

// False: the surface is farther than max_distance, and distance is a lower bound of its distance,
// or the position is deeper inside than COIF_POSED_SURFACE_DEPTH, and distance is 0.
bool coif_posed_surface_sample(coif_surface_sample *sample, const coif_posed_surface *surface,
                               coif_vec3 position, float max_distance);

#define COIF_POSED_SURFACE_DEPTH 0.04f

// Lower bounds of the distances of four points, or negative where the surface may be nearer than
// max_distance; cheaper than samples where most points are farther.
simd_float4 coif_posed_surface_bounds4(const coif_posed_surface *surface, const coif_vec4 points[4],
                                       float max_distance);

#endif
