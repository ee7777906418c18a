// live_sim_stream: frames and statistics of the live simulation for the pages.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SIM_STREAM_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SIM_STREAM_H

#include "core/base/arena.h"
#include "sim/run/live_session.h"
#include "tools/studio/server/document/broadcast.h"

typedef struct coif_live_sim_stream {
    coif_packet_versions versions; // current ones of colours and body
    coif_arena body_arena;
    coif_vec3 *body_positions; // of the last frame
    int32_t vertex_count;
    coif_energy energy;    // of the last displayed frame for which an event was due
    coif_step_stats stats; // of the last frame
    double seconds;        // of all frames since the last event
    int32_t frames;        // their number
    double last_event;     // time, s
} coif_live_sim_stream;

void coif_live_sim_stream_open(coif_live_sim_stream *stream);
void coif_live_sim_stream_close(coif_live_sim_stream *stream);

// Strands or colours have changed.
void coif_live_sim_stream_invalidate_colors(coif_live_sim_stream *stream);

typedef struct coif_live_frame_desc {
    const coif_broadcast *broadcast;
    const coif_live *live;
    const uint8_t *colors; // of the first strand_limit strands
    int32_t strand_limit;
    double pause;        // between frames for pages that render on the CPU, s
    coif_strbuf *packet; // also gets the complete frame, if not NULL
} coif_live_frame_desc;

// Sends the current frame to all clients that can receive it.
coif_status coif_live_sim_stream_send(coif_live_sim_stream *stream,
                                      const coif_live_frame_desc *desc, coif_error *error);

// Adds a simulated frame to the statistics.
void coif_live_sim_stream_add_frame(coif_live_sim_stream *stream, const coif_step_stats *stats,
                                    double seconds);

typedef struct coif_live_sim_stats {
    coif_live_substeps substeps;
    int32_t strands_requested, strands; // by the page; after reduction
    float solve_fraction;               // of the strands that the scene simulates
} coif_live_sim_stats;

// Sends the statistics since the last event; a few times per second unless at_once.
void coif_live_sim_stream_send_stats(coif_live_sim_stream *stream, const coif_broadcast *broadcast,
                                     const coif_live *live, const coif_live_sim_stats *stats,
                                     bool at_once);

#endif
