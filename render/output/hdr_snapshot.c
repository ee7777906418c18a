#include "render/output/hdr_snapshot.h"

#include "core/base/arena.h"
#include "core/image/image.h"
#include "render/math/fast_math.h"
#include "render/output/tonemap.h"

#include <string.h>

void coif_hdr_snapshot_capture(coif_hdr_snapshot *snapshot, const coif_hdr_snapshot_source *source,
                               coif_arena *arena)
{
    const coif_film *film = source->film;
    const bool whole = source->window.x1 <= source->window.x0;
    const coif_rect window = whole ? film->region : source->window;
    *snapshot = (coif_hdr_snapshot){.width = window.x1 - window.x0,
                                    .height = window.y1 - window.y0,
                                    .view = source->output->view,
                                    .exposure = source->output->exposure};
    const int32_t count = snapshot->width * snapshot->height;
    snapshot->pixels = coif_arena_new(arena, 3 * (int64_t)count, float);
    const coif_aov *denoised =
        film->denoised != NULL ? coif_aovs_find(&film->aovs, "denoised") : NULL;
    for (int32_t i = 0; i < count; ++i) {
        float from[COIF_MAX_AOV_CHANNELS];
        const size_t index =
            coif_film_index(film, window.x0 + i % snapshot->width, window.y0 + i / snapshot->width);
        coif_film_value(film, index, denoised != NULL ? denoised : &film->aovs.list[0], from);
        memcpy(snapshot->pixels + 3 * (size_t)i, from, 3 * sizeof *from);
    }
}

coif_status coif_hdr_snapshot_write_display(const coif_hdr_snapshot *snapshot, float stops,
                                            const char *path, coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "snapshot");
    const float gain = coif_fast_exp((snapshot->exposure + stops) * 0.693147181f);
    const int32_t count = snapshot->width * snapshot->height;
    float *pixels = coif_arena_new(&arena, 3 * (int64_t)count, float);
    for (int32_t i = 0; i < count; ++i) {
        const float *from = snapshot->pixels + 3 * (size_t)i;
        const coif_vec3 display = coif_view_transform_apply(
            snapshot->view, (coif_vec3){gain * from[0], gain * from[1], gain * from[2]});
        memcpy(pixels + 3 * (size_t)i, &display, sizeof display);
    }
    const coif_image_desc desc = {.width = snapshot->width,
                                  .height = snapshot->height,
                                  .channel_count = 3,
                                  .pixels = pixels,
                                  .srgb = true};
    const coif_status status = coif_image_save(path, &desc, error);
    coif_arena_free(&arena);
    return status;
}
