#include "render/film/film.h"

#include "core/base/arena.h"
#include "render/film/cryptomatte.h"
#include "render/math/fast_math.h"

#include <sched.h>
#include <string.h>

static int32_t tile_span(int32_t from, int32_t to)
{
    return (to + COIF_TILE_SIZE - 1) / COIF_TILE_SIZE - from / COIF_TILE_SIZE;
}

void coif_film_init(coif_film *film, const coif_film_desc *desc, coif_arena *arena)
{
    *film = (coif_film){.width = desc->width, .height = desc->height, .region = desc->region};
    if (desc->region.x1 <= desc->region.x0) {
        film->region = (coif_rect){0, 0, desc->width, desc->height};
    }
    if (desc->aovs != NULL) {
        film->aovs = *desc->aovs;
    } else {
        coif_aovs_beauty_only(&film->aovs);
    }
    const coif_rect *region = &film->region;
    film->tiles_x = tile_span(region->x0, region->x1);
    film->tiles_y = tile_span(region->y0, region->y1);
    film->tile_count = film->tiles_x * film->tiles_y;
    const size_t pixels = (size_t)(region->x1 - region->x0) * (size_t)(region->y1 - region->y0);
    film->sums = coif_arena_new(arena, pixels * (size_t)film->aovs.stride, double);
    film->counts = coif_arena_new(arena, pixels, int32_t);
    if (desc->splat) {
        film->weights = coif_arena_new(arena, 2 * pixels, double);
    }
    film->tile_locks = coif_arena_new(arena, film->tile_count, atomic_flag);
    for (int32_t i = 0; i < film->tile_count; ++i) {
        atomic_flag_clear(&film->tile_locks[i]);
    }
    film->snapshot = coif_arena_alloc(arena, 1, sizeof *film->snapshot);
    atomic_init(film->snapshot, NULL);
}

void coif_film_clear(coif_film *film)
{
    const size_t pixels = coif_film_pixel_count(film);
    memset(film->sums, 0, pixels * (size_t)film->aovs.stride * sizeof *film->sums);
    memset(film->counts, 0, pixels * sizeof *film->counts);
    if (film->weights != NULL) {
        memset(film->weights, 0, 2 * pixels * sizeof *film->weights);
    }
}

coif_rect coif_film_tile(const coif_film *film, int32_t index)
{
    const coif_rect *region = &film->region;
    const int32_t x = (region->x0 / COIF_TILE_SIZE + index % film->tiles_x) * COIF_TILE_SIZE;
    const int32_t y = (region->y0 / COIF_TILE_SIZE + index / film->tiles_x) * COIF_TILE_SIZE;
    return coif_rect_intersect((coif_rect){x, y, x + COIF_TILE_SIZE, y + COIF_TILE_SIZE}, *region);
}

// Columns and rows of tiles that overlap area.
static coif_rect tiles_over_area(const coif_film *film, coif_rect area)
{
    const int32_t x = film->region.x0 / COIF_TILE_SIZE, y = film->region.y0 / COIF_TILE_SIZE;
    const coif_rect inside = coif_rect_intersect(area, film->region);
    return (coif_rect){inside.x0 / COIF_TILE_SIZE - x, inside.y0 / COIF_TILE_SIZE - y,
                       (inside.x1 - 1) / COIF_TILE_SIZE - x + 1,
                       (inside.y1 - 1) / COIF_TILE_SIZE - y + 1};
}

// A snapshot while it is taken: which tiles are copied. Guarded by the locks of the tiles.
struct coif_film_snapshot {
    coif_film *copy;
    bool *is_copied; // per tile
};

static void copy_tile(struct coif_film_snapshot *snapshot, const coif_film *film, int32_t index)
{
    if (snapshot->is_copied[index]) {
        return;
    }
    snapshot->is_copied[index] = true;
    const coif_film *copy = snapshot->copy;
    const coif_rect tile = coif_film_tile(film, index);
    const size_t width = (size_t)(tile.x1 - tile.x0), stride = (size_t)film->aovs.stride;
    for (int32_t y = tile.y0; y < tile.y1; ++y) {
        const size_t first = coif_film_index(film, tile.x0, y);
        memcpy(copy->sums + first * stride, film->sums + first * stride,
               width * stride * sizeof *film->sums);
        memcpy(copy->counts + first, film->counts + first, width * sizeof *film->counts);
        if (film->weights != NULL) {
            memcpy(copy->weights + 2 * first, film->weights + 2 * first,
                   2 * width * sizeof *film->weights);
        }
    }
}

static void lock_tile(const coif_film *film, int32_t index)
{
    enum { SPINS = 64 };
    for (int spins = 0;
         atomic_flag_test_and_set_explicit(&film->tile_locks[index], memory_order_acquire);
         ++spins) {
        if (spins < SPINS) {
            __builtin_ia32_pause();
        } else {
            sched_yield();
        }
    }
}

static void unlock_tile(const coif_film *film, int32_t index)
{
    atomic_flag_clear_explicit(&film->tile_locks[index], memory_order_release);
}

// Ascending tile order excludes deadlock. The snapshot is read when all locks are held: either none
// of the tiles is copied yet and none will be before they are unlocked, or all are copied here.
void coif_film_lock(const coif_film *film, coif_rect area)
{
    const coif_rect tiles = tiles_over_area(film, area);
    for (int32_t y = tiles.y0; y < tiles.y1; ++y) {
        for (int32_t x = tiles.x0; x < tiles.x1; ++x) {
            lock_tile(film, y * film->tiles_x + x);
        }
    }
    struct coif_film_snapshot *snapshot = atomic_load(film->snapshot);
    for (int32_t y = tiles.y0; y < tiles.y1 && snapshot != NULL; ++y) {
        for (int32_t x = tiles.x0; x < tiles.x1; ++x) {
            copy_tile(snapshot, film, y * film->tiles_x + x);
        }
    }
}

void coif_film_unlock(const coif_film *film, coif_rect area)
{
    const coif_rect tiles = tiles_over_area(film, area);
    for (int32_t y = tiles.y0; y < tiles.y1; ++y) {
        for (int32_t x = tiles.x0; x < tiles.x1; ++x) {
            unlock_tile(film, y * film->tiles_x + x);
        }
    }
}

void coif_film_take_snapshot(coif_film *copy, const coif_film *film)
{
    COIF_SCOPED_ARENA(scratch, "film snapshot");
    struct coif_film_snapshot snapshot = {copy, coif_arena_new(&scratch, film->tile_count, bool)};
    atomic_store(film->snapshot, &snapshot);
    for (int32_t i = 0; i < film->tile_count; ++i) {
        lock_tile(film, i);
        copy_tile(&snapshot, film, i);
        unlock_tile(film, i);
    }
    atomic_store(film->snapshot, NULL);
    // Writers read the snapshot under a lock: after this round none of them refers to it any more.
    for (int32_t i = 0; i < film->tile_count; ++i) {
        lock_tile(film, i);
        unlock_tile(film, i);
    }
}

// Variance of the pixel value: sample variance of the pixel's own samples, times the sum of squared
// weights over the squared sum of weights of all samples that contribute.
static float variance_of(const coif_film *film, size_t pixel, double sum, double squares)
{
    const double n = film->counts[pixel];
    if (n < 2.0) {
        return 0.0f;
    }
    const double mean = sum / n, sample_variance = (squares / n - mean * mean) * n / (n - 1.0);
    const double *weights = film->weights != NULL ? film->weights + 2 * pixel : NULL;
    const double scale = weights != NULL ? weights[1] / (weights[0] * weights[0]) : 1.0 / n;
    return sample_variance > 0.0 ? (float)(sample_variance * scale) : 0.0f;
}

// Shadowed over unshadowed direct light of a shadow catcher, per channel.
static void shadow_ratio(const double *catcher, double ratio[3])
{
    for (int c = 0; c < 3; ++c) {
        ratio[c] = catcher[3 + c] > 0.0 ? catcher[c] / catcher[3 + c] : 1.0;
    }
}

// A shadow becomes alpha over the background behind the catcher; a background that is part of the
// image is attenuated by the shadow.
static void add_shadow_catcher(const coif_film *film, const double *all, double n,
                               const coif_aov *aov, float *values)
{
    const int32_t offset = film->aovs.offset[COIF_AOV_SHADOW_CATCHER];
    const bool background =
        aov->kind == COIF_AOV_BACKGROUND || (aov->kind == COIF_AOV_LIGHT && aov->light_group == 0);
    if (offset < 0 || !(n > 0.0) || !(all[offset + 9] > 0.0) ||
        !(background || aov->kind == COIF_AOV_BEAUTY)) {
        return;
    }
    double ratio[3];
    shadow_ratio(all + offset, ratio);
    for (int c = 0; c < 3; ++c) {
        values[c] += (float)(ratio[c] * all[offset + 6 + c] / n);
    }
    if (aov->kind == COIF_AOV_BEAUTY) {
        const double lit = 0.2126 * ratio[0] + 0.7152 * ratio[1] + 0.0722 * ratio[2];
        values[3] = coif_min(1.0f, values[3] + (float)((1.0 - lit) * all[offset + 9] / n));
    }
}

// Identifiers come from the pixel's own samples. With splatting their coverages are scaled so that
// hair and surfaces cover as much as in the filtered mask.
static void rank_cryptomatte(const coif_film *film, size_t pixel, const double *sums, float *values)
{
    const double n = film->counts[pixel], *own = coif_cryptomatte_coverage(sums);
    double scales[2] = {n > 0.0 ? 1.0 / n : 0.0, n > 0.0 ? 1.0 / n : 0.0};
    const double *mask = coif_film_sums(film, pixel) + film->aovs.offset[COIF_AOV_MASK];
    for (int i = 0; i < 2 && film->weights != NULL; ++i) {
        scales[i] = own[i] > 0.0 ? mask[i] / (own[i] * coif_film_weight(film, pixel)) : 0.0;
    }
    coif_cryptomatte_sort(sums, scales, values);
}

void coif_film_value(const coif_film *film, size_t pixel, const coif_aov *aov, float *values)
{
    const double *all = coif_film_sums(film, pixel), *sums = all + aov->offset;
    const double n = coif_film_weight(film, pixel);
    for (int32_t c = 0; c < aov->channel_count; ++c) {
        values[c] = 0.0f;
    }
    switch (aov->accumulation) {
    case COIF_ACCUMULATE_MEAN:
        for (int32_t c = 0; c < aov->channel_count && n > 0.0; ++c) {
            values[c] = (float)(sums[c] / n);
        }
        add_shadow_catcher(film, all, n, aov, values);
        break;
    case COIF_ACCUMULATE_SHADOW_CATCHER: {
        double ratio[3];
        shadow_ratio(sums, ratio);
        for (int32_t c = 0; c < 3 && n > 0.0; ++c) {
            values[c] = (float)(1.0 - (1.0 - ratio[c]) * sums[9] / n);
        }
        break;
    }
    case COIF_ACCUMULATE_NEAREST:
        for (int32_t c = 0; c < aov->channel_count; ++c) {
            values[c] = (float)sums[c];
        }
        break;
    case COIF_ACCUMULATE_COUNT:
        values[0] = (float)film->counts[pixel];
        break;
    case COIF_ACCUMULATE_VARIANCE:
        for (int32_t c = 0; c < 3; ++c) {
            values[c] = variance_of(film, pixel, sums[COIF_SUM_COLOR + c], sums[c]);
        }
        break;
    case COIF_ACCUMULATE_DENOISE_INPUTS:
        if (film->denoised != NULL) {
            memcpy(values, film->denoised + 3 * pixel, 3 * sizeof *values);
        } else {
            float raw[4];
            coif_film_value(film, pixel, &film->aovs.list[0], raw);
            memcpy(values, raw, 3 * sizeof *values);
        }
        break;
    case COIF_ACCUMULATE_CRYPTOMATTE:
        rank_cryptomatte(film, pixel, sums, values);
        break;
    }
}
