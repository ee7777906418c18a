#include "tools/studio/server/render/render_history.h"

#include "core/base/fs.h"

#include <pthread.h>

// Pixels of a picture that is kept: 16 megapixels are 200 MB.
static const int64_t MOST = 16 << 20;

typedef struct kept {
    coif_hdr_snapshot negative; // no pixels: there is none
    coif_arena arena;
} kept;

struct coif_render_history {
    const char *folder;
    pthread_mutex_t lock; // of all below
    kept pictures[COIF_NEGATIVES];
    bool in_part; // a region is rendered
};

coif_render_history *coif_render_history_open(const char *folder, coif_arena *arena)
{
    coif_render_history *negatives = coif_arena_new(arena, 1, coif_render_history);
    negatives->folder = folder;
    pthread_mutex_init(&negatives->lock, NULL);
    return negatives;
}

static void forget(kept *picture)
{
    if (picture->negative.pixels != NULL) {
        coif_arena_free(&picture->arena);
        picture->negative.pixels = NULL;
    }
}

static void hand_over(kept *to, kept *from)
{
    to->negative = from->negative;
    coif_arena_move(&to->arena, &from->arena);
    from->negative.pixels = NULL;
}

void coif_render_history_close(coif_render_history *negatives)
{
    for (int32_t i = 0; i < COIF_NEGATIVES; ++i) {
        forget(&negatives->pictures[i]);
    }
}

void coif_render_history_begin(coif_render_history *negatives, bool in_part)
{
    pthread_mutex_lock(&negatives->lock);
    kept *pictures = negatives->pictures;
    negatives->in_part = in_part;
    forget(&pictures[COIF_NEGATIVE_PART]);
    if (!in_part && pictures[COIF_NEGATIVE_NOW].negative.pixels != NULL) {
        forget(&pictures[COIF_NEGATIVE_BEFORE]);
        hand_over(&pictures[COIF_NEGATIVE_BEFORE], &pictures[COIF_NEGATIVE_NOW]);
    }
    pthread_mutex_unlock(&negatives->lock);
}

void coif_render_history_keep(coif_render_history *negatives,
                              const coif_hdr_snapshot_source *source)
{
    kept next = {0};
    if ((int64_t)source->film->width * source->film->height <= MOST) {
        coif_arena_init(&next.arena, "negative");
        coif_hdr_snapshot_capture(&next.negative, source, &next.arena);
    }
    pthread_mutex_lock(&negatives->lock);
    kept *picture =
        &negatives->pictures[negatives->in_part ? COIF_NEGATIVE_PART : COIF_NEGATIVE_NOW];
    forget(picture);
    if (next.negative.pixels != NULL) {
        hand_over(picture, &next);
    }
    pthread_mutex_unlock(&negatives->lock);
}

coif_status coif_render_history_print(char **data, size_t *size, coif_render_history *negatives,
                                      coif_hdr_snapshot_kind kind, float stops, coif_arena *arena,
                                      coif_error *error)
{
    const char *path = coif_arena_print(arena, "%s/exposed.png", negatives->folder);
    pthread_mutex_lock(&negatives->lock);
    const coif_hdr_snapshot *negative = &negatives->pictures[kind].negative;
    coif_status status =
        negative->pixels != NULL
            ? coif_hdr_snapshot_write_display(negative, stops, path, error)
            : coif_fail(error, COIF_ERR_ARGUMENT,
                        "there is no picture to be exposed: render one of at most 16 megapixels");
    if (status == COIF_OK) {
        status = coif_file_load(data, size, path, arena, error);
    }
    pthread_mutex_unlock(&negatives->lock);
    return status;
}
