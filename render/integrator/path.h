// Unidirectional path tracing: radiance along a camera ray.
//
// At every vertex NEE samples lights by RIS and one direction is sampled from the BSDF; light and
// BSDF samples are combined by MIS with the balance heuristic (Veach 1997), for all lights and the
// environment. Paths end by guided Russian roulette on the throughput, so the estimator is unbiased
// and blond hair may scatter hundreds of times.
#ifndef COIF_RENDER_INTEGRATOR_PATH_H
#define COIF_RENDER_INTEGRATOR_PATH_H

#include "render/film/aov.h"
#include "render/integrator/interaction.h"
#include "render/math/sampler.h"

// The camera ray's hit, for AOVs.
typedef struct coif_primary_hit {
    float alpha;              // coverage: 1, less through transparent strands, 0 for none
    float distance;           // along the ray
    coif_vec3 normal, albedo; // times alpha
    coif_vec3 position;       // strands: on the centre line
    coif_vec3 tangent;        // of strands, unit; zero elsewhere
    bool hair;                // a strand, as fibre or ribbon
    // A shadow catcher: direct light with and without shadows, and the background behind it. Alpha
    // is 0 then, and none of this is in the path's radiance.
    bool is_shadow_catcher;
    coif_vec3 shadowed, unshadowed, background;
    int32_t geometry, primitive, instance; // as in coif_ray_hit, as u and v
    float u, v;
} coif_primary_hit;

// Radiance split by kind and by light group, for AOVs that add up to the beauty image (aov.h). The
// caller zeroes it.
typedef struct coif_light_aovs {
    coif_vec3 parts[COIF_AOV_LIGHT]; // by kind: R, TT, TRT, multiple, surface, ... indirect
    coif_vec3 groups[COIF_MAX_LIGHT_GROUPS];
} coif_light_aovs;

// Aovs may be NULL.
coif_vec3 coif_path_trace(const coif_render_scene *scene, coif_ray ray, coif_sampler *sampler,
                          coif_primary_hit *first, coif_light_aovs *aovs);

#endif
