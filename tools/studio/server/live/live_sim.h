// motion: the groom of the page moving live, on a thread of its own.
//
// The thread works from a copy of the scene's text and layers; a change of the text is taken up at
// the next frame, without a break where hair can go on from where it is. Frames go to the streams
// of pages that look on, as many as those can take, and figures of them into events: see sight.h.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SIM_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SIM_H

#include "sim/run/live_session.h"
#include "tools/studio/server/document/studio.h"

typedef enum coif_live_sim_order {
    COIF_MOTION_PLAY,
    COIF_MOTION_PAUSE,
    COIF_MOTION_STEP,
    COIF_MOTION_RESET,
    COIF_MOTION_STOP // gives the memory back
} coif_live_sim_order;

typedef struct coif_live_sim coif_live_sim;

coif_status coif_live_sim_open(coif_live_sim **motion, coif_studio *studio, coif_arena *arena,
                               coif_error *error);
void coif_live_sim_close(coif_live_sim *motion);

// Groom and limit (of strands) matter to play, step and reset; another groom begins anew, another
// number of strands goes on where they are. Share is how many of those strands are solved of those
// that the scene would, the others follow them. While hair plays and frames would come too late
// there are fewer substeps and strands than that, see pace.h, if not exact.
typedef struct coif_live_sim_command {
    coif_live_sim_order order;
    int32_t groom, limit;
    bool exact;
    float share;
} coif_live_sim_command;
void coif_live_sim_do(coif_live_sim *motion, const coif_live_sim_command *command);

// Where a hand holds the body, see coif_live_set_body_drag.
void coif_live_sim_grab(coif_live_sim *motion, const float translate[3], const float rotate[3]);

// Somebody new looks on: shows the newest frame to all streams that can take it.
void coif_live_sim_look(coif_live_sim *motion);

// The newest frame as strands_view packs it; empty before the first.
void coif_live_sim_read(coif_strbuf *out, coif_live_sim *motion);

// Which groom moves and at which frame it is; an error that says what to do when none does.
coif_status coif_live_sim_where(coif_live_sim *motion, int32_t *groom, int *frame,
                                coif_error *error);

// Gives its shapes to other strands of the same groom, on the body where the hand holds it.
coif_status coif_live_sim_lend(coif_live_sim *motion, coif_live *live, coif_error *error);

#endif
