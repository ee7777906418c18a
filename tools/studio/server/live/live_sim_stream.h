// sight: what pages see of live hair: its strands, in their streams, and its figures, in events.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SIM_STREAM_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SIM_STREAM_H

#include "core/base/strbuf.h"
#include "sim/run/live_session.h"
#include "tools/studio/server/http/http.h"

typedef struct coif_live_sim_stream {
    uint64_t colors, body; // versions of what changes seldom
    coif_arena body_arena;
    coif_vec3 *places; // of the body's vertices when it was last looked at
    int32_t vertices;
    coif_energy energy;    // of the last frame that was shown when an event was due
    coif_step_stats tally; // of the last frame
    double seconds;        // all frames together that nobody has been told of
    int32_t frames;        // how many those are
    double told;           // when the last event was sent
} coif_live_sim_stream;

void coif_live_sim_stream_open(coif_live_sim_stream *sight);
void coif_live_sim_stream_close(coif_live_sim_stream *sight);

// Other strands, or other colours.
void coif_live_sim_stream_renew(coif_live_sim_stream *sight);

typedef struct coif_live_sim_stream_desc {
    coif_http *http;
    const coif_live *live;
    const uint8_t *colors; // of its first limit strands
    int32_t limit;
    double pause;       // between frames, for pages that draw without a graphics card
    coif_strbuf *whole; // gets the frame too, if not NULL
} coif_live_sim_stream_desc;

// The frame that live hair is at, to everybody who can take it.
coif_status coif_live_sim_stream_show(coif_live_sim_stream *sight,
                                      const coif_live_sim_stream_desc *desc, coif_error *error);

// A frame was made, in so many seconds.
void coif_live_sim_stream_note(coif_live_sim_stream *sight, const coif_step_stats *stats,
                               double seconds);

// An event with the figures of the frames since the last one; a few times a second are enough, if
// not at once.
typedef struct coif_live_sim_stream_figures {
    coif_live_substeps substeps;
    int32_t wish, strands; // how many are wanted, and how many there is time for
    float share;           // that is solved, of those that the scene would solve
} coif_live_sim_stream_figures;
void coif_live_sim_stream_tell(coif_live_sim_stream *sight, coif_http *http, const coif_live *live,
                               const coif_live_sim_stream_figures *figures, bool at_once);

#endif
