#include "tools/studio/server/document/history.h"

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
    history->written = history->end < history->written ? history->end : history->written;
    coif_history_step *step = step_at(history, history->end++);
    history->done = history->end;
    *step = (coif_history_step){0};
    snprintf(step->stroke, sizeof step->stroke, "%s", stroke);
    coif_arena_init(&step->arena, "history");
    return step;
}

// The last step when it is a piece of the same stroke, else a new one. An empty name is never the
// same.
static coif_history_step *step_of(coif_history *history, const coif_paint_map *layer,
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

// Room that was taken once is used again: a long stroke comes to a tile many times.
static void keep(coif_kept *kept, const coif_tile_texels *tile, coif_arena *arena)
{
    kept->value = tile->texels[0];
    if (kept->texels == NULL && !coif_tile_is_even(tile)) {
        kept->texels = coif_arena_new(arena, COIF_TILE_TEXELS, uint16_t);
    }
    if (kept->texels != NULL) {
        memcpy(kept->texels, tile->texels, sizeof tile->texels);
    }
}

void coif_history_touch(coif_history *history, coif_paint_map *layer, const char *stroke,
                        const coif_tile_texels *after)
{
    coif_history_step *step = step_of(history, layer, stroke);
    step->layer = layer;
    if (step->found == NULL) {
        step->found = coif_arena_new(&step->arena, layer->columns * layer->rows, coif_touched *);
    }
    coif_touched **found = &step->found[after->row * layer->columns + after->column];
    if (*found == NULL) {
        *found = coif_arena_new(&step->arena, 1, coif_touched);
        **found = (coif_touched){.column = after->column, .row = after->row, .next = step->tiles};
        step->tiles = *found;
        coif_tile_texels before = {.column = after->column, .row = after->row};
        coif_paint_map_read(layer, &before);
        keep(&(*found)->before, &before, &step->arena);
    }
    keep(&(*found)->after, after, &step->arena);
}

void coif_history_texels(coif_tile_texels *texels, const coif_touched *tile, bool after)
{
    const coif_kept *kept = after ? &tile->after : &tile->before;
    texels->column = tile->column;
    texels->row = tile->row;
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        texels->texels[i] = kept->texels != NULL ? kept->texels[i] : kept->value;
    }
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
    history->first = history->done = history->end = history->written = 0;
}
