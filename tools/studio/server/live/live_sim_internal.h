// moving: what the files of motion share.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SIM_INTERNAL_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SIM_INTERNAL_H

#include "tools/studio/server/live/live_sim.h"
#include "tools/studio/server/live/live_sim_stream.h"
#include "tools/studio/server/live/realtime_budget.h"

// One scene that the thread works from, in an arena of its own.
typedef struct coif_live_sim_source {
    coif_arena arena;
    coif_scene scene;
    uint64_t text_revision;
    bool used;
} coif_live_sim_source;

// The one that it was opened with, which stays in use, or one of two where one goes on from the
// other; and the last two changes.
enum { COIF_MOTION_OPENED = 2, COIF_MOTION_SOURCES = COIF_MOTION_OPENED + 2 };

struct coif_live_sim {
    coif_studio *studio;
    pthread_t thread;
    pthread_mutex_t lock; // of all below up to the line
    pthread_cond_t wake, seen;
    bool playing, quit, stop, reset, look;
    uint64_t asked, answered; // by and for those who look
    int32_t steps;            // still to make
    int32_t groom, limit;
    float share;
    bool exact;
    float translate[3], rotate[3];
    coif_arena shown_arenas[2];
    coif_strbuf shown[2]; // the frame that was asked for last, and memory for the next
    int shown_turn;
    pthread_mutex_t busy; // of live, while it is worked on or looked at from outside
    // ---- the thread's own
    coif_live *live;
    coif_arena live_arenas[COIF_MOTION_OPENED];
    int opened;                     // which source and which arena live has
    int32_t live_groom, live_limit; // as it was ordered
    float live_share;
    bool live_exact;
    uint8_t *colors; // of its strands; NULL: not there
    int32_t color_count;
    coif_arena color_arena;
    coif_live_sim_source sources[COIF_MOTION_SOURCES];
    int turn; // the present one
    coif_arena jobs_arena;
    coif_jobs *jobs;
    coif_realtime_budget pace;
    bool thins; // there shall be as many strands as pace says
    coif_live_sim_stream sight;
    bool unseen; // the present frame was not shown
    coif_live_substeps substeps;
};

#endif
