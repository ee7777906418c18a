#include "render/film/film_block.h"

#include <string.h>

enum { MAX_SIDE = COIF_BLOCK_SIZE + 2 * COIF_FILTER_RADIUS };

// Rounds to a multiple of 2^-24. Sums of such values are exact in 53 bits up to 5e8, and so the
// same in any order of addition.
static double quantise(double value)
{
    static const double magic = 1.5 * (double)(1 << 28); // its unit in the last place is 2^-24
    return (value + magic) - magic;
}

size_t coif_film_block_scratch_size(const coif_film *film)
{
    return MAX_SIDE * MAX_SIDE * ((size_t)film->aovs.stride + 2) + (size_t)film->aovs.stride;
}

static size_t pixels_of(const coif_film_block *block)
{
    return coif_film_block_index(block, block->area.x1 + block->border - 1,
                                 block->area.y1 + block->border - 1) +
           1;
}

// Copies one row of the unfiltered AOVs, or of all without splatting.
static void copy_row(const coif_film_block *block, const coif_film *film, int32_t y, bool to_film)
{
    const size_t stride = (size_t)film->aovs.stride;
    const size_t first = block->border > 0 ? (size_t)film->aovs.sum_count : 0;
    double *own = block->sums + coif_film_block_index(block, block->area.x0, y) * stride;
    double *other = coif_film_sums(film, coif_film_index(film, block->area.x0, y));
    for (int32_t x = block->area.x0; x < block->area.x1 && first < stride; ++x) {
        memcpy((to_film ? other : own) + first, (to_film ? own : other) + first,
               (stride - first) * sizeof *own);
        own += stride;
        other += stride;
    }
}

void coif_film_block_open(coif_film_block *block, const coif_film *film, coif_rect area, bool splat,
                          double *scratch)
{
    const size_t stride = (size_t)film->aovs.stride;
    *block = (coif_film_block){.area = area,
                               .border = splat ? COIF_FILTER_RADIUS : 0,
                               .count = film->counts[coif_film_index(film, area.x0, area.y0)],
                               .sums = scratch,
                               .weights = scratch + MAX_SIDE * MAX_SIDE * stride,
                               .sample = scratch + MAX_SIDE * MAX_SIDE * (stride + 2)};
    memset(block->neighbors, true, sizeof block->neighbors);
    if (splat) {
        memset(block->sums, 0, pixels_of(block) * stride * sizeof *block->sums);
        memset(block->weights, 0, pixels_of(block) * 2 * sizeof *block->weights);
    }
    coif_film_lock(film, area);
    for (int32_t y = area.y0; y < area.y1; ++y) {
        copy_row(block, film, y, false);
    }
    coif_film_unlock(film, area);
}

// The area and its border, clipped to the film.
static coif_rect area_with_border(const coif_film_block *block, const coif_film *film)
{
    const coif_rect *area = &block->area;
    const int32_t border = block->border;
    const coif_rect grown = {area->x0 - border, area->y0 - border, area->x1 + border,
                             area->y1 + border};
    return coif_rect_intersect(grown, film->region);
}

static void add_row(const coif_film_block *block, const coif_film *film, const coif_rect *all,
                    int32_t y)
{
    const size_t stride = (size_t)film->aovs.stride;
    for (int32_t x = all->x0; x < all->x1; ++x) {
        const size_t from = coif_film_block_index(block, x, y), to = coif_film_index(film, x, y);
        const double *own = block->sums + from * stride;
        double *other = coif_film_sums(film, to);
        for (int32_t i = 0; i < film->aovs.sum_count; ++i) {
            other[i] += own[i];
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
        if (block->border == 0 && film->weights != NULL) {
            film->weights[2 * to] = film->weights[2 * to + 1] = block->count;
        }
    }
}

void coif_film_block_close(const coif_film_block *block, const coif_film *film)
{
    const coif_rect all = area_with_border(block, film);
    coif_film_lock(film, all);
    for (int32_t y = block->area.y0; y < block->area.y1; ++y) {
        copy_row(block, film, y, true);
        count_row(block, film, y);
    }
    for (int32_t y = all.y0; y < all.y1 && block->border > 0; ++y) {
        add_row(block, film, &all, y);
    }
    coif_film_unlock(film, all);
}

// 0, 1 or 2: before, inside or after the range [from, to).
static int32_t side_of(int32_t x, int32_t from, int32_t to)
{
    return x < from ? 0 : x < to ? 1 : 2;
}

// Filter values at a sample, of the pixels that are sampled; returns their sum.
static double filter_values(const coif_film_block *block, const coif_filter_weights *weights_x,
                            const coif_filter_weights *weights_y,
                            double values[COIF_FILTER_TAPS][COIF_FILTER_TAPS])
{
    const coif_rect *area = &block->area;
    double sum = 0.0;
    for (int32_t j = 0; j < COIF_FILTER_TAPS; ++j) {
        const bool *row = block->neighbors[side_of(weights_y->first + j, area->y0, area->y1)];
        for (int32_t i = 0; i < COIF_FILTER_TAPS; ++i) {
            const bool sampled = row[side_of(weights_x->first + i, area->x0, area->x1)];
            values[j][i] =
                sampled ? (double)weights_x->values[i] * (double)weights_y->values[j] : 0.0;
            sum += values[j][i];
        }
    }
    return sum;
}

static void add_weighted(const coif_film_block *block, const coif_film *film, size_t to,
                         double weight)
{
    double *sums = block->sums + to * (size_t)film->aovs.stride;
    for (int32_t c = 0; c < film->aovs.sum_count; ++c) {
        sums[c] += quantise(weight * block->sample[c]);
    }
    block->weights[2 * to] += weight;
    block->weights[2 * to + 1] += quantise(weight * weight);
}

void coif_film_block_splat(const coif_film_block *block, const coif_film *film,
                           const coif_filter_weights *weights_x,
                           const coif_filter_weights *weights_y)
{
    const coif_rect *area = &block->area;
    const int32_t border = block->border;
    double values[COIF_FILTER_TAPS][COIF_FILTER_TAPS];
    const double sum = filter_values(block, weights_x, weights_y, values);
    for (int32_t j = 0; j < COIF_FILTER_TAPS && sum > 0.0; ++j) {
        for (int32_t i = 0; i < COIF_FILTER_TAPS; ++i) {
            const int32_t x = weights_x->first + i, y = weights_y->first + j;
            const double weight = quantise(values[j][i] / sum);
            // A sample at the edge of its filter can lie outside by a rounding error.
            if (weight > 0.0 && x >= area->x0 - border && x < area->x1 + border &&
                y >= area->y0 - border && y < area->y1 + border) {
                add_weighted(block, film, coif_film_block_index(block, x, y), weight);
            }
        }
    }
}
