// history: undo steps: strokes on paint maps and on hair, and changes of the scene text.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_HISTORY_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_HISTORY_H

#include "tools/studio/server/document/hair_edits.h"
#include "tools/studio/server/document/paint_map.h"

enum { COIF_HISTORY_STEPS = 256, COIF_STROKE_NAME = 64 };

typedef struct coif_tile_snapshot {
    uint16_t *texels; // NULL: all equal value
    uint16_t value;
} coif_tile_snapshot;

// A tile before and after a stroke. Only texels that differ between both belong to the stroke:
// other strokes may have painted the rest meanwhile.
typedef struct coif_tile_delta {
    int32_t column, row;
    coif_tile_snapshot before, after;
    struct coif_tile_delta *next;
} coif_tile_delta;

// A guide before and after a stroke.
typedef struct coif_guide_delta {
    int32_t guide;
    coif_guide_state before, after;
    struct coif_guide_delta *next;
} coif_guide_delta;

// Tiles of one map.
typedef struct coif_map_delta {
    coif_paint_map *map;
    coif_tile_delta *tiles;
    coif_tile_delta **by_tile; // index by canvas position
    struct coif_map_delta *next;
} coif_map_delta;

// A change of the text, of maps, of hair, or of several of them.
typedef struct coif_history_step {
    char stroke[COIF_STROKE_NAME]; // id that joins the parts of a stroke or of a slider drag
    coif_map_delta *maps;
    coif_edited_guides *edited; // NULL: no hair
    coif_guide_delta *guides;
    coif_guide_delta **by_guide;
    int32_t guide_capacity;               // of by_guide
    const char *text_before, *text_after; // NULL: unchanged
    coif_arena arena;
} coif_history_step;

// Ring buffer: steps [first, done) are done, [done, end) undone. Steps before `journaled` are not
// in the journal, which is restarted by a save.
typedef struct coif_history {
    coif_history_step steps[COIF_HISTORY_STEPS];
    int64_t first, done, end, journaled;
} coif_history;

// Records the current and the new texels of a tile, before they are written.
void coif_history_add_tile(coif_history *history, coif_paint_map *map, const char *stroke,
                           const coif_tile_texels *after);
// Records the current state of a guide and the one before.
void coif_history_add_guide(coif_history *history, coif_edited_guides *edited, const char *stroke,
                            int32_t guide, const coif_guide_state *before);
void coif_history_add_text(coif_history *history, const char *stroke, const char *before,
                           const char *after);

// Undoes or redoes a stroke in the current texels of a tile: its texels that nobody has painted
// since. Returns whether any changed.
bool coif_tile_delta_apply(coif_tile_texels *texels, const coif_tile_delta *tile, bool forward);

// The step to undo or redo, NULL when there is none.
const coif_history_step *coif_history_undo(coif_history *history);
const coif_history_step *coif_history_redo(coif_history *history);

void coif_history_clear(coif_history *history);

#endif
