// bearing: from where light comes to a place, roughly, and so which ways on are worth a ray.
//
// Fibres pass most light on forwards, so after a few scatterings it still comes from about where
// its light stands. Paths are let go more often that way and less often the other ways, each at
// the weight that makes up for it: what is said here costs or saves noise and is never wrong.
#ifndef COIF_RENDER_INTEGRATOR_PATH_GUIDING_H
#define COIF_RENDER_INTEGRATOR_PATH_GUIDING_H

#include "render/math/fast_math.h"
#include "render/lights/light.h"

typedef struct coif_bearings {
    coif_light_shares lights; // of the place
    float even; // share of what comes from all around, or from lights beyond the first
    int32_t count;
    coif_vec3 toward[COIF_KNOWN_LIGHTS]; // unit
    float share[COIF_KNOWN_LIGHTS];
} coif_bearings;

void coif_bearings_at(coif_bearings *bearings, const coif_lights *lights, coif_vec3 point);

// How much more than elsewhere a direction is worth; 1 on the average over all directions.
float coif_bearings_favour(const coif_bearings *bearings, coif_vec3 direction);

// The same of four.
coif_lanes coif_bearings_favours(const coif_bearings *bearings, coif_lanes x, coif_lanes y,
                                 coif_lanes z);

#endif
