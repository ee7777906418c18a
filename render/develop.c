#include "render/develop.h"

#include "core/arena.h"
#include "core/error.h"
#include "core/fs.h"
#include "render/fast.h"

#include <string.h>

// In the order of the image section's choice.
static const char *const FORMATS[] = {"png", "exr", "jpg", "tif", "bmp", "hdr", NULL};

bool coif_format_known(const char *name)
{
    for (int i = 0; FORMATS[i] != NULL; ++i) {
        if (strcmp(name, FORMATS[i]) == 0) {
            return true;
        }
    }
    return false;
}

const char *coif_format_name(int32_t choice)
{
    return FORMATS[choice];
}

// Filmic is straight up to one half and then bends, with the same slope, into a shoulder that never
// quite reaches 1: highlights keep their shape and turn pale instead of clipping in one channel.
float coif_view_apply(coif_view view, float value)
{
    if (view == COIF_VIEW_FILMIC && value > 0.5f) {
        return 1.0f - 0.5f * coif_fast_exp(-(value - 0.5f) / 0.5f);
    }
    return value;
}

static coif_status save_display(const coif_film *film, const coif_develop_desc *desc,
                                const char *path, coif_arena *arena, coif_error *error)
{
    const coif_image_params *image = desc->image;
    const bool linear = coif_path_has_extension(path, "hdr");
    const int32_t channels = image->transparent && !linear ? 4 : 3;
    const size_t count = (size_t)film->width * (size_t)film->height;
    const float gain = linear ? 1.0f : coif_fast_exp(image->exposure * 0.693147181f);
    float *pixels = coif_arena_new(arena, count * (size_t)channels, float);
    for (size_t i = 0; i < count; ++i) {
        const float *from = film->pixels + i * COIF_FILM_VALUES;
        float *to = pixels + i * (size_t)channels;
        // The curve is for light as it is seen, so what is half covered is uncovered first.
        const float alpha = channels == 4 ? from[COIF_FILM_ALPHA] : 1.0f;
        for (int c = 0; c < 3; ++c) {
            const float value = alpha > 0.0f ? from[c] / alpha * gain : 0.0f;
            to[c] = linear ? value : coif_view_apply((coif_view)image->view, value);
        }
        if (channels == 4) {
            to[3] = alpha;
        }
    }
    const coif_image_desc picture = {
        .width = film->width,
        .height = film->height,
        .channel_count = channels,
        .pixels = pixels,
        .texts = desc->texts,
        .text_count = desc->text_count,
        .srgb = !linear,
    };
    return coif_image_save(path, &picture, error);
}

// Beauty first as plain RGBA in half; further layers with dotted names, as OpenEXR asks for.
static coif_status save_exr(const coif_film *film, const coif_develop_desc *desc, const char *path,
                            coif_arena *arena, coif_error *error)
{
    static const char *const names[COIF_FILM_VALUES] = {
        "R", "G", "B", "A", "albedo.R", "albedo.G", "albedo.B", "N.X", "N.Y", "N.Z", "Z"};
    static const coif_image_type types[COIF_FILM_VALUES] = {
        COIF_IMAGE_HALF, COIF_IMAGE_HALF, COIF_IMAGE_HALF, COIF_IMAGE_HALF,
        COIF_IMAGE_HALF, COIF_IMAGE_HALF, COIF_IMAGE_HALF, COIF_IMAGE_HALF,
        COIF_IMAGE_HALF, COIF_IMAGE_HALF, COIF_IMAGE_FLOAT};
    const int32_t channels = desc->image->layers ? COIF_FILM_VALUES : 4;
    const size_t count = (size_t)film->width * (size_t)film->height;
    float *pixels = coif_arena_new(arena, count * (size_t)channels, float);
    for (size_t i = 0; i < count; ++i) {
        memcpy(pixels + i * (size_t)channels, film->pixels + i * COIF_FILM_VALUES,
               (size_t)channels * sizeof(float));
    }
    const coif_image_desc picture = {
        .width = film->width,
        .height = film->height,
        .channel_count = channels,
        .channel_names = names,
        .channel_types = types,
        .pixels = pixels,
        .texts = desc->texts,
        .text_count = desc->text_count,
        .premultiplied = true,
    };
    return coif_image_save(path, &picture, error);
}

coif_status coif_film_save(const coif_film *film, const coif_develop_desc *desc, const char *path,
                           coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "picture");
    const coif_status status = coif_path_has_extension(path, "exr")
                                   ? save_exr(film, desc, path, &arena, error)
                                   : save_display(film, desc, path, &arena, error);
    coif_arena_free(&arena);
    return status;
}
