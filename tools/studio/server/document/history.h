// history: what was done and can be undone: strokes on layers and changes of the scene's text.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_HISTORY_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_HISTORY_H

#include "tools/studio/server/document/paint_map.h"

enum { COIF_HISTORY_STEPS = 256, COIF_STROKE_NAME = 64 };

// The texels of a tile; those of one value take no room.
typedef struct coif_kept {
    uint16_t *texels; // NULL: all are value
    uint16_t value;
} coif_kept;

// A tile before and after a stroke.
typedef struct coif_touched {
    int32_t column, row;
    coif_kept before, after;
    struct coif_touched *next;
} coif_touched;

typedef struct coif_history_step {
    coif_paint_map *layer;         // NULL: a change of the text
    char stroke[COIF_STROKE_NAME]; // pieces of one stroke, or of one slider's way, have one name
    coif_touched *tiles;
    coif_touched **found; // by the tile's number in the layer
    const char *text_before, *text_after;
    coif_arena arena;
} coif_history_step;

// A ring: steps [first, done) have been done and [done, end) undone. Those before written are not
// in the journal: it has begun anew since.
typedef struct coif_history {
    coif_history_step steps[COIF_HISTORY_STEPS];
    int64_t first, done, end, written;
} coif_history;

// Notes a tile of a stroke as it is and as it will be.
void coif_history_touch(coif_history *history, coif_paint_map *layer, const char *stroke,
                        const coif_tile_texels *after);

// The texels of a touched tile before or after its stroke.
void coif_history_texels(coif_tile_texels *texels, const coif_touched *tile, bool after);

// Notes a change of the text.
void coif_history_text(coif_history *history, const char *stroke, const char *before,
                       const char *after);

// The step to take back or to do again, NULL when there is none.
const coif_history_step *coif_history_undo(coif_history *history);
const coif_history_step *coif_history_redo(coif_history *history);

void coif_history_clear(coif_history *history);

#endif
