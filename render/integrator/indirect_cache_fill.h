// indirect_cache_fill: samples of indirect light where camera paths meet hair.
//
// The points depend on scene, camera and seed alone: not on the region that is rendered, on tiles
// or threads. So all tiles of an image, wherever they are rendered, agree.
#ifndef COIF_RENDER_INTEGRATOR_INDIRECT_CACHE_FILL_H
#define COIF_RENDER_INTEGRATOR_INDIRECT_CACHE_FILL_H

#include "render/scene/render_scene.h"

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

#endif
