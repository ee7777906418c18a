// Renders the ball scene to EXR and loads the image.
#ifndef COIF_TESTS_SUPPORT_RENDER_EXR_H
#define COIF_TESTS_SUPPORT_RENDER_EXR_H

#include "core/image/image.h"
#include "tests/support/render_cache.h"

static inline coif_image render_exr(const char *aovs, const char *const *sets, int32_t count,
                                    coif_arena *arena)
{
    coif_error error = {0};
    coif_image image = {0};
    const char *all[12] = {"image/exr_layout=single", "image/exr_pixel_type=float"};
    for (int32_t i = 0; i < count; ++i) {
        all[2 + i] = sets[i];
    }
    coif_render_desc desc = ball_render_desc(ball_scene(all, 2 + count, arena));
    ball_cache(arena);
    desc.source.aovs = aovs;
    desc.overwrite = true;
    CHECK_OK(ball_render(&desc, 2, arena, &error), error);
    CHECK_OK(coif_image_load(&image, coif_test_path("render0001.exr"), arena, &error), error);
    return image;
}

#endif
