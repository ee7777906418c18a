#include "render/lights/environment.h"

#include "core/base/arena.h"
#include "render/math/fast_math.h"

static const float EVEN_PDF = 1.0f / (4.0f * COIF_PI);

static float brightness(coif_vec3 c)
{
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

static coif_vec3 pixel_at(const coif_image *image, int32_t x, int32_t y)
{
    const float *p = image->pixels +
                     ((size_t)y * (size_t)image->width + (size_t)x) * (size_t)image->channel_count;
    return image->channel_count < 3 ? (coif_vec3){p[0], p[0], p[0]} : (coif_vec3){p[0], p[1], p[2]};
}

// Running sums in double, so that the last bits of a large picture still count.
static double fill_row(float *columns, const coif_image *image, int32_t y)
{
    double sum = 0.0;
    for (int32_t x = 0; x < image->width; ++x) {
        const float here = brightness(pixel_at(image, x, y));
        sum += here > 0.0f && isfinite(here) ? here : 0.0;
        columns[x + 1] = (float)sum;
    }
    for (int32_t x = 1; x <= image->width; ++x) {
        columns[x] = sum > 0.0 ? (float)(columns[x] / sum) : (float)x / (float)image->width;
    }
    return sum / image->width;
}

// For every share k / count of a table: the step in which it lies, to begin a search with (Chen and
// Asau 1974). Finding a place then takes a step or two, not one for every bit.
static void fill_guide(uint16_t *guide, const float *table, int32_t count)
{
    int32_t step = 0;
    for (int32_t k = 0; k < count; ++k) {
        while (step + 1 < count && table[step + 1] <= (float)k / (float)count) {
            ++step;
        }
        guide[k] = (uint16_t)step;
    }
}

static void fill_guides(coif_environment *environment, coif_arena *arena)
{
    const coif_image *image = &environment->texture->image;
    const size_t width = (size_t)image->width;
    environment->row_guide = coif_arena_new(arena, image->height, uint16_t);
    environment->column_guides = coif_arena_new(arena, width * (size_t)image->height, uint16_t);
    fill_guide(environment->row_guide, environment->rows, image->height);
    for (int32_t y = 0; y < image->height; ++y) {
        fill_guide(environment->column_guides + width * (size_t)y,
                   environment->columns + (width + 1) * (size_t)y, image->width);
    }
}

static void fill_tables(coif_environment *environment, coif_arena *arena)
{
    const coif_image *image = &environment->texture->image;
    const size_t stride = (size_t)image->width + 1;
    environment->rows = coif_arena_new(arena, image->height + 1, float);
    environment->columns = coif_arena_new(arena, stride * (size_t)image->height, float);
    double sum = 0.0;
    for (int32_t y = 0; y < image->height; ++y) {
        float sine, cosine;
        coif_fast_sincos_turns(0.5f * ((float)y + 0.5f) / (float)image->height, &sine, &cosine);
        sum += sine * fill_row(environment->columns + stride * (size_t)y, image, y);
        environment->rows[y + 1] = (float)sum;
    }
    environment->average *= (float)(sum * 0.5 * 3.141592653589793 / image->height);
    for (int32_t y = 1; y <= image->height; ++y) {
        environment->rows[y] =
            sum > 0.0 ? (float)(environment->rows[y] / sum) : (float)y / (float)image->height;
    }
}

// The mean direction, weighed by brightness. Left to right as in coif_environment_sample.
static coif_vec3 lean_of(const coif_environment *environment)
{
    const coif_image *image = &environment->texture->image;
    const size_t stride = (size_t)image->width + 1;
    double x = 0.0, y = 0.0, z = 0.0;
    for (int32_t j = 0; j < image->height; ++j) {
        const float *columns = environment->columns + stride * (size_t)j;
        double along = 0.0, aside = 0.0;
        for (int32_t i = 0; i < image->width; ++i) {
            float sine, cosine;
            coif_fast_sincos_turns(
                ((float)i + 0.5f) / (float)image->width - 0.5f + environment->turn, &sine, &cosine);
            aside += (double)(columns[i + 1] - columns[i]) * (double)sine;
            along += (double)(columns[i + 1] - columns[i]) * (double)cosine;
        }
        float sine, cosine;
        coif_fast_sincos_turns(0.5f * ((float)j + 0.5f) / (float)image->height, &sine, &cosine);
        const double share = (double)(environment->rows[j + 1] - environment->rows[j]);
        x += share * (double)sine * aside;
        y += share * (double)cosine;
        z -= share * (double)sine * along;
    }
    return (coif_vec3){(float)x, (float)y, (float)z};
}

void coif_environment_init(coif_environment *environment, coif_vec3 tint,
                           const coif_image_texture *texture, float turn, coif_arena *arena)
{
    *environment = (coif_environment){
        .tint = tint, .texture = texture, .turn = turn, .average = brightness(tint)};
    if (texture != NULL) {
        fill_tables(environment, arena);
        fill_guides(environment, arena);
        environment->lean = lean_of(environment);
    }
}

// Shares of the picture's width and height, from the left and from the top.
static coif_vec2 place_of(const coif_environment *environment, coif_vec3 d)
{
    const float across = sqrtf(d.x * d.x + d.z * d.z);
    float u = coif_fast_atan2(d.x, -d.z) * (1.0f / COIF_TWO_PI) + 0.5f - environment->turn;
    u -= floorf(u);
    return (coif_vec2){u, coif_fast_atan2(across, d.y) * COIF_INV_PI};
}

// Bilinear; the picture closes round the upward axis and ends at the poles.
static coif_vec3 picture_at(const coif_image *image, coif_vec2 place)
{
    const float x = place.x * (float)image->width - 0.5f;
    const float y =
        coif_clamp(place.y * (float)image->height - 0.5f, 0.0f, (float)(image->height - 1));
    const float left = floorf(x), top = floorf(y);
    const int32_t x0 = left < 0.0f ? image->width - 1 : (int32_t)left % image->width;
    const int32_t x1 = x0 + 1 < image->width ? x0 + 1 : 0;
    const int32_t y0 = (int32_t)top, y1 = y0 + 1 < image->height ? y0 + 1 : y0;
    return coif_lerp(coif_lerp(pixel_at(image, x0, y0), pixel_at(image, x1, y0), x - left),
                     coif_lerp(pixel_at(image, x0, y1), pixel_at(image, x1, y1), x - left),
                     y - top);
}

coif_vec3 coif_environment_eval(const coif_environment *environment, coif_vec3 direction)
{
    if (environment->texture == NULL) {
        return environment->tint;
    }
    const coif_vec2 place = place_of(environment, direction);
    return coif_mul(environment->tint, picture_at(&environment->texture->image, place));
}

// The last index i < count with table[i] <= u.
static int32_t find_step(const float *table, const uint16_t *guide, int32_t count, float u)
{
    int32_t i = guide[(int32_t)coif_min(u * (float)count, (float)count - 1.0f)];
    while (i > 0 && table[i] > u) { // where rounding led a step too far
        --i;
    }
    while (i + 1 < count && table[i + 1] <= u) {
        ++i;
    }
    return i;
}

// Per solid angle, from the shares of a pixel: density over the unit square by 2 pi^2 sin(theta).
static float pdf_of_pixel(const coif_environment *environment, int32_t x, int32_t y, float sine)
{
    const coif_image *image = &environment->texture->image;
    const float *columns = environment->columns + ((size_t)image->width + 1) * (size_t)y;
    const float density = (environment->rows[y + 1] - environment->rows[y]) *
                          (columns[x + 1] - columns[x]) * (float)image->width *
                          (float)image->height;
    return sine > 1e-6f ? density / (2.0f * COIF_PI * COIF_PI * sine) : 0.0f;
}

float coif_environment_pdf(const coif_environment *environment, coif_vec3 direction)
{
    if (environment->texture == NULL) {
        return EVEN_PDF;
    }
    const coif_image *image = &environment->texture->image;
    const coif_vec2 place = place_of(environment, direction);
    const int32_t x = (int32_t)coif_min(place.x * (float)image->width, (float)image->width - 1.0f);
    const int32_t y =
        (int32_t)coif_min(place.y * (float)image->height, (float)image->height - 1.0f);
    const float sine = sqrtf(direction.x * direction.x + direction.z * direction.z);
    return pdf_of_pixel(environment, x, y, sine);
}

static float within_step(const float *table, int32_t i, float u)
{
    const float width = table[i + 1] - table[i];
    return width > 0.0f ? coif_clamp((u - table[i]) / width, 0.0f, 0.999999f) : 0.5f;
}

coif_vec3 coif_environment_sample(const coif_environment *environment, coif_vec2 u, float *pdf,
                                  coif_vec3 *radiance)
{
    float sine, cosine, turn_sine, turn_cosine;
    if (environment->texture == NULL) {
        *pdf = EVEN_PDF;
        *radiance = environment->tint;
        cosine = 1.0f - 2.0f * u.x;
        sine = sqrtf(coif_max(1.0f - cosine * cosine, 0.0f));
        coif_fast_sincos_turns(u.y, &turn_sine, &turn_cosine);
        return (coif_vec3){sine * turn_cosine, cosine, sine * turn_sine};
    }
    const coif_image *image = &environment->texture->image;
    const int32_t y = find_step(environment->rows, environment->row_guide, image->height, u.x);
    const float *columns = environment->columns + ((size_t)image->width + 1) * (size_t)y;
    const uint16_t *guide = environment->column_guides + (size_t)image->width * (size_t)y;
    const int32_t x = find_step(columns, guide, image->width, u.y);
    const float v = ((float)y + within_step(environment->rows, y, u.x)) / (float)image->height;
    const float w = ((float)x + within_step(columns, x, u.y)) / (float)image->width;

    coif_fast_sincos_turns(0.5f * v, &sine, &cosine);
    coif_fast_sincos_turns(w - 0.5f + environment->turn, &turn_sine, &turn_cosine);
    *pdf = pdf_of_pixel(environment, x, y, sine);
    *radiance = coif_mul(environment->tint, picture_at(image, (coif_vec2){w, v}));
    return (coif_vec3){sine * turn_sine, cosine, -sine * turn_cosine};
}
