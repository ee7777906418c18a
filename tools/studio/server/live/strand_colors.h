// strand_colors: the colours of strands as the renderer paints them, for the page's own drawing.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_STRAND_COLORS_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_STRAND_COLORS_H

#include "core/body/body.h"
#include "core/hair/groom.h"
#include "core/scene/scene.h"

// At the root, in the middle and at the tip: red, green, blue and 0 as a screen takes them.
enum { COIF_STRAND_COLORS = 3, COIF_STRAND_COLOR_BYTES = 4 * COIF_STRAND_COLORS };

typedef struct coif_strand_colors_desc {
    const coif_scene *scene;
    const coif_node *node; // of the groom
    const coif_groom *groom;
    const coif_body *body;
    double frame;
    coif_jobs *jobs;
} coif_strand_colors_desc;

// Every strand of the groom, seen under even light: with what maps, ramps, the body's picture or
// the hair's own say of it.
coif_status coif_strand_colors(uint8_t **colors, const coif_strand_colors_desc *desc,
                               coif_arena *arena, coif_error *error);

#endif
