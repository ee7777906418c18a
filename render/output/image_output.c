#include "render/output/image_output.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/image/image_format.h"

#include <string.h>

coif_image_type coif_display_type(const coif_output_params *output, const char *path)
{
    static const coif_image_type chosen[] = {0, COIF_IMAGE_UINT8, COIF_IMAGE_UINT16};
    const coif_image_type type = chosen[output->bit_depth];
    const coif_image_format *format;
    const coif_status status = coif_image_format_find(&format, path, NULL);
    COIF_ASSERT(status == COIF_OK); // output files have known extensions
    (void)status;
    return type != 0 && (format->types & (1u << type)) != 0 ? type : format->default_type;
}

// Linear RGBA as a display format or HDR.
static coif_status save_display(const coif_rgba_image *rgba, const char *path, coif_arena *arena,
                                coif_error *error)
{
    const coif_output_params *output = rgba->output;
    const bool linear = coif_path_has_extension(path, "hdr");
    // Formats without alpha are composited over black.
    const bool alpha = !linear && !coif_path_has_extension(path, "jpg");
    const int32_t channels = output->transparent && alpha ? 4 : 3;
    const int32_t width = rgba->window.x1 - rgba->window.x0,
                  height = rgba->window.y1 - rgba->window.y0;
    const coif_image_type type = coif_display_type(output, path),
                          types[] = {type, type, type, type};
    float *pixels = coif_arena_new(arena, (size_t)width * (size_t)height * (size_t)channels, float);
    for (int32_t i = 0; i < width * height; ++i) {
        float *to = pixels + (size_t)i * (size_t)channels;
        const float *from = rgba->pixels + 4 * (size_t)i;
        memcpy(to, from, (size_t)channels * sizeof *to);
        if (linear) {
            const coif_vec3 light = coif_working_to_rec709(output->working_space,
                                                           (coif_vec3){from[0], from[1], from[2]});
            to[0] = light.x;
            to[1] = light.y;
            to[2] = light.z;
        }
    }
    if (!linear) {
        COIF_TRY(
            coif_output_to_display(output, 0.0f, pixels, (int64_t)width * height, channels, error));
    }
    const coif_image_desc image = {
        .width = width,
        .height = height,
        .channel_count = channels,
        .channel_types = types,
        .pixels = pixels,
        .texts = rgba->texts,
        .text_count = rgba->text_count,
        .srgb = !linear && coif_output_needs_srgb(output),
    };
    return coif_image_save(path, &image, error);
}

static coif_status save_linear(const coif_rgba_image *rgba, const char *path, coif_error *error)
{
    static const coif_image_type types[2][4] = {
        {COIF_IMAGE_HALF, COIF_IMAGE_HALF, COIF_IMAGE_HALF, COIF_IMAGE_HALF},
        {COIF_IMAGE_FLOAT, COIF_IMAGE_FLOAT, COIF_IMAGE_FLOAT, COIF_IMAGE_FLOAT}};
    const coif_rect *window = &rgba->window;
    const coif_image_desc image = {
        .width = window->x1 - window->x0,
        .height = window->y1 - window->y0,
        .channel_count = 4,
        .channel_types = types[rgba->output->exr_float ? 1 : 0],
        .pixels = rgba->pixels,
        .texts = rgba->texts,
        .text_count = rgba->text_count,
        .premultiplied = true,
        .compression = COIF_EXR_COMPRESSIONS[rgba->output->exr_compression],
        .x = window->x0,
        .y = window->y0,
        .full_width = rgba->full_width,
        .full_height = rgba->full_height,
    };
    return coif_image_save(path, &image, error);
}

coif_status coif_rgba_save(const coif_rgba_image *rgba, const char *path, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "image output");
    return coif_path_has_extension(path, "exr") ? save_linear(rgba, path, error)
                                                : save_display(rgba, path, &arena, error);
}

// Writes beauty, or denoised, which has the alpha of beauty.
static coif_status save_film(const coif_film *film, const coif_image_output_desc *desc,
                             const coif_aov *denoised, const char *path, coif_arena *arena,
                             coif_error *error)
{
    const coif_rect *window = &desc->window;
    const int32_t width = window->x1 - window->x0, height = window->y1 - window->y0;
    float *pixels = coif_arena_new(arena, 4 * (size_t)width * (size_t)height, float);
    for (int32_t i = 0; i < width * height; ++i) {
        float from[COIF_MAX_AOV_CHANNELS];
        const size_t index = coif_film_index(film, window->x0 + i % width, window->y0 + i / width);
        coif_film_value(film, index, &film->aovs.list[0], from);
        if (denoised != NULL) {
            coif_film_value(film, index, denoised, from);
        }
        memcpy(pixels + 4 * (size_t)i, from, 4 * sizeof *pixels);
    }
    const coif_rgba_image rgba = {.pixels = pixels,
                                  .window = *window,
                                  .output = desc->output,
                                  .texts = desc->texts,
                                  .text_count = desc->text_count};
    return save_display(&rgba, path, arena, error);
}

coif_status coif_film_save(const coif_film *film, const coif_image_output_desc *desc,
                           const char *path, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "image output");
    coif_image_output_desc whole = *desc;
    if (whole.window.x1 <= whole.window.x0) {
        whole.window = film->region;
    }
    if (coif_path_has_extension(path, "exr")) {
        return coif_film_save_exr(film, &whole, path, &arena, error);
    }
    COIF_TRY(save_film(film, &whole, NULL, path, &arena, error));
    return film->denoised == NULL
               ? COIF_OK
               : save_film(film, &whole, coif_aovs_find(&film->aovs, "denoised"),
                           coif_aov_file_path(path, "denoised", &arena), &arena, error);
}
