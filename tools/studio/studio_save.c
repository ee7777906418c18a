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

// A layer that is behind, as it was at a revision.
typedef struct behind {
    coif_layer *layer;
    coif_layer copy;
} behind;

// Without the lock: painting goes on while large maps are written. All files that are behind, once
// each however many layers are in them.
static coif_status save_copies(coif_studio *studio, behind *all, int32_t *count, coif_arena *arena,
                               coif_error *error)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        coif_layer *layer = &studio->layers[i];
        if (layer->listed && coif_layer_dirty(layer) && !coif_layers_told(studio, i)) {
            coif_layer_copy(&all[*count].copy, layer, arena);
            all[(*count)++].layer = layer;
        }
    }
    pthread_mutex_unlock(&studio->lock);
    coif_status status = COIF_OK;
    for (int32_t i = 0; i < *count && status == COIF_OK; ++i) {
        status = coif_layer_save(&all[i].copy, error);
    }
    pthread_mutex_lock(&studio->lock);
    return status;
}

// Whether anybody has painted into the files of a layer after a revision.
static bool is_newer(const coif_studio *studio, const coif_layer *layer, uint64_t revision)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        if (studio->layers[i].squares == layer->squares && studio->layers[i].revision > revision) {
            return true;
        }
    }
    return false;
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
    behind *all = coif_arena_new(arena, COIF_MOST_LAYERS, behind);
    int32_t count = 0;
    const uint64_t revision = studio->revision;
    COIF_TRY(save_copies(studio, all, &count, arena, error));
    for (int32_t i = 0; i < count; ++i) {
        if (!is_newer(studio, all[i].layer, revision)) {
            make_clean(all[i].layer);
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
