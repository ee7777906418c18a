#include "render/shading/texture_cache.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/log.h"

#include <math.h>
#include <string.h>

// Radiance must be finite and not negative. Merged HDR images often have a few slightly negative
// pixels, which become black; NaN and infinity are errors.
static coif_status check_light(coif_image *image, const char *path, coif_error *error)
{
    const size_t channels = (size_t)image->channel_count;
    const size_t count = (size_t)image->width * (size_t)image->height * channels;
    size_t below = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(image->pixels[i])) {
            const size_t pixel = i / channels;
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: pixel %zu,%zu is %s where light must be a finite number", path,
                             pixel % (size_t)image->width, pixel / (size_t)image->width,
                             isnan(image->pixels[i]) ? "not a number" : "infinite");
        }
        if (image->pixels[i] < 0.0f) {
            image->pixels[i] = 0.0f;
            ++below;
        }
    }
    if (below > 0) {
        coif_log(COIF_LOG_WARNING, "%s: %zu values below 0 are taken as black", path, below);
    }
    return COIF_OK;
}

coif_status coif_texture_cache_load(const coif_image_texture **texture,
                                    coif_texture_cache *textures, const char *path,
                                    coif_error *error)
{
    for (coif_image_texture *known = textures->first; known != NULL; known = known->next) {
        if (strcmp(known->path, path) == 0) {
            *texture = known;
            return COIF_OK;
        }
    }
    coif_image_texture *made = coif_arena_new(textures->arena, 1, coif_image_texture);
    COIF_TRY(coif_image_load_full(&made->image, path, textures->arena, error));
    const coif_image *image = &made->image;
    if (image->width < 1 || image->height < 1 || image->channel_count < 1) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: an image without pixels", path);
    }
    coif_image_linearise(&made->image);
    COIF_TRY(check_light(&made->image, path, error));
    made->path = coif_arena_copy_text(textures->arena, path);
    made->digest =
        coif_hash64(image->pixels, sizeof(float) * (size_t)image->width * (size_t)image->height *
                                       (size_t)image->channel_count);
    made->next = textures->first;
    textures->first = made;
    *texture = made;
    return COIF_OK;
}

bool coif_param_is_set(const coif_param_source *from, const char *row)
{
    const coif_value *value = coif_values_find(&from->node->values, row);
    return value != NULL && value->given;
}

coif_status coif_param_error(const coif_param_source *from, const char *row,
                             const coif_error *cause, coif_error *error)
{
    // An invalid image name is an error of the scene, not of the command line.
    const coif_status status = cause->status == COIF_ERR_ARGUMENT ? COIF_ERR_SCENE : cause->status;
    const char *scene = from->textures->scene;
    return coif_fail(error, status, "%s%s%s/%s: %s", scene != NULL ? scene : "",
                     scene != NULL ? ": " : "", from->node->path, row, cause->text);
}
