#include "tools/studio/server/render/render_history.h"

#include <pthread.h>

// Pixels of a previous image that is kept: 16 megapixels take 200 MB.
static const int64_t MAX_PREVIOUS_PIXELS = 16 << 20;

typedef struct history_entry {
    coif_hdr_snapshot snapshot; // no pixels: empty
    coif_arena arena;
} history_entry;

struct coif_render_history {
    pthread_mutex_t lock; // of everything below
    history_entry entries[COIF_RENDER_SLOTS];
    bool region; // the last render
};

coif_render_history *coif_render_history_open(coif_arena *arena)
{
    coif_render_history *history = coif_arena_new(arena, 1, coif_render_history);
    pthread_mutex_init(&history->lock, NULL);
    return history;
}

static void clear(history_entry *entry)
{
    if (entry->snapshot.pixels != NULL) {
        coif_arena_free(&entry->arena);
        entry->snapshot.pixels = NULL;
    }
}

static void move(history_entry *to, history_entry *from)
{
    clear(to);
    to->snapshot = from->snapshot;
    coif_arena_move(&to->arena, &from->arena);
    from->snapshot.pixels = NULL;
}

void coif_render_history_close(coif_render_history *history)
{
    for (int32_t i = 0; i < COIF_RENDER_SLOTS; ++i) {
        clear(&history->entries[i]);
    }
}

void coif_render_history_begin(coif_render_history *history, bool region)
{
    pthread_mutex_lock(&history->lock);
    history_entry *current = &history->entries[COIF_RENDER_CURRENT];
    history->region = region;
    clear(&history->entries[COIF_RENDER_REGION]);
    if (!region && current->snapshot.pixels != NULL) {
        history_entry *previous = &history->entries[COIF_RENDER_PREVIOUS];
        move(previous, current);
        if ((int64_t)previous->snapshot.width * previous->snapshot.height > MAX_PREVIOUS_PIXELS) {
            clear(previous);
        }
    }
    pthread_mutex_unlock(&history->lock);
}

void coif_render_history_store(coif_render_history *history, const coif_hdr_snapshot_source *source)
{
    history_entry next = {0};
    coif_arena_init(&next.arena, "render snapshot");
    coif_hdr_snapshot_capture(&next.snapshot, source, &next.arena);
    pthread_mutex_lock(&history->lock);
    move(&history->entries[history->region ? COIF_RENDER_REGION : COIF_RENDER_CURRENT], &next);
    pthread_mutex_unlock(&history->lock);
}

coif_status coif_render_history_encode(char **data, size_t *size, coif_render_history *history,
                                       const coif_render_view *view, coif_arena *arena,
                                       coif_error *error)
{
    pthread_mutex_lock(&history->lock);
    const coif_render_slot slot = view->latest && history->region ? COIF_RENDER_REGION : view->slot;
    const coif_hdr_snapshot *snapshot = &history->entries[slot].snapshot;
    const coif_status status =
        snapshot->pixels != NULL
            ? coif_hdr_snapshot_encode(data, size, snapshot, view->stops, view->denoised, arena,
                                       error)
            : coif_fail(error, COIF_ERR_ARGUMENT,
                        slot == COIF_RENDER_PREVIOUS
                            ? "there is no previous image of at most 16 megapixels"
                            : "nothing has been rendered yet: press Preview first");
    pthread_mutex_unlock(&history->lock);
    return status;
}
