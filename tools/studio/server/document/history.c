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

// A stroke of another page may lie between two parts of a stroke, which are still one step.
enum { INTERLEAVED_STEPS = 16 };

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// The step with that stroke id among the last ones, else a new one. Empty ids never match. Steps
// before a save are not joined: replay of the journal gives the same steps. Texts are whole, so
// that a change of the text joins none before another one; likewise guides.
static coif_history_step *step_of(coif_history *history, const char *stroke, bool text,
                                  const coif_edited_guides *edited)
{
    const int64_t oldest =
        most(most(history->first, history->journaled), history->done - INTERLEAVED_STEPS);
    const bool joins = history->done == history->end && stroke[0] != '\0';
    for (int64_t i = history->done - 1; joins && i >= oldest; --i) {
        coif_history_step *step = step_at(history, i);
        if (strncmp(step->stroke, stroke, COIF_STROKE_NAME - 1) == 0) {
            return step;
        }
        if ((text && step->text_before != NULL) || (edited != NULL && step->edited == edited)) {
            break;
        }
    }
    return add(history, stroke);
}

static uint16_t texel_of(const coif_tile_snapshot *snapshot, int32_t i)
{
    return snapshot->texels != NULL ? snapshot->texels[i] : snapshot->value;
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

static coif_map_delta *delta_of(coif_history_step *step, coif_paint_map *map)
{
    coif_map_delta *found = step->maps;
    while (found != NULL && found->map != map) {
        found = found->next;
    }
    if (found == NULL) {
        found = coif_arena_new(&step->arena, 1, coif_map_delta);
        *found = (coif_map_delta){.map = map, .next = step->maps};
        found->by_tile = coif_arena_new(&step->arena, map->columns * map->rows, coif_tile_delta *);
        step->maps = found;
    }
    return found;
}

void coif_history_add_tile(coif_history *history, coif_paint_map *map, const char *stroke,
                           const coif_tile_texels *after)
{
    coif_history_step *step = step_of(history, stroke, false, NULL);
    coif_map_delta *delta = delta_of(step, map);
    coif_tile_texels current = {.column = after->column, .row = after->row};
    coif_paint_map_read(map, &current);
    coif_tile_delta **found = &delta->by_tile[after->row * map->columns + after->column];
    if (*found == NULL) {
        *found = coif_arena_new(&step->arena, 1, coif_tile_delta);
        **found =
            (coif_tile_delta){.column = after->column, .row = after->row, .next = delta->tiles};
        delta->tiles = *found;
        store(&(*found)->before, &current, &step->arena);
        store(&(*found)->after, after, &step->arena);
        return;
    }
    // Texels of other strokes since the last part are the same before and after this one.
    coif_tile_texels before = current, joined = current;
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        const uint16_t was = texel_of(&(*found)->before, i), is = texel_of(&(*found)->after, i);
        before.texels[i] = was != is ? was : current.texels[i];
        joined.texels[i] =
            after->texels[i] != current.texels[i] || was == is ? after->texels[i] : is;
    }
    store(&(*found)->before, &before, &step->arena);
    store(&(*found)->after, &joined, &step->arena);
}

bool coif_tile_delta_apply(coif_tile_texels *texels, const coif_tile_delta *tile, bool forward)
{
    const coif_tile_snapshot *from = forward ? &tile->before : &tile->after;
    const coif_tile_snapshot *to = forward ? &tile->after : &tile->before;
    bool changed = false;
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        const uint16_t next = texel_of(to, i);
        if (texels->texels[i] == texel_of(from, i) && texels->texels[i] != next) {
            texels->texels[i] = next;
            changed = true;
        }
    }
    return changed;
}

// Memory is reused, as above. Only cutting changes rest.
static void store_state(coif_guide_state *to, const coif_guide_state *from, int32_t points,
                        bool cut, coif_arena *arena)
{
    const size_t bytes = sizeof(coif_vec4) * (size_t)points;
    coif_vec4 *edited = to->edited != NULL ? to->edited : coif_arena_new(arena, points, coif_vec4);
    coif_vec4 *rest = cut && to->rest == NULL ? coif_arena_new(arena, points, coif_vec4) : to->rest;
    *to = (coif_guide_state){edited, rest, from->kept, from->flags};
    memcpy(edited, from->edited, bytes);
    if (rest != NULL) {
        memcpy(rest, from->rest, bytes);
    }
}

void coif_history_add_guide(coif_history *history, coif_edited_guides *edited, const char *stroke,
                            int32_t guide, const coif_guide_state *before)
{
    coif_history_step *step = step_of(history, stroke, false, edited);
    const coif_strands *guides = &edited->guides.edited;
    step->edited = edited;
    if (guide >= step->guide_capacity) { // guides may be added while a stroke lasts
        const int32_t capacity = 2 * guides->strand_count;
        coif_guide_delta **larger = coif_arena_new(&step->arena, capacity, coif_guide_delta *);
        if (step->guide_capacity > 0) {
            memcpy(larger, step->by_guide, sizeof *larger * (size_t)step->guide_capacity);
        }
        step->by_guide = larger;
        step->guide_capacity = capacity;
    }
    const int32_t points = coif_strands_length(guides, guide);
    const coif_guide_state now = coif_edited_guides_state(edited, guide);
    const bool cut = memcmp(now.rest, before->rest, sizeof *now.rest * (size_t)points) != 0;
    coif_guide_delta **found = &step->by_guide[guide];
    if (*found == NULL) {
        *found = coif_arena_new(&step->arena, 1, coif_guide_delta);
        **found = (coif_guide_delta){.guide = guide, .next = step->guides};
        step->guides = *found;
        store_state(&(*found)->before, before, points, cut, &step->arena);
    }
    store_state(&(*found)->after, &now, points, cut, &step->arena);
}

void coif_history_add_text(coif_history *history, const char *stroke, const char *before,
                           const char *after)
{
    coif_history_step *step = step_of(history, stroke, true, NULL);
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
