// scene_build: translates a frame of a scene file and its hair cache into a render scene.
#ifndef COIF_RENDER_BUILD_SCENE_BUILD_H
#define COIF_RENDER_BUILD_SCENE_BUILD_H

#include "render/build/cryptomatte_manifest.h"
#include "render/build/frame_setup.h"
#include "render/render.h"

// Expands strands, adds everything to a new scene and commits it. The caller destroys the scene,
// also after a failure.
coif_status coif_scene_build(coif_render_scene **scene, const coif_frame_setup *setup,
                             coif_render_assets *assets, coif_progress *progress, coif_arena *arena,
                             coif_error *error);

#endif
