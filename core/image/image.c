// Image lookup and sRGB decoding.
#include "core/image/image.h"

#include "core/base/vec.h"
#include "core/image/srgb.h"

// Cache of decoded 8-bit values.
typedef struct decode_cache {
    float from[256], to[256];
} decode_cache;

static float decode(decode_cache *cache, float encoded)
{
    const float scaled = 255.0f * encoded + 0.5f;
    const int32_t byte = !(scaled > 0.0f) ? 0 : scaled < 255.0f ? (int32_t)scaled : 255;
    if (cache->from[byte] != encoded) {
        cache->from[byte] = encoded;
        cache->to[byte] = coif_srgb_decode(encoded);
    }
    return cache->to[byte];
}

void coif_image_linearise(coif_image *image)
{
    if (image->integer_bits == 0) {
        return;
    }
    // One colour channel for grey or grey and alpha, else three.
    const int32_t colours = image->channel_count < 3 ? 1 : 3;
    const int64_t count = (int64_t)image->width * image->height;
    decode_cache cache = {{0}, {0}}; // 0 decodes to 0
    for (int64_t i = 0; i < count; ++i) {
        float *pixel = image->pixels + i * image->channel_count;
        for (int32_t c = 0; c < colours; ++c) {
            pixel[c] = decode(&cache, pixel[c]);
        }
    }
    image->integer_bits = 0;
}

// Index of the left texel and interpolation weight of the right one, clamped to the image.
static int32_t split(float position, int32_t count, float *weight)
{
    const float last = (float)(count - 1);
    // Written so that NaN gives 0.
    const float inside = !(position > 0.0f) ? 0.0f : position > last ? last : position;
    int32_t texel = (int32_t)inside;
    texel = texel > count - 2 ? count - 2 : texel;
    texel = texel < 0 ? 0 : texel;
    *weight = inside - (float)texel;
    return texel;
}

static int32_t clamp_texel(float position, int32_t count)
{
    const float last = (float)(count - 1);
    // Written so that NaN gives 0.
    return (int32_t)(!(position > 0.0f) ? 0.0f : position > last ? last : position);
}

static float value_at(const coif_image *image, int32_t channel, int32_t x, int32_t y)
{
    if (image->tiles == NULL) {
        return image->pixels[((int64_t)y * image->width + x) * image->channel_count + channel];
    }
    const int32_t columns = (image->width + COIF_IMAGE_TILE - 1) / COIF_IMAGE_TILE;
    const coif_image_tile *tile =
        &image->tiles[(int64_t)(y / COIF_IMAGE_TILE) * columns + x / COIF_IMAGE_TILE];
    const int32_t inside = y % COIF_IMAGE_TILE * COIF_IMAGE_TILE + x % COIF_IMAGE_TILE;
    return tile->texels != NULL ? tile->texels[inside * image->channel_count + channel]
                                : tile->value;
}

float coif_image_texel(const coif_image *image, int32_t channel, float u, float v)
{
    if (channel < 0 || channel >= image->channel_count) {
        return 0.0f;
    }
    const float rows = (float)image->height;
    const int32_t x = clamp_texel(u * (float)image->width, image->width);
    const int32_t y = clamp_texel(rows - (v == v ? v : 0.0f) * rows, image->height);
    return value_at(image, channel, x, y);
}

float coif_image_sample(const coif_image *image, int32_t channel, float u, float v)
{
    if (channel < 0 || channel >= image->channel_count) {
        return 0.0f;
    }
    const float rows = (float)image->height;
    float fx, fy;
    const int32_t x = split(u * (float)image->width - 0.5f, image->width, &fx);
    const int32_t y = split(rows - (v == v ? v : 0.0f) * rows - 0.5f, image->height, &fy);
    const int32_t right = image->width > 1 ? x + 1 : x;
    const int32_t below = image->height > 1 ? y + 1 : y;

    const float upper[2] = {value_at(image, channel, x, y), value_at(image, channel, right, y)};
    const float lower[2] = {value_at(image, channel, x, below),
                            value_at(image, channel, right, below)};
    const float top = upper[0] + fx * (upper[1] - upper[0]);
    const float bottom = lower[0] + fx * (lower[1] - lower[0]);
    return top + fy * (bottom - top);
}
