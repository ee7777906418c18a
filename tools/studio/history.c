#include "tools/studio/history.h"

#include <stdio.h>
#include <string.h>

static coif_history_step *step_at(coif_history *history, int64_t index)
{
    return &history->steps[index % COIF_HISTORY_STEPS];
}

// A new last step: what was undone is forgotten, and the oldest when there are too many.
static coif_history_step *add(coif_history *history, const char *stroke)
{
    while (history->end > history->done) {
        coif_arena_free(&step_at(history, --history->end)->arena);
    }
    if (history->end - history->first == COIF_HISTORY_STEPS) {
        coif_arena_free(&step_at(history, history->first++)->arena);
    }
    coif_history_step *step = step_at(history, history->end++);
    history->done = history->end;
    *step = (coif_history_step){0};
    snprintf(step->stroke, sizeof step->stroke, "%s", stroke);
    coif_arena_init(&step->arena, "history");
    return step;
}

// The last step when it is a piece of the same stroke, else a new one. An empty name is never the
// same.
static coif_history_step *step_of(coif_history *history, const coif_layer *layer,
                                  const char *stroke)
{
    if (history->done > history->first && history->done == history->end && stroke[0] != '\0') {
        coif_history_step *last = step_at(history, history->done - 1);
        if (last->layer == layer && strncmp(last->stroke, stroke, COIF_STROKE_NAME - 1) == 0) {
            return last;
        }
    }
    return add(history, stroke);
}

void coif_history_touch(coif_history *history, coif_layer *layer, const char *stroke,
                        const coif_tile_texels *after)
{
    coif_history_step *step = step_of(history, layer, stroke);
    step->layer = layer;
    coif_touched *tile = step->tiles;
    while (tile != NULL && (tile->after.column != after->column || tile->after.row != after->row)) {
        tile = tile->next;
    }
    if (tile == NULL) {
        tile = coif_arena_new(&step->arena, 1, coif_touched);
        tile->before.column = after->column;
        tile->before.row = after->row;
        coif_layer_read(layer, &tile->before);
        tile->next = step->tiles;
        step->tiles = tile;
    }
    tile->after = *after;
}

void coif_history_text(coif_history *history, const char *stroke, const char *before,
                       const char *after)
{
    coif_history_step *step = step_of(history, NULL, stroke);
    if (step->text_before == NULL) {
        step->text_before = coif_arena_copy_text(&step->arena, before);
    }
    step->text_after = coif_arena_copy_text(&step->arena, after);
}

const coif_history_step *coif_history_undo(coif_history *history)
{
    return history->done > history->first ? step_at(history, --history->done) : NULL;
}

const coif_history_step *coif_history_redo(coif_history *history)
{
    return history->done < history->end ? step_at(history, history->done++) : NULL;
}

void coif_history_clear(coif_history *history)
{
    for (int64_t i = history->first; i < history->end; ++i) {
        coif_arena_free(&step_at(history, i)->arena);
    }
    history->first = history->done = history->end = 0;
}
