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

// Instances (scene_build_instances.c), after all geometry. If there are any, every body is a group,
// and an identity instance of each comes first.
coif_status coif_scene_add_instances(coif_render_scene *scene, const coif_frame_setup *setup,
                                     const coif_render_assets *assets, coif_arena *arena,
                                     coif_error *error);

// Cryptomatte names of instances: NAME/BODY and NAME/GROOM.
void coif_scene_name_instances(coif_render_scene *scene, const coif_render_assets *assets,
                               coif_manifest *names, coif_arena *arena);

#endif
