// resolve_penetration: pushes rest strands out of the body.
#ifndef COIF_SIM_GROOM_RESOLVE_PENETRATION_H
#define COIF_SIM_GROOM_RESOLVE_PENETRATION_H

#include "core/collision/collider.h"
#include "core/collision/sdf.h"
#include "sim/groom/varying_params.h"

// From root to tip each segment keeps its length and, without penetration, its direction. A
// segment that ends closer to the body than the clearance of the strand is rotated along the
// surface, and the rest of the strand is translated with it.
void coif_resolve_penetration(coif_strand_buffer *buffer, const coif_collider *body,
                              const coif_param_values *clearance, coif_jobs *jobs);

// Points inside the body by more than a tolerance, and the depth of the deepest in metres.
typedef struct coif_penetration {
    int32_t count;
    float depth;
} coif_penetration;
coif_penetration coif_measure_penetration(const coif_strand_buffer *buffer,
                                          const coif_collider *body, float tolerance,
                                          coif_jobs *jobs);

// A segment that must end at a distance from a body.
typedef struct coif_penetrating_segment {
    coif_vec3 from, to;
    float length, min_distance; // min_distance: of its end from the body
    int32_t hint;               // triangle near its end, -1: unknown
    const coif_sdf *sdf; // of the body: spares queries far from it, with equal results; or NULL
} coif_penetrating_segment;

// Near the root hair must touch the scalp: the distance grows with arc length at a rate of 0.3.
static inline float coif_min_distance_near_root(float min_distance, float arc_length)
{
    const float limit = 0.3f * arc_length;
    return limit < min_distance ? limit : min_distance;
}

// Rotates the segment until its end is clear: moves the end out along the normal, then restores
// the length. False when the iterations did not suffice.
bool coif_segment_rotate_out(coif_penetrating_segment *seg, const coif_collider *body);

#endif
