#include "render/film/film_block.h"

#include <string.h>

enum { MOST_SIDE = COIF_BLOCK_SIZE + 2 * COIF_FILTER_RADIUS };

// Sums of a film that shares are multiples of 2^-24: exact in 53 bits up to 5e8, and so the same
// in whatever order they are made.
static double in_grains(double value)
{
    static const double magic = 1.5 * (double)(1 << 28); // its last bit is worth one grain
    return (value + magic) - magic;
}

size_t coif_film_block_scratch_size(const coif_film *film)
{
    return MOST_SIDE * MOST_SIDE * ((size_t)film->aovs.stride + 2) + (size_t)film->aovs.stride;
}

static size_t pixels_of(const coif_film_block *block)
{
    return coif_film_block_index(block, block->area.x1 + block->reach - 1,
                                 block->area.y1 + block->reach - 1) +
           1;
}

// The layers that keep to own samples, or all where nothing is shared, of one row.
static void lend_row(const coif_film_block *block, const coif_film *film, int32_t y, bool to_film)
{
    const size_t stride = (size_t)film->aovs.stride;
    const size_t first = block->reach > 0 ? (size_t)film->aovs.sum_count : 0;
    double *here = block->sums + coif_film_block_index(block, block->area.x0, y) * stride;
    double *there = coif_film_sums(film, coif_film_index(film, block->area.x0, y));
    for (int32_t x = block->area.x0; x < block->area.x1 && first < stride; ++x) {
        memcpy((to_film ? there : here) + first, (to_film ? here : there) + first,
               (stride - first) * sizeof *here);
        here += stride;
        there += stride;
    }
}

void coif_film_block_open(coif_film_block *block, const coif_film *film, coif_rect area,
                          bool shares, double *room)
{
    const size_t stride = (size_t)film->aovs.stride;
    *block = (coif_film_block){.area = area,
                               .reach = shares ? COIF_FILTER_RADIUS : 0,
                               .count = film->counts[coif_film_index(film, area.x0, area.y0)],
                               .sums = room,
                               .weights = room + MOST_SIDE * MOST_SIDE * stride,
                               .sample = room + MOST_SIDE * MOST_SIDE * (stride + 2)};
    memset(block->around, true, sizeof block->around);
    if (shares) {
        memset(block->sums, 0, pixels_of(block) * stride * sizeof *block->sums);
        memset(block->weights, 0, pixels_of(block) * 2 * sizeof *block->weights);
    }
    coif_film_lock(film, area);
    for (int32_t y = area.y0; y < area.y1; ++y) {
        lend_row(block, film, y, false);
    }
    coif_film_unlock(film, area);
}

// The area and what is in reach of it on the film.
static coif_rect covered(const coif_film_block *block, const coif_film *film)
{
    const coif_rect *area = &block->area;
    const int32_t reach = block->reach;
    const coif_rect grown = {area->x0 - reach, area->y0 - reach, area->x1 + reach,
                             area->y1 + reach};
    return coif_rect_intersect(grown, film->region);
}

static void add_row(const coif_film_block *block, const coif_film *film, const coif_rect *all,
                    int32_t y)
{
    const size_t stride = (size_t)film->aovs.stride;
    for (int32_t x = all->x0; x < all->x1; ++x) {
        const size_t from = coif_film_block_index(block, x, y), to = coif_film_index(film, x, y);
        const double *here = block->sums + from * stride;
        double *there = coif_film_sums(film, to);
        for (int32_t i = 0; i < film->aovs.sum_count; ++i) {
            there[i] += here[i];
        }
        film->weights[2 * to] += block->weights[2 * from];
        film->weights[2 * to + 1] += block->weights[2 * from + 1];
    }
}

static void count_row(const coif_film_block *block, const coif_film *film, int32_t y)
{
    for (int32_t x = block->area.x0; x < block->area.x1; ++x) {
        const size_t to = coif_film_index(film, x, y);
        film->counts[to] = block->count;
        if (block->reach == 0 && film->weights != NULL) {
            film->weights[2 * to] = film->weights[2 * to + 1] = block->count;
        }
    }
}

void coif_film_block_close(const coif_film_block *block, const coif_film *film)
{
    const coif_rect all = covered(block, film);
    coif_film_lock(film, all);
    for (int32_t y = block->area.y0; y < block->area.y1; ++y) {
        lend_row(block, film, y, true);
        count_row(block, film, y);
    }
    for (int32_t y = all.y0; y < all.y1 && block->reach > 0; ++y) {
        add_row(block, film, &all, y);
    }
    coif_film_unlock(film, all);
}

// 0, 1 or 2: before a stretch of pixels, in it, behind it.
static int32_t side_of(int32_t x, int32_t from, int32_t to)
{
    return x < from ? 0 : x < to ? 1 : 2;
}

// Filters over a place, of pixels that get samples; their sum.
static double find_heights(const coif_film_block *block, const coif_filter_weights *across,
                           const coif_filter_weights *down,
                           double heights[COIF_FILTER_TAPS][COIF_FILTER_TAPS])
{
    const coif_rect *area = &block->area;
    double sum = 0.0;
    for (int32_t j = 0; j < COIF_FILTER_TAPS; ++j) {
        const bool *row = block->around[side_of(down->first + j, area->y0, area->y1)];
        for (int32_t i = 0; i < COIF_FILTER_TAPS; ++i) {
            const bool open = row[side_of(across->first + i, area->x0, area->x1)];
            heights[j][i] = open ? (double)across->heights[i] * (double)down->heights[j] : 0.0;
            sum += heights[j][i];
        }
    }
    return sum;
}

static void add_share(const coif_film_block *block, const coif_film *film, size_t to, double weight)
{
    double *sums = block->sums + to * (size_t)film->aovs.stride;
    for (int32_t c = 0; c < film->aovs.sum_count; ++c) {
        sums[c] += in_grains(weight * block->sample[c]);
    }
    block->weights[2 * to] += weight;
    block->weights[2 * to + 1] += in_grains(weight * weight);
}

void coif_film_block_splat(const coif_film_block *block, const coif_film *film,
                           const coif_filter_weights *across, const coif_filter_weights *down)
{
    const coif_rect *area = &block->area;
    const int32_t reach = block->reach;
    double heights[COIF_FILTER_TAPS][COIF_FILTER_TAPS];
    const double sum = find_heights(block, across, down, heights);
    for (int32_t j = 0; j < COIF_FILTER_TAPS && sum > 0.0; ++j) {
        for (int32_t i = 0; i < COIF_FILTER_TAPS; ++i) {
            const int32_t x = across->first + i, y = down->first + j;
            const double weight = in_grains(heights[j][i] / sum);
            // A sample on the very border of its filter can lie a rounding error beyond it.
            if (weight > 0.0 && x >= area->x0 - reach && x < area->x1 + reach &&
                y >= area->y0 - reach && y < area->y1 + reach) {
                add_share(block, film, coif_film_block_index(block, x, y), weight);
            }
        }
    }
}
