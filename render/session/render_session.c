// render_session: a film that is filled in passes and read as float buffers.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "render/denoise/denoise.h"
#include "render/session/tile_scheduler.h"

#include <string.h>

struct coif_render_session {
    coif_render_session_desc desc;
    coif_arena arena; // of the film
    coif_film film;
    bool is_coarse; // the film holds a pass with a pixel step
};

coif_status coif_render_session_create(coif_render_session **session,
                                       const coif_render_session_desc *desc, coif_arena *arena,
                                       coif_error *error)
{
    const coif_rect *region = &desc->region;
    if (desc->width < 1 || desc->height < 1 || region->x0 < 0 || region->y0 < 0 ||
        region->x1 > desc->width || region->y1 > desc->height) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "region [%d, %d) x [%d, %d) is not inside an image of %d x %d pixels",
                         region->x0, region->x1, region->y0, region->y1, desc->width, desc->height);
    }
    coif_render_session *made = coif_arena_new(arena, 1, coif_render_session);
    made->desc = *desc;
    coif_arena_init(&made->arena, "film");
    const coif_film_desc film = {desc->width, desc->height, desc->region, desc->aovs, desc->splat};
    coif_film_init(&made->film, &film, &made->arena);
    *session = made;
    return COIF_OK;
}

void coif_render_session_destroy(coif_render_session *session)
{
    if (session != NULL) {
        coif_arena_free(&session->arena);
    }
}

coif_film *coif_render_session_film(coif_render_session *session)
{
    return &session->film;
}

coif_status coif_render_session_render(coif_render_session *session, const coif_render_pass *pass,
                                       coif_error *error)
{
    const coif_render_session_desc *desc = &session->desc;
    if (session->is_coarse || pass->pixel_step > 1) {
        coif_film_clear(&session->film);
    }
    session->is_coarse = pass->pixel_step > 1;
    coif_sampling_params sampling = desc->sampling;
    sampling.samples = pass->samples;
    const coif_tile_pass tiles = {
        .scene = desc->scene,
        .sampling = &sampling,
        .transparent = desc->scene->transparent,
        .pixel_step = pass->pixel_step,
        .checkpoint_seconds = pass->checkpoint_seconds,
        .checkpoint = pass->checkpoint,
        .context = pass->context,
    };
    coif_progress_begin(desc->progress, pass->title != NULL ? pass->title : "rendering",
                        coif_tiles_samples_left(&session->film, pass->samples), "samples");
    const coif_status status =
        coif_tiles_render_pass(&session->film, &tiles, desc->jobs, desc->progress, error);
    coif_progress_end(desc->progress);
    return status;
}

coif_status coif_render_session_denoise(coif_render_session *session, coif_error *error)
{
    if (session->film.aovs.offset[COIF_AOV_DENOISED] < 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "the AOV \"denoised\" was not selected for this session");
    }
    return coif_film_denoise(&session->film, session->desc.jobs, session->desc.progress,
                             &session->arena, error);
}

coif_status coif_render_session_read(const coif_render_session *session, const char *aov,
                                     coif_rect window, float *pixels, coif_error *error)
{
    const coif_film *film = &session->film;
    const coif_aov *found = coif_aovs_find(&film->aovs, aov);
    if (found == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "the AOV \"%s\" was not selected", aov);
    }
    if (window.x1 <= window.x0) {
        window = film->region;
    }
    const coif_rect inside = coif_rect_intersect(window, film->region);
    if (memcmp(&inside, &window, sizeof window) != 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "window [%d, %d) x [%d, %d) is not inside the rendered region", window.x0,
                         window.x1, window.y0, window.y1);
    }
    for (int32_t y = window.y0; y < window.y1; ++y) {
        for (int32_t x = window.x0; x < window.x1; ++x, pixels += found->channel_count) {
            float values[COIF_MAX_AOV_CHANNELS];
            coif_film_value(film, coif_film_index(film, x, y), found, values);
            memcpy(pixels, values, (size_t)found->channel_count * sizeof *pixels);
        }
    }
    return COIF_OK;
}
