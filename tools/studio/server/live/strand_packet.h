// strand_packet: binary strands for the page: 16-bit positions in a bounding box, three colours per
// strand.
//
// u32 "cst3", parts, strands, points, frame; float low[3], step[3] of the box. With
// COIF_PACKET_STRANDS: u8 red, green, blue, 0 at root, middle and tip of each strand, then u16
// points per strand, padded to an even count. Then u16 x, y, z per point, padded to an even count.
// With COIF_PACKET_BODY: u32 vertices of the body and float x, y, z of each; 0 vertices in the rest
// pose. Omitted parts are unchanged.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_STRAND_PACKET_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_STRAND_PACKET_H

#include "core/base/strbuf.h"
#include "core/hair/strands.h"
#include "core/mesh/mesh.h"

enum { COIF_PACKET_STRANDS = 1, COIF_PACKET_BODY = 2, COIF_PACKET_ALL = 3 };

typedef struct coif_strand_packet {
    const coif_strands *strands;
    const uint8_t *colors; // see strand_colors.h
    int32_t limit;         // of strands, from the first
    int32_t frame;
    const coif_mesh *body; // posed, NULL: rest pose
    const coif_mesh *rest; // to find out whether the body has moved, or NULL
    uint32_t parts;
    const coif_vec3 *box; // 2: low and high of the positions; NULL: their bounds
} coif_strand_packet;

void coif_strand_packet_write(coif_strbuf *out, const coif_strand_packet *packet);

// u16 x, y, z of all points in a box.
void coif_strand_packet_write_points(coif_strbuf *out, const coif_strands *strands,
                                     const coif_vec3 box[2]);

#endif
