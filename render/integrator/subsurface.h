// subsurface: light that enters skin in one place and leaves it in another.
//
// The ground of a surface (surface.h) lets light wander: it leaves at a distance r from where it
// entered, spread as the normalised diffusion of Burley and Christensen 2015,
//
//   2 pi r R(r) = (exp(-r / d) + exp(-r / 3d)) / 4d        mean distance 2.5 d, per colour
//
// A distance and an angle are drawn in the tangent plane, and a probe along the normal finds the
// surface there (after King et al. 2013). On a plane that is R exactly. Where the surface bends the
// spread bends with it but nothing is lost or made: every path that goes below comes out again, at
// the place where it went in if the probe finds nothing, so white skin still returns all light.
#ifndef COIF_RENDER_INTEGRATOR_SUBSURFACE_H
#define COIF_RENDER_INTEGRATOR_SUBSURFACE_H

#include "render/integrator/interaction.h"
#include "render/math/sampler.h"

// Chooses between what lies on a vertex's surface and what lies below; in the latter case the
// vertex moves to where the light went in. Returns what the path's light is multiplied by.
coif_vec3 coif_subsurface_sample(coif_interaction *vertex, const coif_render_scene *stage,
                                 const coif_ray_hit *hit, coif_sampler *sampler);

// A distance by a uniform number, for mean distances by colour, and what each colour of light that
// goes so far is multiplied by: 1 on average.
float coif_subsurface_sample_radius(coif_vec3 means, float u, coif_vec3 *weights);

#endif
