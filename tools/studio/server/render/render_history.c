#include "tools/studio/server/render/render_history.h"

#include "core/base/arena.h"

#include <pthread.h>
#include <string.h>

// Pixels of a previous image that is kept: 16 megapixels take 200 MB.
static const int64_t MAX_PREVIOUS_PIXELS = 16 << 20;

typedef struct history_entry {
    coif_hdr_snapshot snapshot; // no pixels: empty
    coif_arena arena;
} history_entry;

struct coif_render_history {
    pthread_mutex_t lock; // of everything below
    history_entry entries[COIF_RENDER_SLOTS];
    bool region;                // the last render
    int32_t region_x, region_y; // in the full image
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

void coif_render_history_begin(coif_render_history *history, const int32_t crop[4])
{
    const bool region = crop[2] > 0;
    pthread_mutex_lock(&history->lock);
    history_entry *current = &history->entries[COIF_RENDER_CURRENT];
    history->region = region;
    history->region_x = crop[0];
    history->region_y = crop[1];
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

// Copies the pixels of a region into an image with as many channels.
static void paste(float *pixels, const coif_hdr_snapshot *image, const float *region_pixels,
                  const coif_hdr_snapshot *region, int32_t left, int32_t top)
{
    const int32_t channels = image->channel_count;
    const int32_t columns =
        left + region->width < image->width ? region->width : image->width - left;
    for (int32_t y = 0; y < region->height && top + y < image->height && columns > 0; ++y) {
        memcpy(pixels + channels * ((int64_t)(top + y) * image->width + left),
               region_pixels + channels * ((int64_t)y * region->width),
               sizeof *pixels * (size_t)(channels * columns));
    }
}

static float *copy_pixels(const float *pixels, const coif_hdr_snapshot *image, coif_arena *arena)
{
    const int64_t count = (int64_t)image->channel_count * image->width * image->height;
    float *copy = coif_arena_new(arena, count, float);
    memcpy(copy, pixels, sizeof *copy * (size_t)count);
    return copy;
}

// The current image with the region where there is one.
static coif_hdr_snapshot compose(const coif_render_history *history, coif_arena *arena)
{
    coif_hdr_snapshot image = history->entries[COIF_RENDER_CURRENT].snapshot;
    const coif_hdr_snapshot *region = &history->entries[COIF_RENDER_REGION].snapshot;
    if (image.pixels == NULL || region->pixels == NULL ||
        image.channel_count != region->channel_count) {
        return image;
    }
    const coif_hdr_snapshot whole = image;
    image.pixels = copy_pixels(whole.pixels, &whole, arena);
    paste(image.pixels, &image, region->pixels, region, history->region_x, history->region_y);
    if (whole.denoised != NULL || region->denoised != NULL) {
        image.denoised =
            copy_pixels(whole.denoised != NULL ? whole.denoised : whole.pixels, &whole, arena);
        paste(image.denoised, &image, region->denoised != NULL ? region->denoised : region->pixels,
              region, history->region_x, history->region_y);
    }
    return image;
}

coif_status coif_render_history_encode(char **data, size_t *size, coif_render_history *history,
                                       const coif_render_view *view, coif_arena *arena,
                                       coif_error *error)
{
    pthread_mutex_lock(&history->lock);
    const coif_render_slot slot = view->latest && history->region ? COIF_RENDER_REGION : view->slot;
    const coif_hdr_snapshot snapshot =
        slot == COIF_RENDER_COMPOSITE ? compose(history, arena) : history->entries[slot].snapshot;
    const coif_status status =
        snapshot.pixels != NULL
            ? coif_hdr_snapshot_encode(data, size, &snapshot, view->stops, view->denoised, arena,
                                       error)
            : coif_fail(error, COIF_ERR_ARGUMENT,
                        slot == COIF_RENDER_PREVIOUS
                            ? "there is no previous image of at most 16 megapixels"
                            : "nothing has been rendered yet: press Preview first");
    pthread_mutex_unlock(&history->lock);
    return status;
}
