// bearing: from where light comes to a place, roughly, and so which ways on are worth a ray.
//
// Fibres pass most light on forwards, so after a few scatterings it still comes from about where
// its light stands. Paths are let go more often that way and less often the other ways, each at
// the weight that makes up for it: what is said here costs or saves noise and is never wrong.
#ifndef COIF_RENDER_INTEGRATOR_PATH_GUIDING_H
#define COIF_RENDER_INTEGRATOR_PATH_GUIDING_H

#include "render/lights/light.h"
#include "render/math/fast_math.h"

typedef struct coif_path_guide {
    coif_light_importances lights; // of the place
    float even; // share of what comes from all around, or from lights beyond the first
    int32_t count;
    coif_vec3 toward[COIF_CACHED_IMPORTANCES]; // unit
    float share[COIF_CACHED_IMPORTANCES];
} coif_path_guide;

void coif_path_guide_at(coif_path_guide *bearings, const coif_lights *lights, coif_vec3 point);

// How much more than elsewhere a direction is worth; 1 on the average over all directions.
float coif_path_guide_weight(const coif_path_guide *bearings, coif_vec3 direction);

// The same of four.
coif_lanes coif_path_guide_weight_x4(const coif_path_guide *bearings, coif_lanes x, coif_lanes y,
                                     coif_lanes z);

#endif
