// indirect_cache: incident indirect light in hair, as a function of position and direction.
//
// Light that has scattered several times changes slowly over position and direction. The cache
// stores it in a kd-tree of points where camera paths meet hair: every leaf holds spherical
// harmonics up to order 2, fitted by least squares to radiances along rays from its points. Direct
// light is not in it. A path ends at the first fibre that it meets after `depth` scattering events:
// direct light as ever, indirect light from the cache (as path termination in a radiance cache,
// after Ward et al. 1988 and Jarosz et al. 2008).
//
// The points depend on scene, camera and seed alone: not on the region that is rendered, on tiles
// or threads. So all tiles of an image, wherever they are rendered, agree.
#ifndef COIF_RENDER_INTEGRATOR_INDIRECT_CACHE_H
#define COIF_RENDER_INTEGRATOR_INDIRECT_CACHE_H

#include "render/math/sampler.h"
#include "render/scene/render_scene.h"

typedef struct coif_indirect_cache coif_indirect_cache;

typedef struct coif_indirect_cache_desc {
    int32_t depth; // scattering events that are path traced
    int32_t seed;
    int64_t paths; // camera paths that look for points
    coif_jobs *jobs;
    coif_progress *progress;
} coif_indirect_cache_desc;

// Camera paths for an image: one per pixel, whatever the samples, so that an image may get more
// samples later.
int64_t coif_indirect_cache_paths(int32_t width, int32_t height);

// Fills the cache of a committed scene; images of it are then rendered with the cache.
coif_status coif_indirect_cache_fill(coif_render_scene *scene, const coif_indirect_cache_desc *desc,
                                     coif_error *error);

// Radiance from a direction at a position. Random numbers move the position within its leaf, so
// that borders of leaves are blurred.
coif_vec3 coif_indirect_cache_eval(const coif_indirect_cache *cache, coif_vec3 position,
                                   coif_vec3 direction, coif_sampler *sampler);

#endif
