// render_history: HDR snapshots of the current render, a region of it and the previous render.
#ifndef COIF_TOOLS_STUDIO_SERVER_RENDER_RENDER_HISTORY_H
#define COIF_TOOLS_STUDIO_SERVER_RENDER_RENDER_HISTORY_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/output/hdr_snapshot.h"

typedef enum coif_render_slot {
    COIF_RENDER_CURRENT,
    COIF_RENDER_REGION,
    COIF_RENDER_PREVIOUS,
    COIF_RENDER_SLOTS,
    COIF_RENDER_COMPOSITE = COIF_RENDER_SLOTS // the region in the current image
} coif_render_slot;

typedef struct coif_render_history coif_render_history;

coif_render_history *coif_render_history_open(coif_arena *arena);
void coif_render_history_close(coif_render_history *history);

// A render starts. A full image makes the current one the previous one; a region is kept apart.
// crop: x, y, width, height of the region in pixels, width 0: the full image.
void coif_render_history_begin(coif_render_history *history, const int32_t crop[4]);

// Replaces the snapshot of the running render.
void coif_render_history_store(coif_render_history *history,
                               const coif_hdr_snapshot_source *source);

typedef struct coif_render_view {
    coif_render_slot slot; // CURRENT with latest: the region if the last render was one
    bool latest;
    float stops; // exposure added to that of the scene
    bool denoised;
} coif_render_view;

// Encodes a PNG in arena; COIF_ERR_ARGUMENT when there is no such image.
coif_status coif_render_history_encode(char **data, size_t *size, coif_render_history *history,
                                       const coif_render_view *view, coif_arena *arena,
                                       coif_error *error);

#endif
