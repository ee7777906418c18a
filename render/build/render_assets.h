// render_assets: bodies, grooms and textures of a scene, loaded once for many frames.
#ifndef COIF_RENDER_BUILD_RENDER_ASSETS_H
#define COIF_RENDER_BUILD_RENDER_ASSETS_H

#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/body/body_interpolate.h"
#include "core/hair/child_push_out.h"
#include "core/hair/groom.h"
#include "core/scene/map_query.h"
#include "render/build/strand_time.h"
#include "render/film/render_tile.h"
#include "render/math/ray.h"
#include "render/shading/strand_color.h"

// What images are rendered from: a scene file, its hair cache, and overrides of its "image".
typedef struct coif_render_source {
    const coif_scene *scene;
    const char *cache;          // folder of .groom and .strands files
    bool use_rest_pose;         // rest hair follows the body rigidly, no .strands file needed
    bool bodies_only;           // grey bodies without hair
    bool wire;                  // strands as lines with their points (wire.h) on grey bodies
    int32_t wire_strands;       // of each groom; 0: all
    const char *isa;            // "auto", "avx2", "sse4.2"
    bool compact;               // BVH of less than half the memory, slower rays
    coif_map_callback eval_map; // NULL: mapped parameters take the middle of their range
    const char *format;         // "png", "exr", "png,exr", ... or NULL: that of the scene
    const char *aovs;           // instead of "image/aovs", or NULL
    int32_t exr_layout;         // 1 + coif_exr_layout; 0: that of the scene
    // Images 1 to turntable of one revolution of the camera, of the scene at turntable_frame, which
    // is still; 0: images are frames.
    int32_t turntable;
    double turntable_frame;
    bool film;       // images may be denoised over frames after rendering (image/denoise_frames)
    int32_t crop[4]; // x, y, width and height; width 0: the whole image
    coif_render_tile tile;
} coif_render_source;

typedef struct coif_render_groom {
    const char *name;
    const coif_node *node;
    int32_t body; // index into bodies
    uint64_t digest;
    uint64_t sim_digest; // of what its frames would be simulated from now
    coif_hair_maps maps;
    coif_arena maps_arena;
    bool maps_evaluated;
    double maps_frame;
    const coif_texture *texture;  // painted colours of its hair at this frame; NULL: none
    coif_strand_reports reported; // about cached frames
    coif_groom groom;             // while it is loaded
    bool loaded;
    coif_arena arena; // of the groom alone
} coif_render_groom;

typedef struct coif_render_assets {
    const coif_render_source *source;
    coif_arena *arena;
    coif_jobs *jobs;
    const char *isa;
    coif_body *bodies;
    int32_t body_count;
    coif_collider **child_colliders; // per body, see coif_render_child_collider; NULL: not built
    coif_render_groom *grooms;
    int32_t groom_count; // 0 with bodies_only
    coif_texture_cache textures;
    coif_bounds bounds;                    // of the visible bodies at rest
    double frame_seconds;                  // between frames of the cache
    coif_body_interpolation interpolation; // of bodies between frames, as simulated
} coif_render_assets;

// Loads bodies, and the grooms from the cache folder. Close also after a failure.
coif_status coif_render_assets_load(coif_render_assets *assets, const coif_render_source *source,
                                    coif_arena *arena, coif_jobs *jobs, coif_error *error);
void coif_render_assets_close(coif_render_assets *assets);

// A groom is only needed while curves are made from it, and is unloaded before the BVH is built;
// the next frame loads it again. A file that has changed in between is an error.
coif_status coif_render_groom_load(coif_render_groom *groom, const coif_render_assets *assets,
                                   coif_error *error);
void coif_render_groom_unload(coif_render_groom *groom);

// The body of a groom in a pose, for its children; NULL where hair does not collide with it.
const coif_collider *coif_render_child_collider(coif_render_assets *assets, int32_t body,
                                                const coif_mesh *pose);

// Evaluates the maps of the groom's "hair" at a frame, unless they are known to be the same.
coif_status coif_render_groom_evaluate_maps(coif_render_groom *groom, coif_render_assets *assets,
                                            double frame, coif_error *error);

#endif
