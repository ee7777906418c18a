#include "render/lights/environment.h"

#include "core/base/arena.h"
#include "render/math/color.h"

static const float UNIFORM_PDF = 1.0f / (4.0f * COIF_PI);

static coif_vec3 pixel_at(const coif_image *image, int32_t x, int32_t y)
{
    const float *p = image->pixels +
                     ((size_t)y * (size_t)image->width + (size_t)x) * (size_t)image->channel_count;
    return image->channel_count < 3 ? (coif_vec3){p[0], p[0], p[0]} : (coif_vec3){p[0], p[1], p[2]};
}

// Prefix sums in double, which keeps the precision of large images.
static double fill_row(float *column_cdf, const coif_image *image, int32_t y)
{
    double sum = 0.0;
    for (int32_t x = 0; x < image->width; ++x) {
        const float here = coif_luminance(pixel_at(image, x, y));
        sum += here > 0.0f && isfinite(here) ? here : 0.0;
        column_cdf[x + 1] = (float)sum;
    }
    for (int32_t x = 1; x <= image->width; ++x) {
        column_cdf[x] = sum > 0.0 ? (float)(column_cdf[x] / sum) : (float)x / (float)image->width;
    }
    return sum / image->width;
}

// Guide table (Chen and Asau 1974): for every k / count the CDF interval that contains it, from
// which a search takes a step or two.
static void fill_guide_table(uint16_t *guide, const float *cdf, int32_t count)
{
    int32_t interval = 0;
    for (int32_t k = 0; k < count; ++k) {
        while (interval + 1 < count && cdf[interval + 1] <= (float)k / (float)count) {
            ++interval;
        }
        guide[k] = (uint16_t)interval;
    }
}

static void fill_guide_tables(coif_environment *environment, coif_arena *arena)
{
    const coif_image *image = &environment->texture->image;
    const size_t width = (size_t)image->width;
    environment->row_guide = coif_arena_new(arena, image->height, uint16_t);
    environment->column_guides = coif_arena_new(arena, width * (size_t)image->height, uint16_t);
    fill_guide_table(environment->row_guide, environment->row_cdf, image->height);
    for (int32_t y = 0; y < image->height; ++y) {
        fill_guide_table(environment->column_guides + width * (size_t)y,
                         environment->column_cdf + (width + 1) * (size_t)y, image->width);
    }
}

static void fill_cdfs(coif_environment *environment, coif_arena *arena)
{
    const coif_image *image = &environment->texture->image;
    const size_t stride = (size_t)image->width + 1;
    environment->row_cdf = coif_arena_new(arena, image->height + 1, float);
    environment->column_cdf = coif_arena_new(arena, stride * (size_t)image->height, float);
    double sum = 0.0;
    for (int32_t y = 0; y < image->height; ++y) {
        float sine, cosine;
        coif_fast_sincos_turns(0.5f * ((float)y + 0.5f) / (float)image->height, &sine, &cosine);
        sum += sine * fill_row(environment->column_cdf + stride * (size_t)y, image, y);
        environment->row_cdf[y + 1] = (float)sum;
    }
    environment->average *= (float)(sum * 0.5 * 3.141592653589793 / image->height);
    for (int32_t y = 1; y <= image->height; ++y) {
        environment->row_cdf[y] =
            sum > 0.0 ? (float)(environment->row_cdf[y] / sum) : (float)y / (float)image->height;
    }
}

// Mean direction weighted by luminance; orientation as in coif_environment_sample.
static coif_vec3 mean_direction_of(const coif_environment *environment)
{
    const coif_image *image = &environment->texture->image;
    const size_t stride = (size_t)image->width + 1;
    double x = 0.0, y = 0.0, z = 0.0;
    for (int32_t j = 0; j < image->height; ++j) {
        const float *column_cdf = environment->column_cdf + stride * (size_t)j;
        double along = 0.0, aside = 0.0;
        for (int32_t i = 0; i < image->width; ++i) {
            float sine, cosine;
            coif_fast_sincos_turns(((float)i + 0.5f) / (float)image->width - 0.5f +
                                       environment->rotation,
                                   &sine, &cosine);
            aside += (double)(column_cdf[i + 1] - column_cdf[i]) * (double)sine;
            along += (double)(column_cdf[i + 1] - column_cdf[i]) * (double)cosine;
        }
        float sine, cosine;
        coif_fast_sincos_turns(0.5f * ((float)j + 0.5f) / (float)image->height, &sine, &cosine);
        const double weight = (double)(environment->row_cdf[j + 1] - environment->row_cdf[j]);
        x += weight * (double)sine * aside;
        y += weight * (double)cosine;
        z -= weight * (double)sine * along;
    }
    return (coif_vec3){(float)x, (float)y, (float)z};
}

void coif_environment_init(coif_environment *environment, coif_vec3 tint,
                           const coif_image_texture *texture, float rotation, coif_arena *arena)
{
    *environment = (coif_environment){
        .tint = tint, .texture = texture, .rotation = rotation, .average = coif_luminance(tint)};
    if (texture != NULL) {
        fill_cdfs(environment, arena);
        fill_guide_tables(environment, arena);
        environment->mean_direction = mean_direction_of(environment);
    }
}

// Image coordinates in [0, 1), from the left and from the top.
static coif_vec2 image_coord(const coif_environment *environment, coif_vec3 d)
{
    const float across = sqrtf(d.x * d.x + d.z * d.z);
    float u = coif_fast_atan2(d.x, -d.z) * (1.0f / COIF_TWO_PI) + 0.5f - environment->rotation;
    u -= floorf(u);
    return (coif_vec2){u, coif_fast_atan2(across, d.y) * COIF_INV_PI};
}

// Bilinear; wraps around the up axis and clamps at the poles.
static coif_vec3 image_at(const coif_image *image, coif_vec2 coord)
{
    const float x = coord.x * (float)image->width - 0.5f;
    const float y =
        coif_clamp(coord.y * (float)image->height - 0.5f, 0.0f, (float)(image->height - 1));
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
    const coif_vec2 coord = image_coord(environment, direction);
    return coif_mul(environment->tint, image_at(&environment->texture->image, coord));
}

// The last index i < count with cdf[i] <= u.
static int32_t find_interval(const float *cdf, const uint16_t *guide, int32_t count, float u)
{
    int32_t i = guide[(int32_t)coif_min(u * (float)count, (float)count - 1.0f)];
    while (i > 0 && cdf[i] > u) { // the guide may be one too far by rounding
        --i;
    }
    while (i + 1 < count && cdf[i + 1] <= u) {
        ++i;
    }
    return i;
}

// Pdf per solid angle: pdf over the unit square divided by 2 pi^2 sin(theta).
static float pdf_of_pixel(const coif_environment *environment, int32_t x, int32_t y, float sine)
{
    const coif_image *image = &environment->texture->image;
    const float *column_cdf = environment->column_cdf + ((size_t)image->width + 1) * (size_t)y;
    const float density = (environment->row_cdf[y + 1] - environment->row_cdf[y]) *
                          (column_cdf[x + 1] - column_cdf[x]) * (float)image->width *
                          (float)image->height;
    return sine > 1e-6f ? density / (2.0f * COIF_PI * COIF_PI * sine) : 0.0f;
}

float coif_environment_pdf(const coif_environment *environment, coif_vec3 direction)
{
    if (environment->texture == NULL) {
        return UNIFORM_PDF;
    }
    const coif_image *image = &environment->texture->image;
    const coif_vec2 coord = image_coord(environment, direction);
    const int32_t x = (int32_t)coif_min(coord.x * (float)image->width, (float)image->width - 1.0f);
    const int32_t y =
        (int32_t)coif_min(coord.y * (float)image->height, (float)image->height - 1.0f);
    const float sine = sqrtf(direction.x * direction.x + direction.z * direction.z);
    return pdf_of_pixel(environment, x, y, sine);
}

static float interval_fraction(const float *cdf, int32_t i, float u)
{
    const float width = cdf[i + 1] - cdf[i];
    return width > 0.0f ? coif_clamp((u - cdf[i]) / width, 0.0f, 0.999999f) : 0.5f;
}

coif_vec3 coif_environment_sample(const coif_environment *environment, coif_vec2 u, float *pdf,
                                  coif_vec3 *radiance)
{
    float sine, cosine, turn_sine, turn_cosine;
    if (environment->texture == NULL) {
        *pdf = UNIFORM_PDF;
        *radiance = environment->tint;
        cosine = 1.0f - 2.0f * u.x;
        sine = sqrtf(coif_max(1.0f - cosine * cosine, 0.0f));
        coif_fast_sincos_turns(u.y, &turn_sine, &turn_cosine);
        return (coif_vec3){sine * turn_cosine, cosine, sine * turn_sine};
    }
    const coif_image *image = &environment->texture->image;
    const int32_t y =
        find_interval(environment->row_cdf, environment->row_guide, image->height, u.x);
    const float *column_cdf = environment->column_cdf + ((size_t)image->width + 1) * (size_t)y;
    const uint16_t *guide = environment->column_guides + (size_t)image->width * (size_t)y;
    const int32_t x = find_interval(column_cdf, guide, image->width, u.y);
    const float v =
        ((float)y + interval_fraction(environment->row_cdf, y, u.x)) / (float)image->height;
    const float w = ((float)x + interval_fraction(column_cdf, x, u.y)) / (float)image->width;

    coif_fast_sincos_turns(0.5f * v, &sine, &cosine);
    coif_fast_sincos_turns(w - 0.5f + environment->rotation, &turn_sine, &turn_cosine);
    *pdf = pdf_of_pixel(environment, x, y, sine);
    *radiance = coif_mul(environment->tint, image_at(image, (coif_vec2){w, v}));
    return (coif_vec3){sine * turn_sine, cosine, -sine * turn_cosine};
}
