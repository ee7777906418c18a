#include "render/film/film.h"

#include "core/base/arena.h"
#include "render/film/cryptomatte.h"
#include "render/math/fast_math.h"

#include <string.h>

static int32_t tiles_over(int32_t from, int32_t to)
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
    film->tiles_x = tiles_over(region->x0, region->x1);
    film->tiles_y = tiles_over(region->y0, region->y1);
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
}

void coif_film_clear(coif_film *film)
{
    const size_t pixels = coif_film_index(film, film->region.x1 - 1, film->region.y1 - 1) + 1;
    memset(film->sums, 0, pixels * (size_t)film->aovs.stride * sizeof *film->sums);
    memset(film->counts, 0, pixels * sizeof *film->counts);
    if (film->weights != NULL) {
        memset(film->weights, 0, 2 * pixels * sizeof *film->weights);
    }
}

bool coif_film_can_splat(const coif_image_params *image)
{
    return image->share != 0 && image->filter != COIF_FILTER_BOX;
}

coif_rect coif_film_tile(const coif_film *film, int32_t index)
{
    const coif_rect *region = &film->region;
    const int32_t x = (region->x0 / COIF_TILE_SIZE + index % film->tiles_x) * COIF_TILE_SIZE;
    const int32_t y = (region->y0 / COIF_TILE_SIZE + index / film->tiles_x) * COIF_TILE_SIZE;
    return coif_rect_intersect((coif_rect){x, y, x + COIF_TILE_SIZE, y + COIF_TILE_SIZE}, *region);
}

// Tiles by rows and columns of tiles: [x0, x1) by [y0, y1).
static coif_rect tiles_under(const coif_film *film, coif_rect area)
{
    const int32_t x = film->region.x0 / COIF_TILE_SIZE, y = film->region.y0 / COIF_TILE_SIZE;
    const coif_rect here = coif_rect_intersect(area, film->region);
    return (coif_rect){here.x0 / COIF_TILE_SIZE - x, here.y0 / COIF_TILE_SIZE - y,
                       (here.x1 - 1) / COIF_TILE_SIZE - x + 1,
                       (here.y1 - 1) / COIF_TILE_SIZE - y + 1};
}

// Held for a copy of a few kilobytes, so nobody waits long. Always in the same order, so nobody
// waits forever.
void coif_film_lock(const coif_film *film, coif_rect area)
{
    const coif_rect under = tiles_under(film, area);
    for (int32_t y = under.y0; y < under.y1; ++y) {
        for (int32_t x = under.x0; x < under.x1; ++x) {
            atomic_flag *busy = &film->tile_locks[y * film->tiles_x + x];
            while (atomic_flag_test_and_set_explicit(busy, memory_order_acquire)) {
            }
        }
    }
}

void coif_film_unlock(const coif_film *film, coif_rect area)
{
    const coif_rect under = tiles_under(film, area);
    for (int32_t y = under.y0; y < under.y1; ++y) {
        for (int32_t x = under.x0; x < under.x1; ++x) {
            atomic_flag_clear_explicit(&film->tile_locks[y * film->tiles_x + x],
                                       memory_order_release);
        }
    }
}

// Variance of the mean from the sums of values and of squares of the pixel's own samples. Those
// that it shares scatter as its own, and the less the more of them there are.
static float variance_of(const coif_film *film, size_t pixel, double sum, double squares)
{
    const double n = film->counts[pixel];
    if (n < 2.0) {
        return 0.0f;
    }
    const double mean = sum / n, spread = (squares / n - mean * mean) * n / (n - 1.0);
    const double *weights = film->weights != NULL ? film->weights + 2 * pixel : NULL;
    const double share = weights != NULL ? weights[1] / (weights[0] * weights[0]) : 1.0 / n;
    return spread > 0.0 ? (float)(spread * share) : 0.0f;
}

// How much of the light that a shadow catcher would have got arrived, by colour.
static void caught_shares(const double *caught, double shares[3])
{
    for (int c = 0; c < 3; ++c) {
        shares[c] = caught[3 + c] > 0.0 ? caught[c] / caught[3 + c] : 1.0;
    }
}

// In the picture a shadow is alpha over what is behind the catcher, and that when it belongs to the
// picture is there as well.
static void add_caught(const coif_film *film, const double *all, double n, const coif_aov *aov,
                       float *values)
{
    const int32_t place = film->aovs.place[COIF_AOV_SHADOW_CATCHER];
    const bool background =
        aov->kind == COIF_AOV_BACKGROUND || (aov->kind == COIF_AOV_LIGHT && aov->group == 0);
    if (place < 0 || !(n > 0.0) || !(all[place + 9] > 0.0) ||
        !(background || aov->kind == COIF_AOV_BEAUTY)) {
        return;
    }
    double shares[3];
    caught_shares(all + place, shares);
    for (int c = 0; c < 3; ++c) {
        values[c] += (float)(shares[c] * all[place + 6 + c] / n);
    }
    if (aov->kind == COIF_AOV_BEAUTY) {
        const double lit = 0.2126 * shares[0] + 0.7152 * shares[1] + 0.0722 * shares[2];
        values[3] = coif_min(1.0f, values[3] + (float)((1.0 - lit) * all[place + 9] / n));
    }
}

// Names are those of the pixel's own samples. Where it shares others', mattes of hair and of bodies
// cover as much together as hair and bodies do in the picture.
static void sort_names(const coif_film *film, size_t pixel, const double *sums, float *values)
{
    const double n = film->counts[pixel], *own = coif_cryptomatte_coverage(sums);
    double scales[2] = {n > 0.0 ? 1.0 / n : 0.0, n > 0.0 ? 1.0 / n : 0.0};
    const double *mask = coif_film_sums(film, pixel) + film->aovs.place[COIF_AOV_MASK];
    for (int i = 0; i < 2 && film->weights != NULL; ++i) {
        scales[i] = own[i] > 0.0 ? mask[i] / (own[i] * coif_film_weight(film, pixel)) : 0.0;
    }
    coif_cryptomatte_sort(sums, scales, values);
}

void coif_film_value(const coif_film *film, size_t pixel, const coif_aov *aov, float *values)
{
    const double *all = coif_film_sums(film, pixel), *sums = all + aov->place;
    const double n = coif_film_weight(film, pixel);
    for (int32_t c = 0; c < aov->channel_count; ++c) {
        values[c] = 0.0f;
    }
    switch (aov->gather) {
    case COIF_ACCUMULATE_MEAN:
        for (int32_t c = 0; c < aov->channel_count && n > 0.0; ++c) {
            values[c] = (float)(sums[c] / n);
        }
        add_caught(film, all, n, aov, values);
        break;
    case COIF_ACCUMULATE_SHADOW_CATCHER: {
        double shares[3];
        caught_shares(sums, shares);
        for (int32_t c = 0; c < 3 && n > 0.0; ++c) {
            values[c] = (float)(1.0 - (1.0 - shares[c]) * sums[9] / n);
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
        sort_names(film, pixel, sums, values);
        break;
    }
}
