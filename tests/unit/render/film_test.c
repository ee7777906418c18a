// Film snapshots while other threads write.
#include "core/base/arena.h"
#include "render/film/film_block.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <sched.h>

enum { TILES = 4, WIDTH = TILES * COIF_TILE_SIZE, HEIGHT = COIF_TILE_SIZE };

static coif_arena arena;

typedef struct snapshot_job {
    coif_film *film, *copy;
} snapshot_job;

static void *take_snapshot(void *context)
{
    const snapshot_job *job = context;
    coif_film_take_snapshot(job->copy, job->film);
    return NULL;
}

static coif_rect tile_rect(int32_t tile)
{
    return (coif_rect){tile * COIF_TILE_SIZE, 0, (tile + 1) * COIF_TILE_SIZE, HEIGHT};
}

// Splats one sample onto the border of two tiles.
static void splat_at_border(const coif_film *film, int32_t right_tile)
{
    const int32_t x = right_tile * COIF_TILE_SIZE;
    double scratch[4096];
    CHECK(coif_film_block_scratch_size(film) <= COIF_COUNT_OF(scratch));
    coif_film_block block;
    coif_film_block_open(&block, film, (coif_rect){x, 0, x + COIF_BLOCK_SIZE, COIF_BLOCK_SIZE},
                         true, scratch);
    for (int i = 0; i < film->aovs.stride; ++i) {
        block.sample[i] = 1.0;
    }
    coif_pixel_filter filter;
    coif_pixel_filter_init(&filter, COIF_FILTER_TENT);
    const coif_filter_weights weights_x = coif_pixel_filter_weights(&filter, (float)x, WIDTH);
    const coif_filter_weights weights_y = coif_pixel_filter_weights(&filter, 2.5f, HEIGHT);
    coif_film_block_splat(&block, film, &weights_x, &weights_y);
    ++block.count;
    coif_film_block_close(&block, film);
}

// Sum of the splatted samples in a tile.
static double tile_sum(const coif_film *film, int32_t tile)
{
    double sum = 0.0;
    for (int32_t i = 0; i < COIF_TILE_SIZE * HEIGHT; ++i) {
        const int32_t x = tile * COIF_TILE_SIZE + i % COIF_TILE_SIZE, y = i / COIF_TILE_SIZE;
        sum += *coif_film_sums(film, coif_film_index(film, x, y));
    }
    return sum;
}

// The snapshot waits for the tile locked by this thread. Meanwhile tiles before it (copied) and
// after it (not yet copied) can be written, and a splat is copied as a whole or not at all.
TEST(a_snapshot_holds_one_tile_and_splits_no_splat)
{
    coif_film film, copy;
    const coif_film_desc desc = {.width = WIDTH, .height = HEIGHT, .splat = true};
    coif_film_init(&film, &desc, &arena);
    coif_film_init(&copy, &desc, &arena);
    splat_at_border(&film, 1);
    splat_at_border(&film, 3);

    snapshot_job job = {&film, &copy};
    pthread_t thread;
    coif_film_lock(&film, tile_rect(1));
    CHECK(pthread_create(&thread, NULL, take_snapshot, &job) == 0);
    while (atomic_load(film.snapshot) == NULL) {
        sched_yield();
    }
    splat_at_border(&film, 3); // tiles 2 and 3, not copied yet
    coif_film_lock(&film, tile_rect(0));
    coif_film_unlock(&film, tile_rect(0));
    coif_film_unlock(&film, tile_rect(1));
    pthread_join(thread, NULL);

    CHECK_NEAR(tile_sum(&copy, 0), 0.5, 1e-6);
    CHECK_NEAR(tile_sum(&copy, 1), 0.5, 1e-6);
    CHECK_NEAR(tile_sum(&copy, 2), 0.5, 1e-6);
    CHECK_NEAR(tile_sum(&copy, 3), 0.5, 1e-6);
    CHECK_NEAR(tile_sum(&film, 2), 1.0, 1e-6);
    CHECK_NEAR(tile_sum(&film, 3), 1.0, 1e-6);
}
