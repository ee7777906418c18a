// Light selection and sampling for four samples at once, one per SIMD lane.
//
// Rectangles, disks and constant environments are vectorised; other lights use
// coif_light_sample_from per lane.
#ifndef COIF_RENDER_LIGHTS_LIGHT_SAMPLING_X4_H
#define COIF_RENDER_LIGHTS_LIGHT_SAMPLING_X4_H

#include "render/lights/light.h"
#include "render/math/fast_math.h"

typedef struct coif_light_samples_x4 {
    coif_lanes x, y, z;          // directions
    coif_lanes red, green, blue; // radiance
    coif_lanes distance;
    coif_lanes pdf;          // of selection and direction; 0: not visible from the point
    coif_lanes_int light;    // index
    coif_lanes_int nee_only; // -1: delta light, not hit by BSDF samples (COIF_MIS_NONE)
} coif_light_samples_x4;

// Uniform numbers: choice selects the light, u and v the point on it. Choice must ascend over
// lanes.
typedef struct coif_light_random_x4 {
    coif_lanes choice, u, v;
} coif_light_random_x4;

// Selects a light per lane in proportion to its importance at point and samples a direction to it.
void coif_lights_sample_x4(coif_light_samples_x4 *samples, const coif_lights *lights,
                           coif_vec3 point, float time, const coif_light_importances *importances,
                           const coif_light_random_x4 *random);

#endif
