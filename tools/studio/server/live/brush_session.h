// brush_session: displayed strands of a groom while brushes act on its guides.
//
// The strands are generated once, without edits; after a stroke only those that follow a changed
// guide are deformed again, a limited number per request. Clients receive all strands, or those
// that changed after a revision, and ask again while some are pending. Drawn guides follow the
// strands of the groom.
//
// Packet, little endian: u32 "cbr1", session, revision (two words), 1 if it contains all strands,
// number of strands in it, number of edited guides (0: none yet), number of strands that are not
// deformed yet. Then all strands: u8 flags
// of the nearest guide per strand, padded to 4 bytes, and a strand packet (strand_packet.h). Or the
// changed strands: u32 index of each, u8 flags padded to 4 bytes, and u16 x, y, z per point in the
// box of the strand packet of the session. Strands of deleted guides are points at their roots.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_BRUSH_SESSION_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_BRUSH_SESSION_H

#include "tools/studio/server/document/studio.h"

typedef struct coif_brush_session coif_brush_session;

coif_status coif_brush_session_open(coif_brush_session **session, int threads, coif_arena *arena,
                                    coif_error *error);
void coif_brush_session_close(coif_brush_session *session);

typedef struct coif_brush_query {
    int32_t groom, limit; // of strands
    uint32_t session;     // of the client; another one gets all strands
    uint64_t since;       // revision of the client
} coif_brush_query;

// Appends what the client lacks. Locks the studio.
coif_status coif_brush_session_read(coif_strbuf *out, coif_brush_session *session,
                                    coif_studio *studio, const coif_brush_query *query,
                                    coif_error *error);

// Applies a part of a stroke, and appends as above. The groom gets guides if it has none. Locks the
// studio.
typedef struct coif_brush_request {
    const char *stroke;
    const void *dabs;
    size_t size;
    int32_t mask_layer; // -1: no mask
    uint16_t mask_texel;
} coif_brush_request;
coif_status coif_brush_session_apply(coif_strbuf *out, coif_brush_session *session,
                                     coif_studio *studio, const coif_brush_query *query,
                                     const coif_brush_request *request, coif_error *error);

#endif
