// Saving: maps first, then the scene that names them, then the journal begins anew.
#include "core/base/hash64.h"
#include "tools/studio/server/document/paint_map_io.h"
#include "tools/studio/server/document/paint_maps.h"

#include <string.h>

// The scene file as it is on the disk.
typedef struct scene_file {
    char *text; // NULL: it is gone
    size_t size;
} scene_file;

static coif_status read_file(scene_file *file, const coif_studio *studio, coif_arena *scratch,
                             coif_error *error)
{
    *file = (scene_file){0};
    return coif_path_exists(studio->path)
               ? coif_file_load(&file->text, &file->size, studio->path, scratch, error)
               : COIF_OK;
}

// Before anything is written: whether a file is no longer as it was read or written here.
static coif_status find_foreign(const coif_studio *studio, coif_arena *scratch, bool *foreign,
                                coif_error *error)
{
    scene_file file;
    COIF_TRY(read_file(&file, studio, scratch, error));
    *foreign = true;
    if (file.text == NULL) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: somebody has taken it away since it was opened; save again to write "
                         "it anew",
                         studio->path);
    }
    if (coif_hash64(file.text, file.size) != studio->saved) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: somebody else has changed it since it was opened; save again to "
                         "overwrite it",
                         studio->path);
    }
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        const coif_paint_map *layer = &studio->layers[i];
        const char *path = layer->listed ? coif_paint_map_foreign(layer) : NULL;
        if (path != NULL) {
            return coif_fail(error, COIF_ERR_IO,
                             "%s: somebody else has changed it since it was opened; save again to "
                             "overwrite it",
                             path);
        }
    }
    *foreign = false;
    return COIF_OK;
}

static coif_status save_scene(coif_studio *studio, coif_arena *scratch, coif_error *error)
{
    scene_file old;
    COIF_TRY(read_file(&old, studio, scratch, error));
    const size_t length = strlen(studio->text);
    const uint64_t digest = coif_hash64(studio->text, length);
    const bool gone = old.text == NULL;
    if (gone || digest != coif_hash64(old.text, old.size)) {
        if (!gone) {
            COIF_TRY(coif_file_save(coif_previous_name(studio->path, scratch), old.text, old.size,
                                    error));
        }
        // A link stays one: what it leads to is written.
        const char *path = coif_path_real(studio->path, scratch);
        COIF_TRY(coif_file_save(path, studio->text, length, error));
    }
    studio->saved = studio->saved_text = digest;
    coif_paint_maps_keep(studio);
    studio->history.written = studio->history.end;
    return coif_journal_restart(&studio->journal, digest, error);
}

// A layer that is behind, as it was at a revision.
typedef struct behind {
    coif_paint_map *layer;
    coif_paint_map copy;
} behind;

// Without the lock: painting goes on while large maps are written. All files that are behind, once
// each however many layers are in them.
static coif_status save_copies(coif_studio *studio, behind *all, int32_t *count, coif_arena *arena,
                               coif_error *error)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        coif_paint_map *layer = &studio->layers[i];
        if (layer->listed && coif_paint_map_dirty(layer) && !coif_paint_maps_told(studio, i)) {
            coif_paint_map_copy(&all[*count].copy, layer, arena);
            all[(*count)++].layer = layer;
        }
    }
    pthread_mutex_unlock(&studio->lock);
    coif_status status = COIF_OK;
    int32_t tried = 0;
    while (tried < *count && status == COIF_OK) {
        status = coif_paint_map_save(&all[tried++].copy, error);
    }
    pthread_mutex_lock(&studio->lock);
    for (int32_t i = 0; i < tried; ++i) {
        coif_paint_map_note_files(all[i].layer);
    }
    return status;
}

// Whether anybody has painted into the files of a layer after a revision.
static bool is_newer(const coif_studio *studio, const coif_paint_map *layer, uint64_t revision)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        if (studio->layers[i].squares == layer->squares && studio->layers[i].revision > revision) {
            return true;
        }
    }
    return false;
}

static void make_clean(coif_paint_map *layer)
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
        coif_paint_map *layer = &studio->layers[i];
        if (layer->listed && coif_paint_map_dirty(layer)) {
            const coif_status status = coif_paint_map_save(layer, error);
            coif_paint_map_note_files(layer);
            COIF_TRY(status);
            make_clean(layer);
        }
    }
    return COIF_OK;
}

coif_status coif_studio_save(coif_studio *studio, bool force, bool *foreign, coif_error *error)
{
    *foreign = false;
    coif_arena scratch;
    coif_arena_init(&scratch, "saving");
    pthread_mutex_lock(&studio->saving); // an older copy must not come over a newer one
    pthread_mutex_lock(&studio->lock);
    coif_status status = force ? COIF_OK : find_foreign(studio, &scratch, foreign, error);
    if (status == COIF_OK) {
        status = save_layers(studio, &scratch, error);
    }
    if (status == COIF_OK) {
        status = save_scene(studio, &scratch, error);
    }
    pthread_mutex_unlock(&studio->lock);
    pthread_mutex_unlock(&studio->saving);
    coif_arena_free(&scratch);
    return status;
}
