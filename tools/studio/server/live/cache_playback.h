// cache_playback: frames of a strand cache for the page. The last groom stays loaded for scrubbing.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_CACHE_PLAYBACK_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_CACHE_PLAYBACK_H

#include "tools/studio/server/document/studio.h"

typedef struct coif_cache_playback coif_cache_playback;

coif_cache_playback *coif_cache_playback_new(coif_arena *arena);
void coif_cache_playback_free(coif_cache_playback *playback);

typedef struct coif_cache_frame_query {
    int32_t groom, strand_limit;
    int frame;
} coif_cache_frame_query;

// The functions below need the lock of the studio.

// Appends a strand packet of a frame.
coif_status coif_cache_playback_read(coif_strbuf *out, coif_cache_playback *playback,
                                     coif_studio *studio, const coif_cache_frame_query *query,
                                     coif_error *error);

// First and last frame of the contiguous range, and the statistics of the simulation, as JSON.
coif_status coif_cache_playback_list(const char **json, coif_studio *studio, int32_t groom,
                                     coif_arena *arena, coif_error *error);

#endif
