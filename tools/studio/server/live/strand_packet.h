// strands_view: strands as the page draws them: 16-bit places in a box, three colours per strand.
//
// u32 "cst3", parts, strands, points, frame; float low[3], step[3] of the box; if parts has
// COIF_VIEW_STRANDS: u8 red, green, blue, 0 of root, middle and tip of each strand, and u16 points
// per strand (one more for an even number); u16 x, y, z per point (one more word for an even
// number); if parts has COIF_VIEW_BODY: u32 vertices of the body, and float x, y, z of each, none
// when it is at rest. Parts that are left out are as they were.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_STRAND_PACKET_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_STRAND_PACKET_H

#include "core/base/strbuf.h"
#include "core/hair/strands.h"
#include "core/mesh/mesh.h"

enum { COIF_VIEW_STRANDS = 1, COIF_VIEW_BODY = 2, COIF_VIEW_ALL = 3 };

// The first limit strands.
typedef struct coif_strands_view {
    const coif_strands *strands;
    const uint8_t *colors; // see strand_colors.h
    int32_t limit;
    int32_t frame;
    const coif_mesh *body; // as it is posed, NULL: at rest
    const coif_mesh *rest; // as it is there, NULL: not to be compared with
    uint32_t parts;
} coif_strands_view;

void coif_strands_pack(coif_strbuf *out, const coif_strands_view *view);

#endif
