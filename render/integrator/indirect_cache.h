// indirect_cache: incident indirect light in hair, as a function of position and direction.
//
// Light that has scattered several times changes slowly over position and direction. The cache
// stores it in a kd-tree of points on hair (indirect_cache_fill.h): every leaf holds spherical
// harmonics up to order 2, fitted by least squares to radiances along rays from its points. Direct
// light is not in it. A path ends at the first fibre that it meets after
// render_scene.indirect_cache_depth scattering events: direct light as ever, indirect light from
// the cache (as path termination in a radiance cache, after Ward et al. 1988 and Jarosz et al.
// 2008).
#ifndef COIF_RENDER_INTEGRATOR_INDIRECT_CACHE_H
#define COIF_RENDER_INTEGRATOR_INDIRECT_CACHE_H

#include "core/base/arena.h"
#include "render/math/sampler.h"

typedef struct coif_indirect_cache coif_indirect_cache;

// Radiance that arrives at a position.
typedef struct coif_cache_sample {
    coif_vec3 position, direction, radiance;
    float weight; // 1 / (4 pi pdf of the direction)
} coif_cache_sample;

// Builds the tree of count samples, at least one; reorders and changes them.
const coif_indirect_cache *coif_indirect_cache_build(coif_cache_sample *samples, int64_t count,
                                                     coif_arena *arena);

// Radiance from a direction at a position. Random numbers move the position within its leaf, so
// that borders of leaves are blurred.
coif_vec3 coif_indirect_cache_eval(const coif_indirect_cache *cache, coif_vec3 position,
                                   coif_vec3 direction, coif_sampler *sampler);

#endif
