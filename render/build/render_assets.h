// production: what stays the same from picture to picture: bodies, grooms, textures.
//
// A shot is one picture of it, see shot.h.
#ifndef COIF_RENDER_BUILD_RENDER_ASSETS_H
#define COIF_RENDER_BUILD_RENDER_ASSETS_H

#include "core/base/arena.h"
#include "core/hair/groom.h"
#include "core/mesh/body_interpolate.h"
#include "render/driver/render_frames.h"
#include "render/film/film.h"
#include "render/scene/render_scene.h"
#include "render/shading/strand_color.h"

typedef struct coif_render_groom {
    const char *name;
    const coif_node *node;
    int32_t body; // index into bodies
    uint64_t digest;
    uint64_t motion; // digest of what frames made now would be made from
    coif_hair_maps maps;
    const coif_texture *texture; // painted colours of its hair at this frame; NULL: none
    bool told;                   // that those in the cache were made from something else
    coif_groom groom;            // while it is loaded
    bool loaded;
    coif_arena arena; // of the groom alone
} coif_render_groom;

typedef struct coif_render_assets {
    const coif_render_desc *desc;
    coif_arena *arena;
    coif_jobs *jobs;
    coif_progress *progress;
    const char *isa;
    coif_body *bodies;
    int32_t body_count;
    coif_render_groom *grooms;
    int32_t groom_count; // 0 in clay
    coif_texture_cache textures;
    coif_bounds bounds;   // of the visible bodies at rest
    double frame_seconds; // of hair, from one frame to the next
    coif_body_interpolation
        course; // the way bodies go between frames, as the simulation has them go
} coif_render_assets;

// Loads bodies, and the grooms from the cache folder unless the pictures are of clay. Close it also
// after a failure.
coif_status coif_render_assets_load(coif_render_assets *production, const coif_render_desc *desc,
                                    coif_arena *arena, coif_jobs *jobs, coif_error *error);
void coif_render_assets_close(coif_render_assets *production);

// A groom is only needed while strands are made from it, and is given back before the hierarchy is
// built; the next picture loads it again. A file that has changed meanwhile is an error.
coif_status coif_render_groom_load(coif_render_groom *groom, const coif_render_assets *production,
                                   coif_error *error);
void coif_render_groom_unload(coif_render_groom *groom);

#endif
