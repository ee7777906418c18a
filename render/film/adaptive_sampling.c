#include "render/film/adaptive_sampling.h"

#include "core/base/arena.h"

void coif_adaptive_state_init(coif_adaptive_state *refinement, const coif_film *film,
                              coif_arena *arena)
{
    const coif_rect *region = &film->region;
    const int32_t x0 = region->x0 / COIF_BLOCK_SIZE, y0 = region->y0 / COIF_BLOCK_SIZE;
    *refinement = (coif_adaptive_state){.x0 = x0,
                                        .y0 = y0,
                                        .blocks_x = (region->x1 - 1) / COIF_BLOCK_SIZE - x0 + 1,
                                        .blocks_y = (region->y1 - 1) / COIF_BLOCK_SIZE - y0 + 1};
    refinement->needs_samples =
        coif_arena_new(arena, refinement->blocks_x * refinement->blocks_y, bool);
}

int32_t coif_adaptive_next_check(const coif_image_params *image, int32_t count)
{
    int32_t look = image->noise > 0.0f ? image->min_samples : image->samples;
    while (look <= count && look < image->samples) {
        look *= 2;
    }
    return look < image->samples ? look : image->samples;
}

static double brightness(const double *c)
{
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

// The mean over the square of variance / (brightness^2 + 0.01) is at most noise^2. Where alpha is
// wanted its variance is added, which is at most a (1 - a): black hair has noise nowhere else. The
// noise of a half shadow is nowhere in these sums: a square with one is never good enough.
static bool good_enough(const coif_film *film, const coif_image_params *image, coif_rect area)
{
    const double n = film->counts[coif_film_index(film, area.x0, area.y0)];
    const double share =
        film->weights != NULL
            ? (double)coif_pixel_filter_variance_scale((coif_pixel_filter_kind)image->filter)
            : 1.0;
    double sum = 0.0;
    for (int32_t y = area.y0; y < area.y1; ++y) {
        for (int32_t x = area.x0; x < area.x1; ++x) {
            const double *own = coif_film_sums(film, coif_film_index(film, x, y)) +
                                film->aovs.place[COIF_AOV_VARIANCE];
            const double mean = brightness(own + COIF_SUM_COLOR) / n,
                         alpha = own[COIF_SUM_ALPHA] / n;
            const double spread = own[COIF_SUM_LUMINANCE2] / n - mean * mean;
            sum += (spread > 0.0 ? spread : 0.0) / ((n - 1.0) * (mean * mean + 0.01));
            sum += alpha * (1.0 - alpha) / (n - 1.0);
            if (own[COIF_SUM_SHADED] > 0.0) {
                return false;
            }
        }
    }
    const double pixels = (double)(area.x1 - area.x0) * (double)(area.y1 - area.y0);
    return share * sum <= (double)image->noise * (double)image->noise * pixels;
}

void coif_adaptive_state_update(coif_adaptive_state *refinement, const coif_film *film,
                                const coif_image_params *image, int32_t look)
{
    for (int32_t i = 0; i < refinement->blocks_x * refinement->blocks_y; ++i) {
        const int32_t x = (refinement->x0 + i % refinement->blocks_x) * COIF_BLOCK_SIZE;
        const int32_t y = (refinement->y0 + i / refinement->blocks_x) * COIF_BLOCK_SIZE;
        const coif_rect area = coif_rect_intersect(
            (coif_rect){x, y, x + COIF_BLOCK_SIZE, y + COIF_BLOCK_SIZE}, film->region);
        const int32_t count = film->counts[coif_film_index(film, area.x0, area.y0)];
        refinement->needs_samples[i] =
            look == 0 || count > look || (count == look && !good_enough(film, image, area));
    }
}

bool coif_adaptive_state_needs_samples(const coif_adaptive_state *refinement, const coif_film *film,
                                       int32_t x, int32_t y)
{
    const coif_rect *region = &film->region;
    if (x < 0 || y < 0 || x >= film->width || y >= film->height) {
        return false;
    }
    if (x < region->x0 || y < region->y0 || x >= region->x1 || y >= region->y1) {
        return true;
    }
    return refinement->needs_samples[(y / COIF_BLOCK_SIZE - refinement->y0) * refinement->blocks_x +
                                     x / COIF_BLOCK_SIZE - refinement->x0];
}
