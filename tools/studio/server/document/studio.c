#include "tools/studio/server/document/studio.h"

#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/json/json.h"
#include "core/json/json_edit.h"
#include "tools/studio/server/document/paint_maps.h"
#include "tools/studio/server/document/root_preview.h"
#include "tools/studio/server/live/cache_playback.h"

#include <stdio.h>
#include <string.h>

static const coif_image *find_picture(void *data, const char *path)
{
    const coif_studio *studio = data;
    return coif_paint_maps_picture(studio->layers, studio->layer_count, path);
}

coif_status coif_studio_scene(coif_scene *scene, const coif_studio *studio, const char *const *sets,
                              int32_t set_count, const coif_image_overrides *pictures,
                              coif_arena *arena, coif_error *error)
{
    const coif_scene_desc desc = {
        .path = studio->path,
        .sets = sets,
        .set_count = set_count,
        .tree = studio->tree,
        .plugins = &studio->plugins,
        .source = coif_arena_copy_text(arena, studio->text),
        .source_size = strlen(studio->text),
        .image_overrides = pictures,
    };
    return coif_scene_load(scene, &desc, arena, error);
}

static coif_status load_text(coif_scene *scene, const coif_studio *studio, const char *text,
                             coif_arena *arena, coif_error *error)
{
    char *copy = coif_arena_copy_text(arena, text);
    const coif_scene_desc desc = {.path = studio->path,
                                  .tree = studio->tree,
                                  .plugins = &studio->plugins,
                                  .source = copy,
                                  .source_size = strlen(copy),
                                  .image_overrides = &studio->pictures};
    return coif_scene_load(scene, &desc, arena, error);
}

// Bodies know the words of the scene they were made from, so they have a reading of it to
// themselves.
static coif_status read_bodies(coif_body **bodies, int32_t *count, const coif_studio *studio,
                               const char *text, coif_arena *arena, coif_error *error)
{
    coif_scene *scene = coif_arena_new(arena, 1, coif_scene);
    COIF_TRY(load_text(scene, studio, text, arena, error));
    return coif_bodies_load(bodies, count, scene, arena, error);
}

// Bodies are read again only when the scene says something else of them.
static coif_status load_bodies(coif_studio *studio, const coif_scene *scene, coif_error *error)
{
    const uint64_t digest = coif_node_digest(coif_node_at(scene->root, "bodies"), NULL);
    if (studio->bodies != NULL && digest == studio->bodies_digest) {
        return COIF_OK;
    }
    coif_arena *arena = &studio->body_arenas[!studio->body_turn];
    coif_arena_init(arena, "bodies");
    coif_body *bodies;
    int32_t count;
    const coif_status status = read_bodies(&bodies, &count, studio, scene->source, arena, error);
    if (status != COIF_OK) {
        coif_arena_free(arena);
        return status;
    }
    coif_roots_view_reset(studio->roots);
    if (studio->bodies != NULL) {
        coif_arena_free(&studio->body_arenas[studio->body_turn]);
    }
    studio->bodies = bodies;
    studio->body_count = count;
    studio->bodies_digest = digest;
    studio->body_turn = !studio->body_turn;
    return COIF_OK;
}

// Makes a text the present one: it must be right, as must the files it names.
static coif_status adopt(coif_studio *studio, const char *text, coif_error *error)
{
    coif_arena *arena = &studio->text_arenas[!studio->text_turn];
    coif_arena_init(arena, "scene");
    coif_scene scene;
    coif_status status = load_text(&scene, studio, text, arena, error);
    if (status == COIF_OK) {
        status = load_bodies(studio, &scene, error);
    }
    if (status == COIF_OK) {
        status = coif_paint_maps_follow(studio, &scene, error);
    }
    if (status != COIF_OK) {
        coif_arena_free(arena);
        return status;
    }
    if (studio->text_revision > 0) {
        coif_arena_free(&studio->text_arenas[studio->text_turn]);
    }
    studio->text_turn = !studio->text_turn;
    studio->text = coif_arena_copy_text(arena, text);
    studio->scene = scene;
    studio->text_revision = ++studio->revision;
    return COIF_OK;
}

coif_status coif_studio_journal_append(coif_studio *studio, coif_journal_op deed, const char *data,
                                       size_t size, coif_error *error)
{
    return studio->replaying ? COIF_OK
                             : coif_journal_add(&studio->journal, deed, data, size, error);
}

coif_status coif_studio_set_text(coif_studio *studio, const char *text, const char *stroke,
                                 coif_error *error)
{
    if (strcmp(text, studio->text) == 0) {
        return COIF_OK;
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "editing");
    const char *before = coif_arena_copy_text(&scratch, studio->text);
    coif_status status = adopt(studio, text, error);
    if (status == COIF_OK) {
        status = coif_studio_journal_append(studio, COIF_DEED_SCENE, text, strlen(text), error);
        if (status == COIF_OK) {
            coif_history_text(&studio->history, stroke, before, text);
        } else {
            adopt(studio, before, NULL); // what is not on the disk is not there
        }
    }
    coif_arena_free(&scratch);
    return status;
}

static coif_status edit_text(char **text, const char *name, const coif_edit *edit,
                             coif_arena *arena, coif_error *error)
{
    const coif_json_text before = {name, *text, strlen(*text)};
    return edit->value != NULL
               ? coif_json_set(text, &before, edit->place, edit->value, arena, error)
               : coif_json_remove(text, &before, edit->place, arena, error);
}

coif_status coif_studio_edit(coif_studio *studio, const coif_edit *edits, int32_t count,
                             const char *stroke, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "editing");
    char *text = coif_arena_copy_text(&scratch, studio->text);
    coif_status status = COIF_OK;
    for (int32_t i = 0; i < count && status == COIF_OK; ++i) {
        status = edit_text(&text, coif_path_name(studio->path), &edits[i], &scratch, error);
    }
    if (status == COIF_OK) {
        status = coif_studio_set_text(studio, text, stroke, error);
    }
    coif_arena_free(&scratch);
    return status;
}

// All tiles are read before the first is written, so that bad bytes change nothing.
static coif_status check_tiles(const coif_paint_map *layer, const coif_bytes *tiles,
                               coif_error *error)
{
    coif_tile_reader reader = {.data = tiles->data, .size = tiles->size};
    coif_tile_texels tile;
    coif_error mine = {0};
    while (coif_tile_next(&reader, layer, &tile, &mine)) {
    }
    return mine.status == COIF_OK ? COIF_OK : coif_fail(error, mine.status, "%s", mine.text);
}

coif_status coif_studio_paint(coif_studio *studio, coif_paint_map *layer, const char *stroke,
                              const coif_bytes *tiles, coif_error *error)
{
    COIF_TRY(check_tiles(layer, tiles, error));
    coif_arena scratch;
    coif_arena_init(&scratch, "painting");
    coif_strbuf deed;
    coif_strbuf_init(&deed, &scratch);
    coif_strbuf_add_bytes(&deed, stroke, strlen(stroke) + 1);
    const char *name = coif_paint_maps_name(studio, layer, &scratch);
    coif_strbuf_add_bytes(&deed, name, strlen(name) + 1);
    coif_strbuf_add_bytes(&deed, tiles->data, tiles->size);
    // On the disk first: what a page was told is there stays there.
    const coif_status status =
        coif_studio_journal_append(studio, COIF_DEED_STROKE, deed.data, deed.size, error);
    coif_arena_free(&scratch);
    COIF_TRY(status);

    const uint64_t revision = ++studio->revision;
    coif_tile_reader reader = {.data = tiles->data, .size = tiles->size};
    coif_tile_texels tile;
    while (coif_tile_next(&reader, layer, &tile, NULL)) {
        coif_history_touch(&studio->history, layer, stroke, &tile);
        coif_paint_map_write(layer, &tile, revision);
        coif_roots_view_touch(studio->roots, layer, &tile);
    }
    return COIF_OK;
}

static coif_status apply(coif_studio *studio, const coif_history_step *step, bool forward,
                         coif_error *error)
{
    if (step->layer == NULL) {
        return adopt(studio, forward ? step->text_after : step->text_before, error);
    }
    const uint64_t revision = ++studio->revision;
    for (const coif_touched *tile = step->tiles; tile != NULL; tile = tile->next) {
        coif_tile_texels texels;
        coif_history_texels(&texels, tile, forward);
        coif_paint_map_write(step->layer, &texels, revision);
        coif_roots_view_touch(studio->roots, step->layer, &texels);
    }
    return COIF_OK;
}

// What a step has led to, for a journal that does not know the step.
static coif_status write_outcome(coif_studio *studio, const coif_history_step *step, bool forward,
                                 coif_error *error)
{
    if (step->layer == NULL) {
        const char *text = forward ? step->text_after : step->text_before;
        return coif_studio_journal_append(studio, COIF_DEED_SCENE, text, strlen(text), error);
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "outcome");
    coif_strbuf deed;
    coif_strbuf_init(&deed, &scratch);
    coif_strbuf_add_bytes(&deed, "", 1);
    const char *name = coif_paint_maps_name(studio, step->layer, &scratch);
    coif_strbuf_add_bytes(&deed, name, strlen(name) + 1);
    coif_paint_map_pack(step->layer, studio->revision - 1, &deed);
    const coif_status status =
        coif_studio_journal_append(studio, COIF_DEED_STROKE, deed.data, deed.size, error);
    coif_arena_free(&scratch);
    return status;
}

static coif_status write_walk(coif_studio *studio, const coif_history_step *step, bool forward,
                              coif_error *error)
{
    coif_history *history = &studio->history;
    if (history->done - forward >= history->written) {
        return coif_studio_journal_append(studio, forward ? COIF_DEED_REDO : COIF_DEED_UNDO, "", 0,
                                          error);
    }
    COIF_TRY(write_outcome(studio, step, forward, error));
    history->written = history->end; // to the journal it was something new
    return COIF_OK;
}

// A step back or forth; what cannot be done or written down leaves everything as it was.
static coif_status walk(coif_studio *studio, bool forward, bool *done, coif_error *error)
{
    coif_history *history = &studio->history;
    const coif_history_step *step =
        forward ? coif_history_redo(history) : coif_history_undo(history);
    *done = step != NULL;
    if (step == NULL) {
        return COIF_OK;
    }
    coif_status status = apply(studio, step, forward, error);
    if (status == COIF_OK) {
        status = write_walk(studio, step, forward, error);
        if (status != COIF_OK) {
            apply(studio, step, !forward, NULL);
        }
    }
    if (status != COIF_OK) {
        (void)(forward ? coif_history_undo(history) : coif_history_redo(history));
    }
    return status;
}

coif_status coif_studio_undo(coif_studio *studio, bool *done, coif_error *error)
{
    return walk(studio, false, done, error);
}

coif_status coif_studio_redo(coif_studio *studio, bool *done, coif_error *error)
{
    return walk(studio, true, done, error);
}

static coif_status replay_stroke(coif_studio *studio, const char *data, size_t size,
                                 coif_error *error)
{
    const char *stroke = data;
    const size_t stroke_size = strnlen(data, size) + 1;
    const char *path = data + stroke_size;
    const size_t path_size = stroke_size < size ? strnlen(path, size - stroke_size) + 1 : 1;
    if (stroke_size + path_size > size) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: a stroke makes no sense",
                         studio->journal.path);
    }
    coif_paint_map *layer = coif_paint_maps_find_name(studio, path);
    if (layer == NULL) {
        coif_log(COIF_LOG_WARNING, "%s: %s is no layer any more; its strokes are left out",
                 studio->journal.path, path);
        return COIF_OK;
    }
    const coif_bytes tiles = {studio->journal.path, path + path_size,
                              size - stroke_size - path_size};
    return coif_studio_paint(studio, layer, stroke, &tiles, error);
}

static coif_status replay(void *context, coif_journal_op deed, const char *data, size_t size,
                          coif_error *error)
{
    coif_studio *studio = context;
    bool done;
    switch (deed) {
    case COIF_DEED_STROKE:
        return replay_stroke(studio, data, size, error);
    case COIF_DEED_UNDO:
        return coif_studio_undo(studio, &done, error);
    case COIF_DEED_REDO:
        return coif_studio_redo(studio, &done, error);
    case COIF_DEED_LAYER:
        return coif_paint_maps_replay(studio, data, size, error);
    case COIF_DEED_SCENE: {
        coif_arena scratch;
        coif_arena_init(&scratch, "replay");
        char *text = coif_arena_print(&scratch, "%.*s", (int)size, data);
        const coif_status status = coif_studio_set_text(studio, text, "", error);
        coif_arena_free(&scratch);
        return status;
    }
    case COIF_DEED_BASE:
        break;
    }
    return COIF_OK;
}

coif_status coif_studio_open(coif_studio *studio, const coif_studio_desc *desc, coif_arena *arena,
                             coif_error *error)
{
    *studio = (coif_studio){.path = coif_arena_copy_text(arena, desc->path),
                            .folder = coif_path_folder(desc->path, arena),
                            .cache = desc->cache,
                            .tree = desc->tree,
                            .plugins = desc->plugins,
                            .jobs = desc->jobs,
                            .text = "",
                            .journal = {.descriptor = -1}};
    pthread_mutex_init(&studio->lock, NULL);
    pthread_mutex_init(&studio->saving, NULL);
    studio->pictures = (coif_image_overrides){studio, find_picture};
    studio->roots = coif_roots_view_new(arena);
    studio->playback = coif_playback_new(arena);

    char *text;
    size_t size;
    COIF_TRY(coif_file_load(&text, &size, desc->path, arena, error));
    studio->saved = studio->saved_text = coif_hash64(text, size);
    COIF_TRY(adopt(studio, text, error));
    const char *journal =
        coif_arena_print(arena, "%s/.%s.journal", studio->folder, coif_path_name(desc->path));
    studio->replaying = true;
    const coif_replay all = {studio->saved, replay, studio};
    const coif_status status =
        coif_journal_open(&studio->journal, journal, &all, &studio->replayed, error);
    studio->replaying = false;
    return status;
}

void coif_studio_close(coif_studio *studio)
{
    const bool dirty = coif_studio_dirty(studio);
    if (!dirty) {
        coif_paint_maps_tidy(studio);
    }
    coif_journal_close(&studio->journal, !dirty);
    coif_history_clear(&studio->history);
    coif_roots_view_reset(studio->roots);
    coif_paint_maps_free(studio);
    coif_playback_free(studio->playback);
    if (studio->text_revision > 0) {
        coif_arena_free(&studio->text_arenas[studio->text_turn]);
        coif_arena_free(&studio->body_arenas[studio->body_turn]);
    }
}

bool coif_studio_dirty(const coif_studio *studio)
{
    if (coif_hash64(studio->text, strlen(studio->text)) != studio->saved_text) {
        return true;
    }
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        if (studio->layers[i].listed && coif_paint_map_dirty(&studio->layers[i])) {
            return true;
        }
    }
    return false;
}

void coif_studio_broadcast_state(coif_studio *studio)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"revision\": %llu, \"scene\": %llu, \"undo\": %lld, \"redo\": %lld, \"dirty\": %s}",
             (unsigned long long)studio->revision, (unsigned long long)studio->text_revision,
             (long long)(studio->history.done - studio->history.first),
             (long long)(studio->history.end - studio->history.done),
             coif_studio_dirty(studio) ? "true" : "false");
    coif_http_send(studio->http, "state", text);
}

void coif_studio_report_error(coif_studio *studio, const coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "trouble");
    const char *cut = coif_arena_print(&scratch, "%.1000s", error->text);
    coif_http_send(studio->http, "failure",
                   coif_arena_print(&scratch, "{\"error\": %s}", coif_json_quote(cut, &scratch)));
    coif_arena_free(&scratch);
}
