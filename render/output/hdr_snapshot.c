#include "render/output/hdr_snapshot.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/image/image.h"

#include <string.h>

void coif_hdr_snapshot_capture(coif_hdr_snapshot *snapshot, const coif_hdr_snapshot_source *source,
                               coif_arena *arena)
{
    const coif_film *film = source->film;
    const bool whole = source->window.x1 <= source->window.x0;
    const coif_rect window = whole ? film->region : source->window;
    const int32_t channels = source->output->transparent ? 4 : 3;
    *snapshot = (coif_hdr_snapshot){.width = window.x1 - window.x0,
                                    .height = window.y1 - window.y0,
                                    .channel_count = channels,
                                    .output = *source->output};
    const int32_t count = snapshot->width * snapshot->height;
    const size_t bytes = sizeof(float) * (size_t)channels;
    const coif_aov *denoised =
        film->denoised != NULL ? coif_aovs_find(&film->aovs, "denoised") : NULL;
    snapshot->pixels = coif_arena_new(arena, channels * (int64_t)count, float);
    if (denoised != NULL) {
        snapshot->denoised = coif_arena_new(arena, channels * (int64_t)count, float);
    }
    for (int32_t i = 0; i < count; ++i) {
        float value[COIF_MAX_AOV_CHANNELS];
        const size_t index =
            coif_film_index(film, window.x0 + i % snapshot->width, window.y0 + i / snapshot->width);
        coif_film_value(film, index, &film->aovs.list[0], value);
        memcpy(snapshot->pixels + channels * (int64_t)i, value, bytes);
        if (denoised != NULL) { // with the alpha of beauty
            coif_film_value(film, index, denoised, value);
            memcpy(snapshot->denoised + channels * (int64_t)i, value, bytes);
        }
    }
}

coif_status coif_hdr_snapshot_encode(char **data, size_t *size, const coif_hdr_snapshot *snapshot,
                                     float stops, bool denoised, coif_arena *arena,
                                     coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "snapshot");
    const coif_output_params *output = &snapshot->output;
    const float *from =
        denoised && snapshot->denoised != NULL ? snapshot->denoised : snapshot->pixels;
    const int32_t count = snapshot->width * snapshot->height, channels = snapshot->channel_count;
    float *pixels = coif_arena_new(&scratch, channels * (int64_t)count, float);
    memcpy(pixels, from, sizeof *pixels * (size_t)channels * (size_t)count);
    COIF_TRY(coif_output_to_display(output, stops, pixels, count, channels, error));
    const coif_image_type type = coif_display_type(output, "snapshot.png");
    const coif_image_desc desc = {.width = snapshot->width,
                                  .height = snapshot->height,
                                  .channel_count = channels,
                                  .channel_types = (coif_image_type[]){type, type, type, type},
                                  .pixels = pixels,
                                  .srgb = coif_output_needs_srgb(output),
                                  .fast = true};
    return coif_image_encode(data, size, "snapshot.png", &desc, arena, error);
}
