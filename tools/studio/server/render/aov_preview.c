#include "tools/studio/server/render/aov_preview.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/image/image.h"

#include <math.h>
#include <string.h>

enum { MAX_PARTS = 64, MAX_CHANNELS = 4 };

static const float FAR_DEPTH = 0.1f; // brightness of the farthest sample; the nearest is white

// Channels of an AOV: those named AOV.*, or all of the part of that name.
typedef struct aov_channels {
    coif_image image;
    int32_t channels[MAX_CHANNELS];
    int32_t count;
} aov_channels;

static bool belongs(const coif_image *image, int32_t channel, const char *aov)
{
    const char *name = image->channel_names[channel];
    const size_t length = strlen(aov);
    return (strncmp(name, aov, length) == 0 && (name[length] == '.' || name[length] == '\0')) ||
           strcmp(image->part, aov) == 0;
}

static void select_channels(aov_channels *selected, const coif_image *image, const char *aov,
                            coif_strbuf *names)
{
    for (int32_t c = 0; c < image->channel_count; ++c) {
        coif_strbuf_print(names, " %s", image->channel_names[c]);
        if (selected->count < MAX_CHANNELS && belongs(image, c, aov)) {
            selected->image = *image;
            selected->channels[selected->count++] = c;
        }
    }
}

static coif_status load_aov(aov_channels *selected, const char *exr, const char *aov,
                            coif_arena *arena, coif_error *error)
{
    coif_strbuf names;
    coif_strbuf_init(&names, arena);
    int32_t part = 0;
    for (; part < MAX_PARTS && selected->count == 0; ++part) {
        coif_image image;
        coif_error ignored = {0};
        if (coif_image_read_header(&image, exr, part, arena, &ignored) != COIF_OK) {
            break;
        }
        select_channels(selected, &image, aov, &names);
    }
    // Only now the pixels: of this part alone.
    return selected->count > 0
               ? coif_image_load_part(&selected->image, exr, part - 1, arena, error)
               : coif_fail(error, COIF_ERR_ARGUMENT, "the image has no AOV \"%s\"; its channels:%s",
                           aov, names.data);
}

static bool is_direction(const char *aov)
{
    return strcmp(aov, "N") == 0 || strcmp(aov, "tangent") == 0;
}

// Maps the range of finite values to 0..1.
static void normalise(float *pixels, int64_t count)
{
    float low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < count; ++i) {
        if (isfinite(pixels[i]) && fabsf(pixels[i]) < 1e9f) {
            low = fminf(low, pixels[i]);
            high = fmaxf(high, pixels[i]);
        }
    }
    for (int64_t i = 0; i < count; ++i) {
        pixels[i] = high > low ? (pixels[i] - low) / (high - low) : 0.0f;
    }
}

static bool is_depth(float value)
{
    return isfinite(value) && value > 0.0f; // empty pixels hold 0
}

// Maps the range of depths to bright (near) to dark (far); the background is black.
static void shade_depth(float *pixels, int64_t count)
{
    float low = INFINITY, high = 0.0f;
    for (int64_t i = 0; i < count; ++i) {
        if (is_depth(pixels[i])) {
            low = fminf(low, pixels[i]);
            high = fmaxf(high, pixels[i]);
        }
    }
    const float scale = high > low ? (1.0f - FAR_DEPTH) / (high - low) : 0.0f;
    for (int64_t i = 0; i < count; ++i) {
        pixels[i] = is_depth(pixels[i]) ? 1.0f - scale * (pixels[i] - low) : 0.0f;
    }
}

// A saturated colour per id by the finaliser of MurmurHash3; black for no id.
static void add_id_color(float rgb[3], uint32_t id, float weight)
{
    if (id == 0) {
        return;
    }
    uint32_t hash = id;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
    hash ^= hash >> 16;
    const float hue = 6.0f * (float)(hash & 0xffffu) / 65536.0f;
    const float value = 0.55f + 0.45f * (float)(hash >> 16) / 65536.0f;
    for (int32_t k = 0; k < 3; ++k) {
        const float distance = fabsf(fmodf(hue + 6.0f - 2.0f * (float)k, 6.0f) - 3.0f);
        const float pure = fminf(1.0f, fmaxf(0.0f, distance - 1.0f));
        rgb[k] += weight * value * (0.25f + 0.75f * pure);
    }
}

// Ids as numbers, or Cryptomatte: pairs of id bits and coverage.
static void color_ids(float *pixels, const aov_channels *ids, bool cryptomatte)
{
    const int64_t count = (int64_t)ids->image.width * ids->image.height;
    for (int64_t i = 0; i < count; ++i) {
        const float *values = ids->image.pixels + i * ids->image.channel_count;
        for (int32_t k = 0; k + 1 < ids->count && cryptomatte; k += 2) {
            uint32_t id;
            memcpy(&id, &values[ids->channels[k]], sizeof id);
            add_id_color(pixels + 3 * i, id, values[ids->channels[k + 1]]);
        }
        if (!cryptomatte) {
            add_id_color(pixels + 3 * i, (uint32_t)values[ids->channels[0]], 1.0f);
        }
    }
}

// RGB of directions, positions and scalars; colours as they are.
static void copy_values(float *pixels, const aov_channels *from, const char *aov)
{
    const int64_t count = (int64_t)from->image.width * from->image.height;
    const int32_t channels = from->count < 3 ? from->count : 3;
    for (int64_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k < 3; ++k) {
            const int32_t channel = from->channels[k < channels ? k : channels == 2 ? 1 : 0];
            const float value = from->image.pixels[i * from->image.channel_count + channel];
            pixels[3 * i + k] = is_direction(aov) ? 0.5f + 0.5f * value : value;
        }
    }
}

// Places a region in the full image, black around it.
static float *place_in_full_image(const float *pixels, const coif_image *part, coif_arena *arena)
{
    float *full = coif_arena_new(arena, 3 * (int64_t)part->full_width * part->full_height, float);
    for (int32_t i = 0; i < part->width * part->height; ++i) {
        const int32_t x = part->x + i % part->width, y = part->y + i / part->width;
        if (x >= 0 && x < part->full_width && y >= 0 && y < part->full_height) {
            memcpy(full + 3 * ((int64_t)y * part->full_width + x), pixels + 3 * (int64_t)i,
                   3 * sizeof *pixels);
        }
    }
    return full;
}

coif_status coif_aov_preview(char **data, size_t *size, const char *exr, const char *aov,
                             coif_arena *arena, coif_error *error)
{
    aov_channels selected = {0};
    COIF_TRY(load_aov(&selected, exr, aov, arena, error));
    const int64_t count = (int64_t)selected.image.width * selected.image.height;
    const bool cryptomatte = strncmp(aov, "crypto_", 7) == 0;
    const bool ids = cryptomatte || strcmp(aov, "strand_id") == 0;
    const bool color = !ids && selected.count >= 3 && !is_direction(aov) && strcmp(aov, "P") != 0;
    float *pixels = coif_arena_new(arena, 3 * count, float);
    if (ids) {
        color_ids(pixels, &selected, cryptomatte);
    } else {
        copy_values(pixels, &selected, aov);
    }
    if (strcmp(aov, "Z") == 0) {
        shade_depth(pixels, 3 * count);
    } else if (!ids && !color && !is_direction(aov)) {
        normalise(pixels, 3 * count);
    }
    const coif_image_desc desc = {.width = selected.image.full_width,
                                  .height = selected.image.full_height,
                                  .channel_count = 3,
                                  .pixels = place_in_full_image(pixels, &selected.image, arena),
                                  .srgb = color,
                                  .fast = true};
    return coif_image_encode(data, size, "aov.png", &desc, arena, error);
}
