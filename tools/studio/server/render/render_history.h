// negatives: the last pictures as light, to be exposed anew: the newest, a region of it, and the
// one before it.
#ifndef COIF_TOOLS_STUDIO_SERVER_RENDER_RENDER_HISTORY_H
#define COIF_TOOLS_STUDIO_SERVER_RENDER_RENDER_HISTORY_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/output/hdr_snapshot.h"

typedef enum coif_negative_kind {
    COIF_NEGATIVE_NOW,
    COIF_NEGATIVE_PART,
    COIF_NEGATIVE_BEFORE,
    COIF_NEGATIVES
} coif_negative_kind;

typedef struct coif_negatives coif_negatives;

// Files go through the folder.
coif_negatives *coif_negatives_open(const char *folder, coif_arena *arena);
void coif_negatives_close(coif_negatives *negatives);

// A whole picture puts the one that is there behind it; a region lies over it.
void coif_negatives_begin(coif_negatives *negatives, bool in_part);

// What is about to be shown, in place of what was before in this picture.
void coif_negatives_keep(coif_negatives *negatives, const coif_negative_source *source);

// A PNG file, so many stops brighter than it was rendered, and without noise if it was denoised.
coif_status coif_negatives_print(char **data, size_t *size, coif_negatives *negatives,
                                 coif_negative_kind kind, float stops, coif_arena *arena,
                                 coif_error *error);

#endif
