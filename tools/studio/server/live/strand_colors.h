// strand_colors: strand colours of the renderer, for the page.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_STRAND_COLORS_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_STRAND_COLORS_H

#include "core/body/body.h"
#include "core/hair/groom.h"
#include "core/scene/map_query.h"
#include "core/scene/scene.h"

// At root, middle and tip: sRGB red, green, blue and 0.
enum { COIF_STRAND_COLORS = 3, COIF_STRAND_COLOR_BYTES = 4 * COIF_STRAND_COLORS };

typedef struct coif_strand_colors_desc {
    const coif_scene *scene;
    const coif_node *node; // of the groom
    const coif_groom *groom;
    const coif_body *body;
    coif_map_callback eval_map; // scalp maps of the hair parameters
    double frame;
    coif_jobs *jobs;
} coif_strand_colors_desc;

// Colours of all strands under uniform light, with maps, ramps and textures applied; in arena.
coif_status coif_strand_colors(uint8_t **colors, const coif_strand_colors_desc *desc,
                               coif_arena *arena, coif_error *error);

#endif
