// Subsurface scattering by normalised diffusion (Burley and Christensen 2015).
//
// Light that reaches the diffuse base (surface_bsdf.h) leaves at a distance r from where it
// entered,
//
//   2 pi r R(r) = (exp(-r / d) + exp(-r / 3d)) / 4d        mean distance 2.5 d, per colour
//
// A distance and an angle are sampled in the tangent plane, and a probe ray along the normal finds
// the surface there (after King et al. 2013). On a plane that is exactly R. On curved surfaces the
// profile is distorted but energy is conserved: where the probe ray misses, light leaves at the
// entry point, so a white surface still has albedo 1.
#ifndef COIF_RENDER_INTEGRATOR_SUBSURFACE_H
#define COIF_RENDER_INTEGRATOR_SUBSURFACE_H

#include "render/integrator/interaction.h"
#include "render/math/sampler.h"

// Chooses between specular and subsurface scattering at a surface; for the latter the interaction
// moves to the point where light entered. Returns the factor of the throughput.
coif_vec3 coif_subsurface_sample(coif_interaction *isect, const coif_render_scene *scene,
                                 const coif_ray_hit *hit, coif_sampler *sampler);

// Samples a distance for mean distances by colour; weights are the factors per colour, 1 on
// average.
float coif_subsurface_sample_radius(coif_vec3 means, float u, coif_vec3 *weights);

#endif
