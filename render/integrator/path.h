// Unidirectional path tracing: radiance along a camera ray.
//
// At every vertex NEE samples lights by RIS and one direction is sampled from the BSDF; light and
// BSDF samples are combined by MIS with the balance heuristic (Veach 1997), for all lights and the
// environment. Paths end by guided Russian roulette on the throughput, so the estimator is unbiased
// and blond hair may scatter hundreds of times.
#ifndef COIF_RENDER_INTEGRATOR_PATH_H
#define COIF_RENDER_INTEGRATOR_PATH_H

#include "render/integrator/interaction.h"
#include "render/integrator/path_aovs.h"
#include "render/math/sampler.h"
#include "render/scene/render_scene.h"

// Aovs may be NULL.
coif_vec3 coif_path_trace(const coif_render_scene *scene, coif_ray ray, coif_sampler *sampler,
                          coif_primary_hit *first, coif_light_aovs *aovs);

// For the cache of indirect light: radiance that arrives at a fibre from a direction, without what
// lights send there directly. Depth: scattering events before that at the fibre.
coif_vec3 coif_path_trace_indirect(const coif_render_scene *scene, const coif_interaction *isect,
                                   coif_vec3 direction, int32_t depth, coif_sampler *sampler);

// The fibre that a camera path through a random position of the image meets after depth or more
// scattering events; false where the path ends before.
bool coif_path_find_fibre(const coif_render_scene *scene, int32_t depth, coif_sampler *sampler,
                          coif_interaction *isect);

#endif
