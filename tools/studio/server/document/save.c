// Saves the maps and edited guides, then the scene that references them, then restarts the journal.
#include "core/base/hash64.h"
#include "core/json/json.h"
#include "tools/studio/server/document/studio.h"

#include <string.h>

// The scene file on disk.
typedef struct scene_file {
    char *text; // NULL: deleted
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

static coif_status fail_modified(const char *path, coif_error *error)
{
    return coif_fail(
        error, COIF_ERR_IO,
        "%s was modified by another program since it was opened; save again to overwrite it", path);
}

// Before anything is written: whether a file was modified externally.
static coif_status check_unmodified(const coif_studio *studio, coif_arena *scratch, bool *modified,
                                    coif_error *error)
{
    scene_file file;
    COIF_TRY(read_file(&file, studio, scratch, error));
    *modified = true;
    if (file.text == NULL) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s was deleted since it was opened; save again to write it",
                         studio->path);
    }
    if (coif_hash64(file.text, file.size) != studio->file_digest) {
        return fail_modified(studio->path, error);
    }
    for (int32_t i = 0; i < studio->maps.count; ++i) {
        const coif_paint_map *map = &studio->maps.items[i];
        const char *path = map->referenced ? coif_paint_map_modified_file(map) : NULL;
        if (path != NULL) {
            return fail_modified(path, error);
        }
    }
    for (int32_t i = 0; i < studio->hair.count; ++i) {
        const coif_edited_guides *edited = &studio->hair.items[i];
        if (edited->referenced && coif_edited_guides_modified_file(edited)) {
            return fail_modified(edited->path, error);
        }
    }
    *modified = false;
    return COIF_OK;
}

static coif_status save_hair(coif_studio *studio, coif_error *error)
{
    for (int32_t i = 0; i < studio->hair.count; ++i) {
        coif_edited_guides *edited = &studio->hair.items[i];
        if (edited->referenced && edited->dirty) {
            COIF_TRY(coif_edited_guides_save(edited, error));
        }
    }
    return COIF_OK;
}

static coif_status save_scene(coif_studio *studio, coif_arena *scratch, coif_error *error)
{
    scene_file old;
    COIF_TRY(read_file(&old, studio, scratch, error));
    const size_t length = strlen(studio->text);
    const uint64_t digest = coif_hash64(studio->text, length);
    if (old.text == NULL || digest != coif_hash64(old.text, old.size)) {
        COIF_TRY(coif_keep_previous(studio->path, error));
        COIF_TRY(coif_journal_add(&studio->journal, COIF_OP_BASE, (const char *)&digest,
                                  sizeof digest, error));
        // A symbolic link is kept and its target written.
        const char *path = coif_path_real(studio->path, scratch);
        COIF_TRY(coif_file_save(path, studio->text, length, error));
    }
    studio->file_digest = studio->text_digest = digest;
    studio->replayed = 0; // nothing of the journal is unsaved any more
    coif_paint_maps_mark_saved(&studio->maps);
    coif_hair_edits_mark_saved(&studio->hair);
    studio->history.journaled = studio->history.end;
    return coif_journal_restart(&studio->journal, digest, error);
}

// A dirty map and its copy.
typedef struct dirty_map {
    coif_paint_map *map;
    coif_paint_map copy;
} dirty_map;

// Tells the pages which map is written: large ones take seconds.
static void report_progress(const coif_studio *studio, const coif_paint_map *map, int32_t index,
                            int32_t count)
{
    COIF_SCOPED_ARENA(scratch, "progress");
    const char *name = coif_json_quote(coif_path_name(map->path), &scratch);
    const char *text =
        coif_arena_print(&scratch, "{\"file\": %s, \"index\": %d, \"of\": %d}", name, index, count);
    coif_broadcast_event(&studio->broadcast, "save", text);
}

// Writes copies without the lock, so that painting is not blocked; shared files once.
static coif_status save_copies(coif_studio *studio, dirty_map *all, int32_t *count,
                               coif_arena *arena, coif_error *error)
{
    for (int32_t i = 0; i < studio->maps.count; ++i) {
        coif_paint_map *map = &studio->maps.items[i];
        if (map->referenced && coif_paint_map_dirty(map) &&
            !coif_paint_maps_is_duplicate(&studio->maps, i)) {
            coif_paint_map_copy(&all[*count].copy, map, arena);
            all[(*count)++].map = map;
        }
    }
    pthread_mutex_unlock(&studio->lock);
    coif_status status = COIF_OK;
    int32_t tried = 0;
    while (tried < *count && status == COIF_OK) {
        report_progress(studio, &all[tried].copy, tried, *count);
        status = coif_paint_map_save(&all[tried++].copy, error);
    }
    pthread_mutex_lock(&studio->lock);
    for (int32_t i = 0; i < tried; ++i) {
        coif_paint_map_stamp_files(all[i].map);
    }
    return status;
}

// Whether the files of a map were painted after a revision.
static bool is_newer(const coif_studio *studio, const coif_paint_map *map, uint64_t revision)
{
    for (int32_t i = 0; i < studio->maps.count; ++i) {
        if (studio->maps.items[i].udims == map->udims &&
            studio->maps.items[i].revision > revision) {
            return true;
        }
    }
    return false;
}

static void mark_clean(coif_paint_map *map)
{
    for (int32_t i = 0; i < map->udim_count; ++i) {
        map->udims[i].dirty = false;
    }
}

// Maps that were painted meanwhile are written with the lock held: afterwards none is dirty.
static coif_status save_maps(coif_studio *studio, coif_arena *arena, coif_error *error)
{
    dirty_map *all = coif_arena_new(arena, COIF_MAX_PAINT_MAPS, dirty_map);
    int32_t count = 0;
    const uint64_t revision = studio->revision;
    COIF_TRY(save_copies(studio, all, &count, arena, error));
    for (int32_t i = 0; i < count; ++i) {
        if (!is_newer(studio, all[i].map, revision)) {
            mark_clean(all[i].map);
        }
    }
    for (int32_t i = 0; i < studio->maps.count; ++i) {
        coif_paint_map *map = &studio->maps.items[i];
        if (map->referenced && coif_paint_map_dirty(map)) {
            const coif_status status = coif_paint_map_save(map, error);
            coif_paint_map_stamp_files(map);
            COIF_TRY(status);
            mark_clean(map);
        }
    }
    return COIF_OK;
}

coif_status coif_studio_save(coif_studio *studio, bool force, bool *modified, coif_error *error)
{
    *modified = false;
    COIF_SCOPED_ARENA(scratch, "saving");
    pthread_mutex_lock(&studio->saving); // an older copy must not replace a newer one
    pthread_mutex_lock(&studio->lock);
    coif_status status = force ? COIF_OK : check_unmodified(studio, &scratch, modified, error);
    if (status == COIF_OK) {
        status = save_maps(studio, &scratch, error);
    }
    if (status == COIF_OK) {
        status = save_hair(studio, error);
    }
    if (status == COIF_OK) {
        status = save_scene(studio, &scratch, error);
    }
    pthread_mutex_unlock(&studio->lock);
    pthread_mutex_unlock(&studio->saving);
    return status;
}
