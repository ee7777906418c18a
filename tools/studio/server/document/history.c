#include "tools/studio/server/document/history.h"

#include <stdio.h>
#include <string.h>

static coif_history_step *step_at(coif_history *history, int64_t index)
{
    return &history->steps[index % COIF_HISTORY_STEPS];
}

// Appends a step; drops the undone steps, and the oldest when the ring is full.
static coif_history_step *add(coif_history *history, const char *stroke)
{
    while (history->end > history->done) {
        coif_arena_free(&step_at(history, --history->end)->arena);
    }
    if (history->end - history->first == COIF_HISTORY_STEPS) {
        coif_arena_free(&step_at(history, history->first++)->arena);
    }
    history->journaled = history->end < history->journaled ? history->end : history->journaled;
    coif_history_step *step = step_at(history, history->end++);
    history->done = history->end;
    *step = (coif_history_step){0};
    snprintf(step->stroke, sizeof step->stroke, "%s", stroke);
    coif_arena_init(&step->arena, "history");
    return step;
}

// The last step when it has the same stroke id, else a new one. Empty ids never match.
static coif_history_step *step_of(coif_history *history, const coif_paint_map *map,
                                  const char *stroke)
{
    if (history->done > history->first && history->done == history->end && stroke[0] != '\0') {
        coif_history_step *last = step_at(history, history->done - 1);
        if (last->map == map && strncmp(last->stroke, stroke, COIF_STROKE_NAME - 1) == 0) {
            return last;
        }
    }
    return add(history, stroke);
}

// Memory is reused: a long stroke changes a tile many times.
static void store(coif_tile_snapshot *snapshot, const coif_tile_texels *tile, coif_arena *arena)
{
    snapshot->value = tile->texels[0];
    if (snapshot->texels == NULL && !coif_tile_is_uniform(tile)) {
        snapshot->texels = coif_arena_new(arena, COIF_TILE_TEXELS, uint16_t);
    }
    if (snapshot->texels != NULL) {
        memcpy(snapshot->texels, tile->texels, sizeof tile->texels);
    }
}

void coif_history_add_tile(coif_history *history, coif_paint_map *map, const char *stroke,
                           const coif_tile_texels *after)
{
    coif_history_step *step = step_of(history, map, stroke);
    step->map = map;
    if (step->by_tile == NULL) {
        step->by_tile = coif_arena_new(&step->arena, map->columns * map->rows, coif_tile_delta *);
    }
    coif_tile_delta **found = &step->by_tile[after->row * map->columns + after->column];
    if (*found == NULL) {
        *found = coif_arena_new(&step->arena, 1, coif_tile_delta);
        **found =
            (coif_tile_delta){.column = after->column, .row = after->row, .next = step->tiles};
        step->tiles = *found;
        coif_tile_texels before = {.column = after->column, .row = after->row};
        coif_paint_map_read(map, &before);
        store(&(*found)->before, &before, &step->arena);
    }
    store(&(*found)->after, after, &step->arena);
}

void coif_tile_delta_texels(coif_tile_texels *texels, const coif_tile_delta *tile, bool after)
{
    const coif_tile_snapshot *snapshot = after ? &tile->after : &tile->before;
    texels->column = tile->column;
    texels->row = tile->row;
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        texels->texels[i] = snapshot->texels != NULL ? snapshot->texels[i] : snapshot->value;
    }
}

void coif_history_add_text(coif_history *history, const char *stroke, const char *before,
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
    history->first = history->done = history->end = history->journaled = 0;
}
