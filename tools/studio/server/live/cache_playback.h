// playback: frames of a cache for the page. The groom that was read last stays, so that a slider
// can be drawn along.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_CACHE_PLAYBACK_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_CACHE_PLAYBACK_H

#include "tools/studio/server/document/studio.h"

typedef struct coif_playback coif_playback;

coif_playback *coif_playback_new(coif_arena *arena);
void coif_playback_free(coif_playback *playback);

// What to show: the groom's number in the scene, the frame, and of how many strands.
typedef struct coif_playback_wish {
    int32_t groom, limit;
    int frame;
} coif_playback_wish;

// Strands as strands_view packs them. With the lock of the studio held.
coif_status coif_playback_read(coif_strbuf *out, coif_studio *studio,
                               const coif_playback_wish *wish, coif_error *error);

// First and last frame that are there without a gap, and what the simulation noted of each frame,
// as JSON in arena.
coif_status coif_playback_list(const char **json, coif_studio *studio, int32_t groom,
                               coif_arena *arena, coif_error *error);

#endif
