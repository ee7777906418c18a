// Path guiding: approximate incident-light directions that steer Russian roulette.
//
// Hair scatters forward, so light after a few bounces still arrives roughly from its source. Paths
// survive more often in those directions and less often elsewhere, reweighted accordingly (after
// ADRRS, Vorba and Krivanek 2016). Affects variance only; the estimator stays unbiased.
#ifndef COIF_RENDER_INTEGRATOR_PATH_GUIDING_H
#define COIF_RENDER_INTEGRATOR_PATH_GUIDING_H

#include "render/lights/light.h"
#include "render/math/fast_math.h"

typedef struct coif_path_guide {
    coif_light_importances lights; // at the point
    float ambient; // fraction without a direction, or from lights beyond the cached ones
    int32_t count;
    coif_vec3 direction[COIF_CACHED_IMPORTANCES]; // unit
    float fraction[COIF_CACHED_IMPORTANCES];
} coif_path_guide;

void coif_path_guide_at(coif_path_guide *guide, const coif_lights *lights, coif_vec3 point);

// A direction distributed as coif_path_guide_weight / 4 pi; all numbers uniform.
coif_vec3 coif_path_guide_sample(const coif_path_guide *guide, float choice, coif_vec2 u);

// Relative importance of a direction; 1 on average over the sphere.
float coif_path_guide_weight(const coif_path_guide *guide, coif_vec3 direction);
coif_lanes coif_path_guide_weight_x4(const coif_path_guide *guide, coif_lanes x, coif_lanes y,
                                     coif_lanes z);

#endif
