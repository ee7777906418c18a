#include "render/shading/mipmap.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/image/image.h"
#include "core/image/srgb.h"
#include "render/math/fast_math.h"

#include <string.h>

// IEEE half floats, rounded to even; what is too large becomes the largest half.
uint16_t coif_float_to_half(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000u;
    bits &= 0x7fffffffu;
    if (bits > 0x7f800000u) {
        return 0; // not a number
    }
    if (bits >= 0x477fe000u) {
        return (uint16_t)(sign | 0x7bffu);
    }
    if (bits < 0x38800000u) {
        // Denormal: as many steps of 2^-24.
        float small;
        memcpy(&small, &bits, sizeof small);
        return (uint16_t)(sign | (uint32_t)(small * 16777216.0f + 0.5f));
    }
    const uint32_t rounded = bits + 0xfffu + (bits >> 13 & 1u);
    return (uint16_t)(sign | ((rounded - 0x38000000u) >> 13));
}

float coif_half_to_float(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, rest = half & 0x7fffu;
    if (rest < 0x400u) {
        const float small = (float)rest * (1.0f / 16777216.0f);
        return sign != 0 ? -small : small;
    }
    const uint32_t bits = sign | ((rest << 13) + 0x38000000u);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// A picture of one or three channels on its way: linear values as floats.
typedef struct sheet {
    int32_t width, height, channels;
    float *pixels;
} sheet;

static size_t size_of(const sheet *s)
{
    return (size_t)s->width * (size_t)s->height * (size_t)s->channels;
}

// Takes the wanted channels together at the front of the picture's own memory.
static sheet take_channels(coif_image *image, coif_map_kind kind)
{
    const int32_t count = image->channel_count;
    const bool single = kind == COIF_MAP_SCALAR || kind == COIF_MAP_ALPHA || count < 3;
    const int32_t first = kind == COIF_MAP_ALPHA && (count == 2 || count == 4) ? count - 1 : 0;
    sheet s = {image->width, image->height, single ? 1 : 3, image->pixels};
    const size_t pixels = (size_t)s.width * (size_t)s.height;
    for (size_t i = 0; i < pixels; ++i) {
        for (int32_t c = 0; c < s.channels; ++c) {
            const float value = image->pixels[i * (size_t)count + (size_t)(first + c)];
            s.pixels[i * (size_t)s.channels + (size_t)c] = isfinite(value) ? value : 0.0f;
        }
    }
    return s;
}

// In place: every value of the half size lies before those it is made from that are still needed.
static sheet halve(sheet s)
{
    const sheet half = {(s.width + 1) / 2, (s.height + 1) / 2, s.channels, s.pixels};
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

static bool is_last(const sheet *s)
{
    return s->width <= 1 && s->height <= 1;
}

// How many values all sizes have.
static size_t count_values(coif_mipmap *pyramid, sheet s)
{
    size_t values = 0;
    for (;;) {
        COIF_ASSERT(pyramid->level_count < COIF_MAX_MIP_LEVELS);
        pyramid->levels[pyramid->level_count++] = (coif_mipmap_level){s.width, s.height, values};
        values += size_of(&s);
        if (is_last(&s)) {
            return values;
        }
        s.width = (s.width + 1) / 2;
        s.height = (s.height + 1) / 2;
    }
}

static uint8_t nearest_byte(float value, bool curved)
{
    if (curved) {
        return coif_srgb_byte(value);
    }
    const float encoded = 255.0f * value + 0.5f;
    return (uint8_t)(!(encoded > 0.0f) ? 0.0f : encoded < 255.0f ? encoded : 255.0f);
}

static float byte_value(int32_t byte, bool curved)
{
    const float value = (float)byte / 255.0f;
    return curved ? coif_srgb_decode(value) : value;
}

static void pack_levels(coif_mipmap *pyramid, sheet s, bool bytes, bool curved, coif_arena *arena)
{
    const size_t values = count_values(pyramid, s);
    uint8_t *narrow = bytes ? coif_arena_new(arena, values, uint8_t) : NULL;
    uint16_t *wide = bytes ? NULL : coif_arena_new(arena, values, uint16_t);
    float *curve = coif_arena_new(arena, 256, float);
    for (int32_t i = 0; i < 256; ++i) {
        curve[i] = byte_value(i, curved);
    }
    size_t at = 0;
    for (int32_t level = 0; level < pyramid->level_count; ++level) {
        for (size_t i = 0; i < size_of(&s); ++i, ++at) {
            if (bytes) {
                narrow[at] = nearest_byte(s.pixels[i], curved);
            } else {
                wide[at] = coif_float_to_half(s.pixels[i]);
            }
        }
        s = is_last(&s) ? s : halve(s);
    }
    for (int32_t c = 0; c < 3; ++c) {
        pyramid->mean[c] = s.pixels[s.channels == 3 ? c : 0];
    }
    pyramid->bytes = narrow;
    pyramid->halves = wide;
    pyramid->curve = curve;
    pyramid->digest =
        bytes ? coif_hash64(narrow, values) : coif_hash64(wide, values * sizeof *wide);
}

static coif_status load(coif_mipmap *pyramid, const char *path, coif_map_kind kind, int32_t largest,
                        coif_arena *scratch, coif_arena *arena, coif_error *error)
{
    coif_image image;
    COIF_TRY(coif_image_load_full(&image, path, scratch, error));
    if (image.width < 1 || image.height < 1 || image.channel_count < 1) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: an image without pixels", path);
    }
    const bool curved = kind == COIF_MAP_COLOR && image.integer_bits != 0;
    const bool bytes = image.integer_bits == 8;
    if (kind == COIF_MAP_COLOR) {
        coif_image_linearise(&image);
    }
    sheet s = take_channels(&image, kind);
    while (s.width > largest || s.height > largest) {
        s = halve(s);
    }
    *pyramid = (coif_mipmap){.channel_count = s.channels};
    pack_levels(pyramid, s, bytes, curved, arena);
    return COIF_OK;
}

coif_status coif_mipmap_load(coif_mipmap *pyramid, const char *path, coif_map_kind kind,
                             int32_t largest, coif_arena *arena, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "textures");
    const coif_status status =
        load(pyramid, path, kind, largest > 0 ? largest : 1, &scratch, arena, error);
    coif_arena_free(&scratch);
    return status;
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

static coif_vec3 texel(const coif_mipmap *pyramid, size_t at)
{
    float c[3];
    for (int32_t k = 0; k < pyramid->channel_count; ++k) {
        c[k] = pyramid->bytes != NULL ? pyramid->curve[pyramid->bytes[at + (size_t)k]]
                                      : coif_half_to_float(pyramid->halves[at + (size_t)k]);
    }
    return pyramid->channel_count == 3 ? (coif_vec3){c[0], c[1], c[2]}
                                       : (coif_vec3){c[0], c[0], c[0]};
}

static coif_vec3 level_at(const coif_mipmap *pyramid, int32_t index, coif_vec2 uv, coif_wrap wrap)
{
    const coif_mipmap_level *level = &pyramid->levels[index];
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
            const size_t place = (size_t)row * (size_t)level->width + (size_t)column;
            both[i] = texel(pyramid, level->first + place * (size_t)pyramid->channel_count);
        }
        rows[j] = coif_lerp(both[0], both[1], fx);
    }
    return coif_lerp(rows[0], rows[1], fy);
}

// Far beyond 0 and 1 whole numbers no longer fit; what is left is the place within the picture.
static float tame(float x)
{
    return fabsf(x) < 4096.0f ? x : isfinite(x) ? x - 2.0f * floorf(0.5f * x) : 0.0f;
}

coif_vec3 coif_mipmap_at(const coif_mipmap *pyramid, coif_vec2 uv, float width, coif_wrap wrap)
{
    const coif_vec2 place = {tame(uv.x), tame(uv.y)};
    const coif_mipmap_level *first = &pyramid->levels[0];
    const int32_t side = first->width > first->height ? first->width : first->height;
    const float texels = width * (float)side;
    if (!(texels > 1.0f) || pyramid->level_count < 2) {
        return level_at(pyramid, 0, place, wrap);
    }
    const float last = (float)(pyramid->level_count - 1);
    const float level = coif_min(coif_fast_log(texels) * 1.44269504f, last);
    const int32_t below = (int32_t)coif_min(level, last - 1.0f);
    return coif_lerp(level_at(pyramid, below, place, wrap),
                     level_at(pyramid, below + 1, place, wrap), level - (float)below);
}
