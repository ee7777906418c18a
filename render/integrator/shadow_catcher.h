// catcher: bodies that the camera sees as their shadows alone.
#ifndef COIF_RENDER_INTEGRATOR_SHADOW_CATCHER_H
#define COIF_RENDER_INTEGRATOR_SHADOW_CATCHER_H

#include "render/scene/render_scene.h"

bool coif_is_shadow_catcher(const coif_render_scene *stage, const coif_ray_hit *hit);

// Whether a shadow ray meets a catcher, before or behind other things: a photograph of the ground
// has that shadow already.
bool coif_ray_hits_shadow_catcher(const coif_render_scene *stage, coif_ray ray);

#endif
