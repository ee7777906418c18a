// camera_ray: camera rays with a random lens position, time and decisions about transparency.
#ifndef COIF_RENDER_INTEGRATOR_CAMERA_RAY_H
#define COIF_RENDER_INTEGRATOR_CAMERA_RAY_H

#include "render/math/sampler.h"
#include "render/scene/render_scene.h"

// The ray through a position of the image, 0 to 1 on both axes. Camera is the one at the time of
// the ray; mixed may hold it.
coif_ray coif_camera_ray_sample(const coif_render_scene *scene, coif_vec2 position,
                                coif_sampler *sampler, coif_camera *mixed,
                                const coif_camera **camera);

#endif
