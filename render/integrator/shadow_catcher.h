// Shadow catchers: surfaces of which the camera sees only the shadows.
#ifndef COIF_RENDER_INTEGRATOR_SHADOW_CATCHER_H
#define COIF_RENDER_INTEGRATOR_SHADOW_CATCHER_H

#include "render/scene/render_scene.h"

bool coif_is_shadow_catcher(const coif_render_scene *scene, const coif_ray_hit *hit);

// Whether a shadow ray hits a catcher anywhere along its length: a background photograph already
// contains that shadow.
bool coif_ray_hits_shadow_catcher(const coif_render_scene *scene, coif_ray ray);

#endif
