#include "render/shading/mipmap.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/half.h"
#include "core/base/hash64.h"
#include "core/image/image.h"
#include "core/image/srgb.h"
#include "render/math/fast_math.h"

#include <string.h>

// An image of one or three linear float channels.
typedef struct float_image {
    int32_t width, height, channels;
    float *pixels;
} float_image;

static size_t value_count(const float_image *s)
{
    return (size_t)s->width * (size_t)s->height * (size_t)s->channels;
}

// Compacts the selected channels in place.
static float_image select_channels(coif_image *image, coif_map_kind kind)
{
    const int32_t count = image->channel_count;
    const bool single = kind == COIF_MAP_SCALAR || kind == COIF_MAP_ALPHA || count < 3;
    const int32_t first = kind == COIF_MAP_ALPHA && (count == 2 || count == 4) ? count - 1 : 0;
    float_image s = {image->width, image->height, single ? 1 : 3, image->pixels};
    const size_t pixels = (size_t)s.width * (size_t)s.height;
    for (size_t i = 0; i < pixels; ++i) {
        for (int32_t c = 0; c < s.channels; ++c) {
            const float value = image->pixels[i * (size_t)count + (size_t)(first + c)];
            s.pixels[i * (size_t)s.channels + (size_t)c] = isfinite(value) ? value : 0.0f;
        }
    }
    return s;
}

// In place: every value is written before the ones that are still needed.
static float_image downsample(float_image s)
{
    const float_image half = {(s.width + 1) / 2, (s.height + 1) / 2, s.channels, s.pixels};
    for (int32_t y = 0; y < half.height; ++y) {
        const int32_t below = 2 * y + 1 < s.height ? 2 * y + 1 : 2 * y;
        for (int32_t x = 0; x < half.width; ++x) {
            const int32_t right = 2 * x + 1 < s.width ? 2 * x + 1 : 2 * x;
            for (int32_t c = 0; c < s.channels; ++c) {
                const size_t top = (size_t)(2 * y) * (size_t)s.width;
                const size_t bottom = (size_t)below * (size_t)s.width;
                const size_t n = (size_t)s.channels, k = (size_t)c;
                const float sum = (s.pixels[(top + (size_t)(2 * x)) * n + k] +
                                   s.pixels[(top + (size_t)right) * n + k]) +
                                  (s.pixels[(bottom + (size_t)(2 * x)) * n + k] +
                                   s.pixels[(bottom + (size_t)right) * n + k]);
                half.pixels[((size_t)y * (size_t)half.width + (size_t)x) * n + k] = 0.25f * sum;
            }
        }
    }
    return half;
}

static bool is_last(const float_image *s)
{
    return s->width <= 1 && s->height <= 1;
}

// Lays out the levels and counts their values.
static size_t count_values(coif_mipmap *mipmap, float_image s)
{
    size_t values = 0;
    for (;;) {
        COIF_ASSERT(mipmap->level_count < COIF_MAX_MIP_LEVELS);
        mipmap->levels[mipmap->level_count++] = (coif_mipmap_level){s.width, s.height, values};
        values += value_count(&s);
        if (is_last(&s)) {
            return values;
        }
        s.width = (s.width + 1) / 2;
        s.height = (s.height + 1) / 2;
    }
}

static uint8_t nearest_byte(float value, bool srgb)
{
    if (srgb) {
        return coif_srgb_byte(value);
    }
    const float encoded = 255.0f * value + 0.5f;
    return (uint8_t)(!(encoded > 0.0f) ? 0.0f : encoded < 255.0f ? encoded : 255.0f);
}

static float byte_value(int32_t byte, bool srgb)
{
    const float value = (float)byte / 255.0f;
    return srgb ? coif_srgb_decode(value) : value;
}

static void encode_levels(coif_mipmap *mipmap, float_image s, bool bytes, bool srgb,
                          coif_arena *arena)
{
    const size_t values = count_values(mipmap, s);
    uint8_t *byte_texels = bytes ? coif_arena_new(arena, values, uint8_t) : NULL;
    uint16_t *half_texels = bytes ? NULL : coif_arena_new(arena, values, uint16_t);
    float *curve = coif_arena_new(arena, 256, float);
    for (int32_t i = 0; i < 256; ++i) {
        curve[i] = byte_value(i, srgb);
    }
    size_t at = 0;
    for (int32_t level = 0; level < mipmap->level_count; ++level) {
        for (size_t i = 0; i < value_count(&s); ++i, ++at) {
            if (bytes) {
                byte_texels[at] = nearest_byte(s.pixels[i], srgb);
            } else {
                half_texels[at] = coif_float_to_half(s.pixels[i]);
            }
        }
        s = is_last(&s) ? s : downsample(s);
    }
    for (int32_t c = 0; c < 3; ++c) {
        mipmap->mean[c] = s.pixels[s.channels == 3 ? c : 0];
    }
    mipmap->byte_texels = byte_texels;
    mipmap->half_texels = half_texels;
    mipmap->decode_lut = curve;
    mipmap->digest = bytes ? coif_hash64(byte_texels, values)
                           : coif_hash64(half_texels, values * sizeof *half_texels);
}

static coif_status load(coif_mipmap *mipmap, const coif_mipmap_desc *desc, coif_arena *scratch,
                        coif_arena *arena, coif_error *error)
{
    coif_image image;
    COIF_TRY(coif_image_load_full(&image, desc->path, scratch, error));
    if (image.width < 1 || image.height < 1 || image.channel_count < 1) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: an image without pixels", desc->path);
    }
    const bool srgb = desc->kind == COIF_MAP_COLOR && image.integer_bits != 0;
    bool bytes = image.integer_bits == 8;
    if (desc->kind == COIF_MAP_COLOR) {
        coif_image_linearise(&image);
    }
    float_image s = select_channels(&image, desc->kind);
    while (s.width > desc->max_size || s.height > desc->max_size) {
        s = downsample(s);
    }
    if (desc->kind == COIF_MAP_COLOR && s.channels == 3 && desc->space != COIF_WORKING_REC709) {
        coif_working_convert_pixels(desc->space, s.pixels, value_count(&s) / 3, 3);
        bytes = false;
    }
    *mipmap = (coif_mipmap){.channel_count = s.channels};
    encode_levels(mipmap, s, bytes, srgb, arena);
    return COIF_OK;
}

coif_status coif_mipmap_load(coif_mipmap *mipmap, const coif_mipmap_desc *desc, coif_arena *arena,
                             coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "textures");
    COIF_ASSERT(desc->max_size > 0);
    return load(mipmap, desc, &scratch, arena, error);
}

static int32_t wrap_texel(int32_t i, int32_t count, coif_wrap wrap)
{
    if (wrap == COIF_WRAP_CLAMP) {
        return i < 0 ? 0 : i < count ? i : count - 1;
    }
    const int32_t period = wrap == COIF_WRAP_MIRROR ? 2 * count : count;
    i %= period;
    i = i < 0 ? i + period : i;
    return i < count ? i : period - 1 - i;
}

static coif_vec3 texel_at(const coif_mipmap *mipmap, size_t at)
{
    float c[3];
    for (int32_t k = 0; k < mipmap->channel_count; ++k) {
        c[k] = mipmap->byte_texels != NULL
                   ? mipmap->decode_lut[mipmap->byte_texels[at + (size_t)k]]
                   : coif_half_to_float(mipmap->half_texels[at + (size_t)k]);
    }
    return mipmap->channel_count == 3 ? (coif_vec3){c[0], c[1], c[2]}
                                      : (coif_vec3){c[0], c[0], c[0]};
}

static coif_vec3 level_at(const coif_mipmap *mipmap, int32_t index, coif_vec2 uv, coif_wrap wrap)
{
    const coif_mipmap_level *level = &mipmap->levels[index];
    const float x = uv.x * (float)level->width - 0.5f;
    const float y = (1.0f - uv.y) * (float)level->height - 0.5f;
    const float left = floorf(x), top = floorf(y);
    const float fx = x - left, fy = y - top;
    coif_vec3 rows[2];
    for (int32_t j = 0; j < 2; ++j) {
        const int32_t row = wrap_texel((int32_t)top + j, level->height, wrap);
        coif_vec3 both[2];
        for (int32_t i = 0; i < 2; ++i) {
            const int32_t column = wrap_texel((int32_t)left + i, level->width, wrap);
            const size_t coord = (size_t)row * (size_t)level->width + (size_t)column;
            both[i] = texel_at(mipmap, level->offset + coord * (size_t)mipmap->channel_count);
        }
        rows[j] = coif_lerp(both[0], both[1], fx);
    }
    return coif_lerp(rows[0], rows[1], fy);
}

// Reduces large coordinates by the period 2, so that texel indices fit an integer.
static float wrap_large(float x)
{
    return fabsf(x) < 4096.0f ? x : isfinite(x) ? x - 2.0f * floorf(0.5f * x) : 0.0f;
}

coif_vec3 coif_mipmap_at(const coif_mipmap *mipmap, coif_vec2 uv, float width, coif_wrap wrap)
{
    const coif_vec2 coord = {wrap_large(uv.x), wrap_large(uv.y)};
    const coif_mipmap_level *first = &mipmap->levels[0];
    const int32_t side = first->width > first->height ? first->width : first->height;
    const float texels = width * (float)side;
    if (!(texels > 1.0f) || mipmap->level_count < 2) {
        return level_at(mipmap, 0, coord, wrap);
    }
    const float last = (float)(mipmap->level_count - 1);
    const float level = coif_min(coif_fast_log(texels) * 1.44269504f, last);
    const int32_t below = (int32_t)coif_min(level, last - 1.0f);
    return coif_lerp(level_at(mipmap, below, coord, wrap), level_at(mipmap, below + 1, coord, wrap),
                     level - (float)below);
}
