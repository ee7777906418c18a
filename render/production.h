// production: what stays the same from picture to picture: bodies, grooms, textures.
//
// A shot is one picture of it, see shot.h.
#ifndef COIF_RENDER_PRODUCTION_H
#define COIF_RENDER_PRODUCTION_H

#include "core/body.h"
#include "core/groom.h"
#include "render/film.h"
#include "render/frame.h"
#include "render/stage.h"

typedef struct coif_production_groom {
    const char *name;
    const coif_node *node;
    int32_t body; // index into bodies
    coif_groom groom;
} coif_production_groom;

typedef struct coif_production {
    const coif_render_desc *desc;
    coif_arena *arena;
    coif_jobs *jobs;
    coif_progress *progress;
    const char *isa;
    coif_body *bodies;
    int32_t body_count;
    coif_production_groom *grooms;
    int32_t groom_count; // 0 in clay
    coif_textures textures;
    coif_bounds bounds; // of the visible bodies at rest
} coif_production;

// Loads bodies, and the grooms from the cache folder unless the pictures are of clay.
coif_status coif_production_init(coif_production *production, const coif_render_desc *desc,
                                 coif_arena *arena, coif_jobs *jobs, coif_error *error);

#endif
