// Saving: maps first, then the scene that names them, then the journal begins anew.
#include "core/digest.h"
#include "tools/studio/layer_files.h"
#include "tools/studio/layers.h"

#include <string.h>

static coif_status save_scene(coif_studio *studio, bool force, coif_arena *scratch,
                              coif_error *error)
{
    char *old;
    size_t size;
    COIF_TRY(coif_file_load(&old, &size, studio->path, scratch, error));
    const size_t length = strlen(studio->text);
    const uint64_t digest = coif_digest(studio->text, length);
    const uint64_t there = coif_digest(old, size);
    if (there != studio->saved && !force) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: somebody else has changed it since it was opened; save again to "
                         "overwrite it",
                         studio->path);
    }
    if (digest != there) {
        COIF_TRY(coif_file_save(coif_previous_name(studio->path, scratch), old, size, error));
        COIF_TRY(coif_file_save(studio->path, studio->text, length, error));
    }
    studio->saved = studio->saved_text = digest;
    return coif_journal_restart(&studio->journal, digest, error);
}

// Without the lock: painting goes on while large maps are written. Copies are of all layers that
// are behind.
static coif_status save_copies(coif_studio *studio, coif_layer *copies, int32_t *count,
                               coif_arena *arena, coif_error *error)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        if (studio->layers[i].listed && coif_layer_dirty(&studio->layers[i])) {
            coif_layer_copy(&copies[(*count)++], &studio->layers[i], arena);
        }
    }
    pthread_mutex_unlock(&studio->lock);
    coif_status status = COIF_OK;
    for (int32_t i = 0; i < *count && status == COIF_OK; ++i) {
        status = coif_layer_save(&copies[i], error);
    }
    pthread_mutex_lock(&studio->lock);
    return status;
}

static void make_clean(coif_layer *layer)
{
    for (int32_t i = 0; i < layer->square_count; ++i) {
        layer->squares[i].dirty = false;
    }
}

// What was painted meanwhile is written with the lock held: after this nothing is behind.
static coif_status save_layers(coif_studio *studio, coif_arena *arena, coif_error *error)
{
    coif_layer *copies = coif_arena_new(arena, COIF_MOST_LAYERS, coif_layer);
    int32_t count = 0;
    COIF_TRY(save_copies(studio, copies, &count, arena, error));
    for (int32_t i = 0; i < count; ++i) {
        coif_layer *layer = coif_layers_find(studio, copies[i].path);
        if (layer->revision == copies[i].revision) {
            make_clean(layer);
        }
    }
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        coif_layer *layer = &studio->layers[i];
        if (layer->listed && coif_layer_dirty(layer)) {
            COIF_TRY(coif_layer_save(layer, error));
            make_clean(layer);
        }
    }
    return COIF_OK;
}

coif_status coif_studio_save(coif_studio *studio, bool force, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "saving");
    pthread_mutex_lock(&studio->saving); // an older copy must not come over a newer one
    pthread_mutex_lock(&studio->lock);
    coif_status status = save_layers(studio, &scratch, error);
    if (status == COIF_OK) {
        status = save_scene(studio, force, &scratch, error);
    }
    pthread_mutex_unlock(&studio->lock);
    pthread_mutex_unlock(&studio->saving);
    coif_arena_free(&scratch);
    return status;
}
