// negatives: the last pictures as light, to be exposed anew: the newest, a region of it, and the
// one before it.
#ifndef COIF_TOOLS_STUDIO_SERVER_RENDER_RENDER_HISTORY_H
#define COIF_TOOLS_STUDIO_SERVER_RENDER_RENDER_HISTORY_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/output/hdr_snapshot.h"

typedef enum coif_hdr_snapshot_kind {
    COIF_NEGATIVE_NOW,
    COIF_NEGATIVE_PART,
    COIF_NEGATIVE_BEFORE,
    COIF_NEGATIVES
} coif_hdr_snapshot_kind;

typedef struct coif_render_history coif_render_history;

// Files go through the folder.
coif_render_history *coif_render_history_open(const char *folder, coif_arena *arena);
void coif_render_history_close(coif_render_history *negatives);

// A whole picture puts the one that is there behind it; a region lies over it.
void coif_render_history_begin(coif_render_history *negatives, bool in_part);

// What is about to be shown, in place of what was before in this picture.
void coif_render_history_keep(coif_render_history *negatives,
                              const coif_hdr_snapshot_source *source);

// A PNG file, so many stops brighter than it was rendered, and without noise if it was denoised.
coif_status coif_render_history_print(char **data, size_t *size, coif_render_history *negatives,
                                      coif_hdr_snapshot_kind kind, float stops, coif_arena *arena,
                                      coif_error *error);

#endif
