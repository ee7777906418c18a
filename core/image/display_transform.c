#include "core/image/display_transform.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/image/image_format.h"
#include "core/image/image_oiio.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct coif_display_transform {
    const coif_oiio_module *module;
    void *processor;
    uint64_t key; // of the description and of the configuration file
    uint64_t digest;
    struct coif_display_transform *next;
};

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static coif_status find_config(const char **config, const coif_display_desc *desc,
                               coif_error *error)
{
    *config = text_or_empty(desc->config);
    if ((*config)[0] == '\0') {
        *config = text_or_empty(getenv("OCIO"));
    }
    return (*config)[0] != '\0'
               ? COIF_OK
               : coif_fail(error, COIF_ERR_SCENE,
                           "no OpenColorIO configuration: expected a file, or one in the "
                           "environment variable OCIO");
}

static coif_status find_key(uint64_t *key, const coif_display_desc *desc, const char *config,
                            coif_arena *arena, coif_error *error)
{
    char *data;
    size_t size;
    COIF_TRY(coif_file_load(&data, &size, config, arena, error));
    *key = coif_hash64(data, size);
    const char *const texts[] = {config, desc->display, desc->view, desc->look, desc->color_space};
    for (size_t i = 0; i < COIF_COUNT_OF(texts); ++i) {
        const char *text = text_or_empty(texts[i]);
        *key = coif_hash64_extend(*key, text, strlen(text) + 1);
    }
    for (int i = 0; i < COIF_MAX_SPACE_NAMES && desc->known_spaces[i] != NULL; ++i) {
        *key = coif_hash64_extend(*key, desc->known_spaces[i], strlen(desc->known_spaces[i]) + 1);
    }
    return COIF_OK;
}

// Colours from black to highlights, in steps of a factor of 2.
static coif_status digest_response(coif_display_transform *transform, coif_error *error)
{
    enum { STEPS = 12, COUNT = STEPS * STEPS * STEPS };
    COIF_SCOPED_ARENA(arena, "display transform");
    float *pixels = coif_arena_new(&arena, 3 * COUNT, float);
    for (int32_t i = 0; i < COUNT; ++i) {
        const int32_t steps[3] = {i % STEPS, i / STEPS % STEPS, i / (STEPS * STEPS)};
        for (int c = 0; c < 3; ++c) {
            pixels[3 * i + c] = steps[c] == 0 ? 0.0f : (float)(1 << steps[c]) / 256.0f;
        }
    }
    COIF_TRY(coif_display_transform_apply(transform, pixels, COUNT, 3, error));
    transform->digest = coif_hash64_extend(transform->key, pixels, 3 * COUNT * sizeof *pixels);
    return COIF_OK;
}

static coif_status create(coif_display_transform *transform, const coif_display_desc *desc,
                          const char *config, coif_error *error)
{
    COIF_TRY(coif_oiio_module_load(&transform->module, error));
    const coif_display_names names = {.config = config,
                                      .display = text_or_empty(desc->display),
                                      .view = text_or_empty(desc->view),
                                      .look = text_or_empty(desc->look),
                                      .color_space = text_or_empty(desc->color_space),
                                      .known_spaces = desc->known_spaces};
    coif_image_failure failure = {0};
    transform->processor = transform->module->display_open(&names, &failure);
    if (transform->processor == NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: %s", config, failure.text);
    }
    return digest_response(transform, error);
}

static coif_status find_or_create(const coif_display_transform **found,
                                  coif_display_transform **first, const coif_display_desc *desc,
                                  coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "display transform");
    const char *config;
    uint64_t key;
    COIF_TRY(find_config(&config, desc, error));
    COIF_TRY(find_key(&key, desc, config, &scratch, error));
    for (const coif_display_transform *known = *first; known != NULL; known = known->next) {
        if (known->key == key) {
            *found = known;
            return COIF_OK;
        }
    }
    static coif_arena arena; // of the process
    if (*first == NULL) {
        coif_arena_init(&arena, "display transforms");
    }
    coif_display_transform *made = coif_arena_new(&arena, 1, coif_display_transform);
    *made = (coif_display_transform){.key = key, .next = *first};
    COIF_TRY(create(made, desc, config, error));
    *found = *first = made;
    return COIF_OK;
}

coif_status coif_display_transform_open(const coif_display_transform **transform,
                                        const coif_display_desc *desc, coif_error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static coif_display_transform *first;

    pthread_mutex_lock(&lock);
    const coif_status status = find_or_create(transform, &first, desc, error);
    pthread_mutex_unlock(&lock);
    return status;
}

coif_status coif_display_transform_apply(const coif_display_transform *transform, float *pixels,
                                         int64_t count, int32_t channels, coif_error *error)
{
    coif_image_failure failure = {0};
    return transform->module->display_apply(transform->processor, pixels, count, channels, &failure)
               ? COIF_OK
               : coif_fail(error, COIF_ERR_FORMAT, "display transform: %s", failure.text);
}

uint64_t coif_display_transform_digest(const coif_display_transform *transform)
{
    return transform->digest;
}
