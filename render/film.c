#include "render/film.h"

#include "core/arena.h"
#include "render/fast.h"

static const char *const FORMATS[] = {"png", "exr", "jpg", "tif", "bmp", "hdr", NULL};
static const char *const VIEWS[] = {"srgb", "filmic", NULL};
static const char *const FILTERS[] = {"blackman", "tent", "box", NULL};
static const char *const CURVES[] = {"round", "flat", "linear", NULL};

// clang-format off
#define ROW(field, kind, help, unit, fallback, low, high)                                          \
    COIF_ROW(coif_image_params, field, kind, help, unit, fallback, low, high)
#define CHOICE(field, text, list, fallback_)                                                       \
    {.name = #field, .help = text, .unit = "", .type = COIF_PARAM_CHOICE,                          \
     .offset = offsetof(coif_image_params, field), .fallback = {fallback_}, .choices = list}
static const coif_param ROWS[] = {
    ROW(width, COIF_PARAM_INT, "of the picture", "pixels", 960, 1, 65536),
    ROW(height, COIF_PARAM_INT, "of the picture", "pixels", 960, 1, 65536),
    ROW(samples, COIF_PARAM_INT, "paths per pixel; powers of two are spread best", "", 64, 1, 1048576),
    ROW(seed, COIF_PARAM_INT, "another number gives other noise", "", 0, 0, 2147483647),
    ROW(exposure, COIF_PARAM_FLOAT, "brightness of PNG and the like; EXR is left alone", "stops", 0, -30, 30),
    CHOICE(format, "of the picture, unless the command says another", FORMATS, 0),
    CHOICE(view, "curve of PNG and the like: srgb exact, filmic with a soft shoulder", VIEWS, 0),
    CHOICE(filter, "how samples spread around a pixel", FILTERS, 0),
    CHOICE(curves, "how strands are drawn: round, flat (quicker), linear (least memory)", CURVES, 0),
    ROW(max_depth, COIF_PARAM_INT, "scatterings per path; 0 for as many as it takes", "", 0, 0, 4096),
    ROW(clamp, COIF_PARAM_FLOAT,
        "most that one path may add after its first scattering; darkens, 0 for off", "", 0, 0, 1e9),
    ROW(min_width, COIF_PARAM_FLOAT,
        "least width of strands; thinner ones are drawn that wide and let light through, 0 for off", "pixels", 0, 0, 16),
    ROW(transparent, COIF_PARAM_BOOL, "alpha where nothing is, instead of a background", "", 0, 0, 1),
    COIF_ROW3(coif_image_params, background, COIF_PARAM_COLOR, "seen where nothing is, linear", "",
              0.035, 0.037, 0.042, 0, 1e6),
    ROW(layers, COIF_PARAM_BOOL, "albedo, normal and depth beside the picture in EXR", "", 1, 0, 1),
};
// clang-format on

const coif_section COIF_IMAGE_SECTION = {
    .name = "image",
    .help = "size, quality and file format of pictures",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
};

void coif_film_init(coif_film *film, int32_t width, int32_t height, coif_arena *arena)
{
    *film = (coif_film){
        .width = width,
        .height = height,
        .tiles_x = (width + COIF_TILE - 1) / COIF_TILE,
        .tiles_y = (height + COIF_TILE - 1) / COIF_TILE,
    };
    film->tile_count = film->tiles_x * film->tiles_y;
    film->pixels = coif_arena_new(arena, (size_t)width * (size_t)height * COIF_FILM_VALUES, float);
    film->done = coif_arena_new(arena, film->tile_count, atomic_uchar);
}

coif_tile coif_film_tile(const coif_film *film, int32_t index)
{
    const int32_t x = index % film->tiles_x * COIF_TILE, y = index / film->tiles_x * COIF_TILE;
    const int32_t right = film->width - x, down = film->height - y;
    return (coif_tile){x, y, x + (right < COIF_TILE ? right : COIF_TILE),
                       y + (down < COIF_TILE ? down : COIF_TILE)};
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
