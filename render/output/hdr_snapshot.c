#include "render/output/hdr_snapshot.h"

#include "core/base/arena.h"
#include "core/image/image.h"
#include "render/math/fast_math.h"
#include "render/output/tonemap.h"

#include <string.h>

void coif_hdr_snapshot_capture(coif_hdr_snapshot *negative, const coif_hdr_snapshot_source *source,
                               coif_arena *arena)
{
    const coif_film *film = source->film;
    const bool all = source->window.x1 <= source->window.x0;
    const coif_rect window = all ? film->region : source->window;
    *negative = (coif_hdr_snapshot){.width = window.x1 - window.x0,
                                    .height = window.y1 - window.y0,
                                    .view = source->image->view,
                                    .exposure = source->image->exposure};
    const int32_t count = negative->width * negative->height;
    negative->pixels = coif_arena_new(arena, 3 * (int64_t)count, float);
    const coif_aov *denoised =
        film->denoised != NULL ? coif_aovs_find(&film->aovs, "denoised") : NULL;
    for (int32_t i = 0; i < count; ++i) {
        float from[COIF_MAX_AOV_CHANNELS];
        const size_t index =
            coif_film_index(film, window.x0 + i % negative->width, window.y0 + i / negative->width);
        coif_film_value(film, index, denoised != NULL ? denoised : &film->aovs.list[0], from);
        memcpy(negative->pixels + 3 * (size_t)i, from, 3 * sizeof *from);
    }
}

coif_status coif_hdr_snapshot_write_display(const coif_hdr_snapshot *negative, float stops,
                                            const char *path, coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "negative");
    const float gain = coif_fast_exp((negative->exposure + stops) * 0.693147181f);
    const int32_t count = negative->width * negative->height;
    float *pixels = coif_arena_new(&arena, 3 * (int64_t)count, float);
    for (int32_t i = 0; i < count; ++i) {
        const float *from = negative->pixels + 3 * (size_t)i;
        const coif_vec3 seen =
            coif_view_transform_apply((coif_view_transform)negative->view,
                                      (coif_vec3){gain * from[0], gain * from[1], gain * from[2]});
        memcpy(pixels + 3 * (size_t)i, &seen, sizeof seen);
    }
    const coif_image_desc desc = {.width = negative->width,
                                  .height = negative->height,
                                  .channel_count = 3,
                                  .pixels = pixels,
                                  .srgb = true};
    const coif_status status = coif_image_save(path, &desc, error);
    coif_arena_free(&arena);
    return status;
}
