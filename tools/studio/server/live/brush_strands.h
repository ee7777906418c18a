// brush_strands: strands of a brush session, which follow the edited guides of the document.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_BRUSH_STRANDS_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_BRUSH_STRANDS_H

#include "core/collision/collider.h"
#include "sim/groom/guide_deform.h"
#include "sim/groom/guide_strands.h"
#include "tools/studio/server/document/studio.h"

typedef struct coif_brush_session {
    pthread_mutex_t lock; // before that of the studio
    coif_jobs *jobs;
    uint64_t revision; // of the last change of the strands
    uint32_t id;       // of the strands and their box; 0: none
    // What the strands were generated from.
    int32_t groom, limit;
    uint64_t text_revision, maps, digest;
    coif_arena arena; // of everything below
    coif_scene scene; // without edits
    const coif_node *node;
    const coif_body *body;
    coif_collider collider;
    coif_sdf sdf;
    coif_brush_body brush_body;
    coif_scalp_locator scalp; // opened by the first drawn guide
    int32_t seed;
    coif_groom base;
    uint8_t *colors;
    coif_strands strands; // the current points
    uint64_t *revisions;  // per strand, then per drawn guide: of its last change
    uint8_t *flags;       // per strand: of its nearest guide; then per drawn guide
    coif_vec3 box[2];     // of the packets
    bool outside_box;     // some point has left it

    // Strands whose guides have changed; some are deformed per request, from `next` on.
    uint8_t *pending;
    int32_t pending_count, next;

    // Copies of the guides of the document; empty without edits.
    const coif_edited_guides *source;
    coif_arena guides_arena;
    coif_guide_edits guides;
    coif_guide_deform deform;
    uint64_t guides_revision;
    coif_guide_weights *weights; // per strand
    uint8_t *changed;            // per guide: since the last update
    int32_t *toggled;            // guides that act now and did not before, or the reverse
    int32_t toggled_count;
    int32_t *drawn_guides; // those that are strands, also deleted ones
    coif_groom drawn;      // their strands
    uint8_t *drawn_colors;
    coif_vec4 *scratch; // 2 * max_points per thread
    int32_t max_points;
} coif_brush_session;

// Frees the copies of the guides.
void coif_brush_session_drop_guides(coif_brush_session *session);

// The box of the packets from the current points.
void coif_brush_session_set_box(coif_brush_session *session);

// Takes the guides of the document and deforms strands that follow changed ones, as many as a
// request may cost; all of them with `all`. Locks the studio.
coif_status coif_brush_session_follow(coif_brush_session *session, coif_studio *studio, bool all,
                                      coif_error *error);

// Appends the packet (brush_session.h) of what a client lacks: all strands in another session than
// `client`, else those that changed after a revision.
void coif_brush_session_write(coif_strbuf *out, coif_brush_session *session, uint32_t client,
                              uint64_t since);

#endif
