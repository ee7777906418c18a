// path: the light that arrives along one ray, by following it backwards.
//
// Unidirectional path tracing. At every scattering one light is aimed at and one direction is
// chosen by the material; the two are weighed by the balance heuristic (Veach 1997), for every
// light and the sky alike. Paths end by Russian roulette on what they still carry, so nothing is
// lost on average and light hair may scatter hundreds of times.
#ifndef COIF_RENDER_INTEGRATOR_PATH_H
#define COIF_RENDER_INTEGRATOR_PATH_H

#include "render/film/aov.h"
#include "render/integrator/interaction.h"
#include "render/math/sampler.h"

// What the camera ray met first, for the layers of a picture.
typedef struct coif_primary_hit {
    float alpha;    // how much of the view it took: 1, or less through widened strands, or 0
    float distance; // along the ray
    coif_vec3 normal, albedo; // times alpha
    coif_vec3 position;       // hair: on the centre line
    coif_vec3 tangent;        // of hair, unit; zero elsewhere
    bool hair;
    // A shadow catcher: light that it scattered and would have scattered without shadows, and what
    // is seen behind it. Alpha is 0 then, and all of this is no part of the path's own light.
    bool is_shadow_catcher;
    coif_vec3 shadowed, unshadowed, background;
    int32_t geometry, primitive, instance; // as in coif_ray_hit, as u and v
    float u, v;
} coif_primary_hit;

// Light by where it came from, for layers that add up to the picture (aov.h). The caller zeroes it.
typedef struct coif_light_aovs {
    coif_vec3 parts[COIF_AOV_LIGHT]; // by kind: R, TT, TRT, multiple, surface, ... indirect
    coif_vec3 groups[COIF_MAX_LIGHT_GROUPS];
} coif_light_aovs;

// Split may be NULL, and costs nothing then.
coif_vec3 coif_path_trace(const coif_render_scene *stage, coif_ray ray, coif_sampler *sampler,
                          coif_primary_hit *first, coif_light_aovs *split);

#endif
