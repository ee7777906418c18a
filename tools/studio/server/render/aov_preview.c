#include "tools/studio/server/render/aov_preview.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/image/image.h"

#include <math.h>
#include <string.h>

enum { MOST_PARTS = 64 };

// The channels of a layer: those named LAYER.*, or all of a part of that name.
typedef struct found {
    coif_image image;
    int32_t channels[3];
    int32_t count;
} found;

static bool belongs(const coif_image *image, int32_t channel, const char *layer)
{
    const char *name = image->channel_names[channel];
    const size_t length = strlen(layer);
    return (strncmp(name, layer, length) == 0 && (name[length] == '.' || name[length] == '\0')) ||
           strcmp(image->part, layer) == 0;
}

static void look_in(found *all, const coif_image *image, const char *layer, coif_strbuf *names)
{
    for (int32_t c = 0; c < image->channel_count; ++c) {
        coif_strbuf_print(names, " %s", image->channel_names[c]);
        if (all->count < 3 && belongs(image, c, layer)) {
            all->image = *image;
            all->channels[all->count++] = c;
        }
    }
}

static coif_status find(found *all, const char *exr, const char *layer, coif_arena *arena,
                        coif_error *error)
{
    coif_strbuf names;
    coif_strbuf_init(&names, arena);
    int32_t part = 0;
    for (; part < MOST_PARTS && all->count == 0; ++part) {
        coif_image image;
        coif_error ignored = {0};
        if (coif_image_read_header(&image, exr, part, arena, &ignored) != COIF_OK) {
            break;
        }
        look_in(all, &image, layer, &names);
    }
    // Pixels of other parts are of no use.
    return all->count > 0
               ? coif_image_load_part(&all->image, exr, part - 1, arena, error)
               : coif_fail(error, COIF_ERR_ARGUMENT,
                           "the picture has no layer \"%s\"; its channels:%s", layer, names.data);
}

static bool is_direction(const char *layer)
{
    return strcmp(layer, "N") == 0 || strcmp(layer, "tangent") == 0;
}

// From the least to the most of what is finite.
static void spread(float *pixels, int64_t count)
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

// A picture of a region lies where it lay in the whole, black around it.
static float *lay(const float *pixels, const coif_image *part, coif_arena *arena)
{
    float *whole = coif_arena_new(arena, 3 * (int64_t)part->full_width * part->full_height, float);
    for (int32_t i = 0; i < part->width * part->height; ++i) {
        const int32_t x = part->x + i % part->width, y = part->y + i / part->width;
        if (x >= 0 && x < part->full_width && y >= 0 && y < part->full_height) {
            memcpy(whole + 3 * ((int64_t)y * part->full_width + x), pixels + 3 * (int64_t)i,
                   3 * sizeof *pixels);
        }
    }
    return whole;
}

coif_status coif_paint_map_view(char **data, size_t *size, const char *exr, const char *layer,
                                coif_arena *arena, coif_error *error)
{
    found all = {0};
    COIF_TRY(find(&all, exr, layer, arena, error));
    const int64_t count = (int64_t)all.image.width * all.image.height;
    const bool color = all.count == 3 && !is_direction(layer) && strcmp(layer, "P") != 0;
    float *pixels = coif_arena_new(arena, 3 * count, float);
    for (int64_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k < 3; ++k) {
            const int32_t channel = all.channels[k < all.count ? k : all.count == 2 ? 1 : 0];
            const float value = all.image.pixels[i * all.image.channel_count + channel];
            pixels[3 * i + k] = is_direction(layer) ? 0.5f + 0.5f * value : value;
        }
    }
    if (!color && !is_direction(layer)) {
        spread(pixels, 3 * count);
    }
    const coif_image_desc desc = {.width = all.image.full_width,
                                  .height = all.image.full_height,
                                  .channel_count = 3,
                                  .pixels = lay(pixels, &all.image, arena),
                                  .srgb = color,
                                  .fast = true};
    return coif_image_encode(data, size, "layer.png", &desc, arena, error);
}
