#include "render/film.h"

#include "core/arena.h"
#include "render/crypto.h"
#include "render/fast.h"

#include <string.h>

static int32_t tiles_over(int32_t from, int32_t to)
{
    return (to + COIF_TILE - 1) / COIF_TILE - from / COIF_TILE;
}

void coif_film_init(coif_film *film, const coif_film_desc *desc, coif_arena *arena)
{
    *film = (coif_film){.width = desc->width, .height = desc->height, .region = desc->region};
    if (desc->region.x1 <= desc->region.x0) {
        film->region = (coif_tile){0, 0, desc->width, desc->height};
    }
    if (desc->aovs != NULL) {
        film->aovs = *desc->aovs;
    } else {
        coif_aovs_none(&film->aovs);
    }
    const coif_tile *region = &film->region;
    film->tiles_x = tiles_over(region->x0, region->x1);
    film->tiles_y = tiles_over(region->y0, region->y1);
    film->tile_count = film->tiles_x * film->tiles_y;
    const size_t pixels = (size_t)(region->x1 - region->x0) * (size_t)(region->y1 - region->y0);
    film->sums = coif_arena_new(arena, pixels * (size_t)film->aovs.stride, double);
    film->counts = coif_arena_new(arena, pixels, int32_t);
    film->busy = coif_arena_new(arena, film->tile_count, atomic_flag);
    for (int32_t i = 0; i < film->tile_count; ++i) {
        atomic_flag_clear(&film->busy[i]);
    }
}

void coif_film_clear(coif_film *film)
{
    const size_t pixels = coif_film_index(film, film->region.x1 - 1, film->region.y1 - 1) + 1;
    memset(film->sums, 0, pixels * (size_t)film->aovs.stride * sizeof *film->sums);
    memset(film->counts, 0, pixels * sizeof *film->counts);
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

coif_tile coif_film_tile(const coif_film *film, int32_t index)
{
    const coif_tile *region = &film->region;
    const int32_t x = (region->x0 / COIF_TILE + index % film->tiles_x) * COIF_TILE;
    const int32_t y = (region->y0 / COIF_TILE + index / film->tiles_x) * COIF_TILE;
    return (coif_tile){most(x, region->x0), most(y, region->y0), least(x + COIF_TILE, region->x1),
                       least(y + COIF_TILE, region->y1)};
}

// Held for a copy of a few kilobytes, so nobody waits long.
void coif_film_hold(const coif_film *film, int32_t tile)
{
    while (atomic_flag_test_and_set_explicit(&film->busy[tile], memory_order_acquire)) {
    }
}

void coif_film_release(const coif_film *film, int32_t tile)
{
    atomic_flag_clear_explicit(&film->busy[tile], memory_order_release);
}

// Variance of the mean of n samples from the sums of values and of squares.
static float variance_of(double sum, double squares, int32_t n)
{
    if (n < 2) {
        return 0.0f;
    }
    const double mean = sum / n, spread = squares / n - mean * mean;
    return spread > 0.0 ? (float)(spread / (n - 1)) : 0.0f;
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
static void add_caught(const coif_film *film, const double *all, int32_t n, const coif_aov *aov,
                       float *values)
{
    const int32_t place = film->aovs.place[COIF_AOV_CATCHER];
    const bool background =
        aov->kind == COIF_AOV_BACKGROUND || (aov->kind == COIF_AOV_LIGHT && aov->group == 0);
    if (place < 0 || n == 0 || !(all[place + 9] > 0.0) ||
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

void coif_film_value(const coif_film *film, size_t pixel, const coif_aov *aov, float *values)
{
    const double *all = coif_film_sums(film, pixel), *sums = all + aov->place;
    const int32_t n = film->counts[pixel];
    for (int32_t c = 0; c < aov->channel_count; ++c) {
        values[c] = 0.0f;
    }
    switch (aov->gather) {
    case COIF_GATHER_MEAN:
        for (int32_t c = 0; c < aov->channel_count && n > 0; ++c) {
            values[c] = (float)(sums[c] / n);
        }
        add_caught(film, all, n, aov, values);
        break;
    case COIF_GATHER_CATCHER: {
        double shares[3];
        caught_shares(sums, shares);
        for (int32_t c = 0; c < 3 && n > 0; ++c) {
            values[c] = (float)(1.0 - (1.0 - shares[c]) * sums[9] / n);
        }
        break;
    }
    case COIF_GATHER_NEAREST:
        for (int32_t c = 0; c < aov->channel_count; ++c) {
            values[c] = (float)sums[c];
        }
        break;
    case COIF_GATHER_COUNT:
        values[0] = (float)n;
        break;
    case COIF_GATHER_VARIANCE:
        for (int32_t c = 0; c < 3; ++c) {
            values[c] = variance_of(all[c], sums[c], n);
        }
        break;
    case COIF_GATHER_DENOISED:
        if (film->denoised != NULL) {
            memcpy(values, film->denoised + 3 * pixel, 3 * sizeof *values);
        } else {
            float raw[4];
            coif_film_value(film, pixel, &film->aovs.list[0], raw);
            memcpy(values, raw, 3 * sizeof *values);
        }
        break;
    case COIF_GATHER_RANKED:
        coif_ranks_sort(sums, n, values);
        break;
    }
}

// Blackman-Harris over +-1.5 pixels: cumulative shares by their closed form, inverted by bisection.
static float blackman_cumulative(float x)
{
    static const float a[4] = {0.35875f, 0.48829f, 0.14128f, 0.01168f};
    const float t = x * (1.0f / 3.0f) + 0.5f; // 0 to 1 over the width
    float sum = a[0] * t;
    for (int k = 1; k < 4; ++k) {
        float sine, cosine;
        coif_fast_turn((float)k * t, &sine, &cosine);
        sum += (k & 1 ? -1.0f : 1.0f) * a[k] * sine / ((float)k * COIF_TWO_PI);
    }
    return sum / a[0];
}

static float invert_blackman(float u)
{
    float low = -1.5f, high = 1.5f;
    for (int i = 0; i < 24; ++i) {
        const float middle = 0.5f * (low + high);
        if (blackman_cumulative(middle) < u) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5f * (low + high);
}

static float invert_filter(coif_filter_kind kind, float u)
{
    switch (kind) {
    case COIF_FILTER_BLACKMAN:
        return invert_blackman(u);
    case COIF_FILTER_TENT:
        return u < 0.5f ? sqrtf(2.0f * u) - 1.0f : 1.0f - sqrtf(2.0f - 2.0f * u);
    default:
        return u - 0.5f;
    }
}

void coif_filter_init(coif_filter *filter, coif_filter_kind kind)
{
    for (int i = 0; i <= COIF_FILTER_STEPS; ++i) {
        filter->places[i] = invert_filter(kind, (float)i / COIF_FILTER_STEPS);
    }
}
