#include "render/film/adaptive_sampling.h"

#include "core/base/arena.h"

void coif_adaptive_state_init(coif_adaptive_state *state, const coif_film *film, coif_arena *arena)
{
    const coif_rect *region = &film->region;
    const int32_t x0 = region->x0 / COIF_BLOCK_SIZE, y0 = region->y0 / COIF_BLOCK_SIZE;
    *state = (coif_adaptive_state){.x0 = x0,
                                   .y0 = y0,
                                   .blocks_x = (region->x1 - 1) / COIF_BLOCK_SIZE - x0 + 1,
                                   .blocks_y = (region->y1 - 1) / COIF_BLOCK_SIZE - y0 + 1};
    state->needs_samples = coif_arena_new(arena, state->blocks_x * state->blocks_y, bool);
}

int32_t coif_adaptive_next_check(const coif_sampling_params *sampling, int32_t count)
{
    int32_t check =
        sampling->adaptive_threshold > 0.0f ? sampling->adaptive_min_samples : sampling->samples;
    while (check <= count && check < sampling->samples) {
        check *= 2;
    }
    return check < sampling->samples ? check : sampling->samples;
}

static double luminance(const double *c)
{
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

// Mean over the block of variance / (luminance^2 + 0.01) <= threshold^2. The variance of alpha, at
// most a (1 - a), is added: black hair has noise nowhere else. The noise of a soft shadow on a
// shadow catcher is in none of these sums, so a block with one never converges early.
static bool block_converged(const coif_film *film, const coif_sampling_params *sampling,
                            coif_rect area)
{
    const double n = film->counts[coif_film_index(film, area.x0, area.y0)];
    const double variance_scale =
        film->weights != NULL ? (double)coif_pixel_filter_variance_scale(sampling->filter) : 1.0;
    double sum = 0.0;
    for (int32_t y = area.y0; y < area.y1; ++y) {
        for (int32_t x = area.x0; x < area.x1; ++x) {
            const double *own = coif_film_sums(film, coif_film_index(film, x, y)) +
                                film->aovs.offset[COIF_AOV_VARIANCE];
            const double mean = luminance(own + COIF_SUM_COLOR) / n,
                         alpha = own[COIF_SUM_ALPHA] / n;
            const double variance = own[COIF_SUM_LUMINANCE2] / n - mean * mean;
            sum += (variance > 0.0 ? variance : 0.0) / ((n - 1.0) * (mean * mean + 0.01));
            sum += alpha * (1.0 - alpha) / (n - 1.0);
            if (own[COIF_SUM_SHADED] > 0.0) {
                return false;
            }
        }
    }
    const double pixels = (double)(area.x1 - area.x0) * (double)(area.y1 - area.y0);
    return variance_scale * sum <=
           (double)sampling->adaptive_threshold * (double)sampling->adaptive_threshold * pixels;
}

void coif_adaptive_state_update(coif_adaptive_state *state, const coif_film *film,
                                const coif_sampling_params *sampling, int32_t check)
{
    for (int32_t i = 0; i < state->blocks_x * state->blocks_y; ++i) {
        const int32_t x = (state->x0 + i % state->blocks_x) * COIF_BLOCK_SIZE;
        const int32_t y = (state->y0 + i / state->blocks_x) * COIF_BLOCK_SIZE;
        const coif_rect area = coif_rect_intersect(
            (coif_rect){x, y, x + COIF_BLOCK_SIZE, y + COIF_BLOCK_SIZE}, film->region);
        const int32_t count = film->counts[coif_film_index(film, area.x0, area.y0)];
        state->needs_samples[i] = check == 0 || count > check ||
                                  (count == check && !block_converged(film, sampling, area));
    }
}

bool coif_adaptive_state_needs_samples(const coif_adaptive_state *state, const coif_film *film,
                                       int32_t x, int32_t y)
{
    const coif_rect *region = &film->region;
    if (x < 0 || y < 0 || x >= film->width || y >= film->height) {
        return false;
    }
    if (x < region->x0 || y < region->y0 || x >= region->x1 || y >= region->y1) {
        return true;
    }
    return state->needs_samples[(y / COIF_BLOCK_SIZE - state->y0) * state->blocks_x +
                                x / COIF_BLOCK_SIZE - state->x0];
}
