#include "tools/studio/server/document/studio.h"

#include "core/base/hash64.h"
#include "core/base/log.h"
#include "core/json/json.h"
#include "core/json/json_edit.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static const coif_overrides NO_OVERRIDES = {NULL, 0};

static const coif_image *find_image(void *data, const char *path)
{
    const coif_studio *studio = data;
    return coif_paint_maps_image(studio->maps.items, studio->maps.count, path);
}

static coif_status load_scene(coif_scene *scene, const coif_studio *studio, const char *text,
                              const coif_overrides *overrides, const coif_image_overrides *images,
                              const coif_guide_overrides *guides, coif_arena *arena,
                              coif_error *error)
{
    const coif_scene_desc desc = {.path = studio->path,
                                  .sets = overrides->items,
                                  .set_count = overrides->count,
                                  .tree = studio->tree,
                                  .plugins = &studio->plugins,
                                  .source = coif_arena_copy_text(arena, text),
                                  .source_size = strlen(text),
                                  .image_overrides = images,
                                  .guide_overrides = guides};
    return coif_scene_load(scene, &desc, arena, error);
}

coif_status coif_studio_scene(coif_scene *scene, const coif_studio *studio,
                              const coif_overrides *overrides, coif_arena *arena, coif_error *error)
{
    return load_scene(scene, studio, studio->text, overrides, &studio->images, &studio->guides,
                      arena, error);
}

coif_status coif_studio_snapshot(coif_scene *scene, coif_revisions *revisions, coif_studio *studio,
                                 const coif_overrides *overrides, coif_arena *arena,
                                 coif_error *error)
{
    coif_image_overrides *images = coif_arena_new(arena, 1, coif_image_overrides);
    coif_guide_overrides *guides = coif_arena_new(arena, 1, coif_guide_overrides);
    pthread_mutex_lock(&studio->lock);
    coif_paint_maps_snapshot(images, &studio->maps, arena);
    coif_hair_edits_snapshot(guides, &studio->hair, arena);
    if (revisions != NULL) {
        *revisions = (coif_revisions){studio->text_revision, coif_hash64("", 0),
                                      coif_studio_hair_revision(studio)};
        for (int32_t i = 0; i < studio->maps.count; ++i) {
            revisions->maps = coif_hash64_extend(revisions->maps, &studio->maps.items[i].revision,
                                                 sizeof(uint64_t));
        }
    }
    const coif_status status =
        load_scene(scene, studio, studio->text, overrides, images, guides, arena, error);
    pthread_mutex_unlock(&studio->lock);
    return status;
}

coif_overrides coif_strand_limit_overrides(int32_t groom, int32_t strands, coif_arena *arena)
{
    const char **items = coif_arena_new(arena, 2, const char *);
    items[0] = coif_arena_print(arena, "grooms/%d/count=%d", groom, strands);
    items[1] = coif_arena_print(arena, "grooms/%d/strands_per_cm2=0", groom);
    return (coif_overrides){items, 2};
}

// Bodies keep pointers into their scene, so they get a parsed scene of their own.
static coif_status read_bodies(coif_body **bodies, int32_t *count, const coif_studio *studio,
                               const char *text, coif_arena *arena, coif_error *error)
{
    coif_scene *scene = coif_arena_new(arena, 1, coif_scene);
    COIF_TRY(load_scene(scene, studio, text, &NO_OVERRIDES, &studio->images, &studio->guides, arena,
                        error));
    return coif_bodies_load(bodies, count, scene, arena, error);
}

// Reloads the bodies only when their section has changed.
static coif_status load_bodies(coif_studio *studio, const coif_scene *scene, coif_error *error)
{
    const uint64_t digest = coif_node_digest(coif_node_at(scene->root, "bodies"), NULL);
    if (studio->bodies != NULL && digest == studio->bodies_digest) {
        return COIF_OK;
    }
    coif_arena *arena = &studio->body_arenas[!studio->body_index];
    coif_arena_init(arena, "bodies");
    coif_body *bodies;
    int32_t count;
    const coif_status status = read_bodies(&bodies, &count, studio, scene->source, arena, error);
    if (status != COIF_OK) {
        coif_arena_free(arena);
        return status;
    }
    coif_root_preview_reset(studio->roots);
    if (studio->bodies != NULL) {
        coif_arena_free(&studio->body_arenas[studio->body_index]);
    }
    studio->bodies = bodies;
    studio->body_count = count;
    studio->bodies_digest = digest;
    studio->body_index = !studio->body_index;
    return COIF_OK;
}

// Composes the maps whose layers differ from those of the current text.
static void compose_changed(coif_studio *studio, const coif_map_stacks *stacks)
{
    for (int32_t i = 0; i < stacks->count; ++i) {
        const coif_map_stack *stack = &stacks->items[i];
        const coif_map_stack *before = coif_map_stacks_find(&studio->stacks, stack->target);
        const int32_t columns = stack->target->columns, tiles = columns * stack->target->rows;
        for (int32_t t = 0; (before == NULL || before->digest != stack->digest) && t < tiles; ++t) {
            coif_tile_texels tile = {.column = t % columns, .row = t / columns};
            if (coif_map_stack_update(stack, &tile, studio->revision)) {
                coif_root_preview_invalidate(studio->roots, stack->target, &tile);
            }
        }
    }
}

// Makes a text the current one if it and the files it references are valid.
static coif_status set_current_text(coif_studio *studio, const char *text, coif_error *error)
{
    coif_arena *arena = &studio->text_arenas[!studio->text_index];
    coif_arena_init(arena, "scene");
    coif_scene scene;
    coif_status status = load_scene(&scene, studio, text, &NO_OVERRIDES, &studio->images,
                                    &studio->guides, arena, error);
    if (status == COIF_OK) {
        status = load_bodies(studio, &scene, error);
    }
    if (status == COIF_OK) {
        status = coif_paint_maps_load_referenced(&studio->maps, &scene, studio->bodies,
                                                 studio->body_count, error);
    }
    if (status == COIF_OK) {
        status = coif_hair_edits_load_referenced(&studio->hair, &scene, error);
    }
    coif_map_stacks stacks;
    if (status == COIF_OK) {
        status = coif_map_stacks_build(&stacks, &studio->maps, &scene, arena, error);
    }
    if (status != COIF_OK) {
        if (studio->text_revision > 0) {
            load_bodies(studio, &studio->scene, NULL); // those of the text that stays
        }
        coif_arena_free(arena);
        return status;
    }
    studio->text_revision = ++studio->revision;
    compose_changed(studio, &stacks);
    if (studio->text_revision > 1) {
        coif_arena_free(&studio->text_arenas[studio->text_index]);
    }
    studio->text_index = !studio->text_index;
    studio->text = coif_arena_copy_text(arena, text);
    studio->scene = scene;
    studio->stacks = stacks;
    return COIF_OK;
}

coif_status coif_studio_journal_append(coif_studio *studio, coif_journal_op op, const char *data,
                                       size_t size, coif_error *error)
{
    return studio->replaying ? COIF_OK : coif_journal_add(&studio->journal, op, data, size, error);
}

static coif_status set_text(coif_studio *studio, const char *text, const char *stroke,
                            coif_error *error)
{
    if (strcmp(text, studio->text) == 0) {
        return COIF_OK;
    }
    COIF_SCOPED_ARENA(scratch, "editing");
    const char *before = coif_arena_copy_text(&scratch, studio->text);
    COIF_TRY(set_current_text(studio, text, error));
    coif_strbuf op;
    coif_strbuf_init(&op, &scratch);
    coif_strbuf_add_bytes(&op, stroke, strlen(stroke) + 1);
    coif_strbuf_add_bytes(&op, text, strlen(text));
    const coif_status status =
        coif_studio_journal_append(studio, COIF_OP_EDIT, op.data, op.size, error);
    if (status == COIF_OK) {
        coif_history_add_text(&studio->history, stroke, before, text);
    } else {
        set_current_text(studio, before, NULL); // not in the journal: revert
    }
    return status;
}

static coif_status edit_text(char **text, const char *name, const coif_edit *edit,
                             coif_arena *arena, coif_error *error)
{
    const coif_json_text before = {name, *text, strlen(*text)};
    return edit->value != NULL
               ? coif_json_set(text, &before, edit->pointer, edit->value, arena, error)
               : coif_json_remove(text, &before, edit->pointer, arena, error);
}

coif_status coif_studio_edit(coif_studio *studio, const coif_edit *edits, int32_t count,
                             const char *stroke, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "editing");
    char *text = coif_arena_copy_text(&scratch, studio->text);
    for (int32_t i = 0; i < count; ++i) {
        COIF_TRY(edit_text(&text, coif_path_name(studio->path), &edits[i], &scratch, error));
    }
    COIF_TRY(coif_studio_check_groups(studio, text, error));
    return set_text(studio, text, stroke, error);
}

// Reads all records before the first tile is written: malformed ones change nothing.
static coif_status check_tiles(const coif_paint_map *map, const coif_bytes *tiles,
                               coif_error *error)
{
    coif_tile_reader reader = {.data = tiles->data, .size = tiles->size};
    coif_tile_texels tile;
    coif_error cause = {0};
    while (coif_tile_next(&reader, map, &tile, &cause)) {
    }
    return cause.status == COIF_OK ? COIF_OK : coif_fail(error, cause.status, "%s", cause.text);
}

// Writes a tile, and the maps that it is a layer of.
static void write_tile(coif_studio *studio, coif_paint_map *map, const coif_tile_texels *tile,
                       uint64_t revision)
{
    coif_paint_map_write(map, tile, revision);
    coif_root_preview_invalidate(studio->roots, map, tile);
    for (int32_t i = 0; i < studio->stacks.count; ++i) {
        const coif_map_stack *stack = &studio->stacks.items[i];
        coif_tile_texels composed = {.column = tile->column, .row = tile->row};
        if (coif_map_stack_has_layer(stack, map) &&
            coif_map_stack_update(stack, &composed, revision)) {
            coif_root_preview_invalidate(studio->roots, stack->target, &composed);
        }
    }
}

coif_status coif_studio_paint(coif_studio *studio, coif_paint_map *map, const char *stroke,
                              const coif_bytes *tiles, coif_error *error)
{
    COIF_TRY(check_tiles(map, tiles, error));
    if (coif_map_stacks_find(&studio->stacks, map) != NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s is composed of layers; paint one of its layers", map->path);
    }
    COIF_SCOPED_ARENA(scratch, "painting");
    coif_strbuf op;
    coif_strbuf_init(&op, &scratch);
    coif_strbuf_add_bytes(&op, stroke, strlen(stroke) + 1);
    const char *name = coif_paint_maps_name(&studio->maps, map, &scratch);
    coif_strbuf_add_bytes(&op, name, strlen(name) + 1);
    coif_strbuf_add_bytes(&op, tiles->data, tiles->size);
    // On disk first: a change that was confirmed to a client survives a crash.
    COIF_TRY(coif_studio_journal_append(studio, COIF_OP_STROKE, op.data, op.size, error));

    const uint64_t revision = ++studio->revision;
    coif_tile_reader reader = {.data = tiles->data, .size = tiles->size};
    coif_tile_texels tile;
    while (coif_tile_next(&reader, map, &tile, NULL)) {
        coif_history_add_tile(&studio->history, map, stroke, &tile);
        write_tile(studio, map, &tile, revision);
    }
    return COIF_OK;
}

static void apply_tiles(coif_studio *studio, const coif_history_step *step, bool forward)
{
    const uint64_t revision = ++studio->revision;
    for (const coif_map_delta *delta = step->maps; delta != NULL; delta = delta->next) {
        for (const coif_tile_delta *tile = delta->tiles; tile != NULL; tile = tile->next) {
            coif_tile_texels texels = {.column = tile->column, .row = tile->row};
            coif_paint_map_read(delta->map, &texels);
            if (coif_tile_delta_apply(&texels, tile, forward)) {
                write_tile(studio, delta->map, &texels, revision);
            }
        }
    }
}

static void apply_guides(coif_studio *studio, const coif_history_step *step, bool forward)
{
    const uint64_t revision = ++studio->revision;
    for (const coif_guide_delta *delta = step->guides; delta != NULL; delta = delta->next) {
        coif_edited_guides_write(step->edited, delta->guide,
                                 forward ? &delta->after : &delta->before, revision);
    }
}

static coif_status apply(coif_studio *studio, const coif_history_step *step, bool forward,
                         coif_error *error)
{
    if (!forward) {
        apply_tiles(studio, step, false);
    }
    if (step->text_before != NULL) {
        const coif_status status =
            set_current_text(studio, forward ? step->text_after : step->text_before, error);
        if (status != COIF_OK) {
            apply_tiles(studio, step, true);
            return status;
        }
    }
    if (forward) {
        apply_tiles(studio, step, true);
    }
    apply_guides(studio, step, forward);
    return COIF_OK;
}

// Appends the result of a step that is not in the journal itself, as one step.
static coif_status journal_result(coif_studio *studio, const coif_history_step *step, bool forward,
                                  uint64_t since, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "outcome");
    const char *stroke =
        coif_arena_print(&scratch, "result %llu", (unsigned long long)studio->revision);
    if (step->text_before != NULL) {
        const char *text = forward ? step->text_after : step->text_before;
        coif_strbuf op;
        coif_strbuf_init(&op, &scratch);
        coif_strbuf_add_bytes(&op, stroke, strlen(stroke) + 1);
        coif_strbuf_add_bytes(&op, text, strlen(text));
        COIF_TRY(coif_studio_journal_append(studio, COIF_OP_EDIT, op.data, op.size, error));
    }
    if (step->edited != NULL) {
        COIF_TRY(coif_studio_journal_guides(studio, step->edited, stroke, since, error));
    }
    for (const coif_map_delta *delta = step->maps; delta != NULL; delta = delta->next) {
        coif_strbuf op;
        coif_strbuf_init(&op, &scratch);
        coif_strbuf_add_bytes(&op, stroke, strlen(stroke) + 1);
        const char *name = coif_paint_maps_name(&studio->maps, delta->map, &scratch);
        coif_strbuf_add_bytes(&op, name, strlen(name) + 1);
        coif_paint_map_pack(delta->map, since, &op);
        COIF_TRY(coif_studio_journal_append(studio, COIF_OP_STROKE, op.data, op.size, error));
    }
    return COIF_OK;
}

static coif_status journal_undo_or_redo(coif_studio *studio, const coif_history_step *step,
                                        bool forward, uint64_t since, coif_error *error)
{
    coif_history *history = &studio->history;
    if (history->done - forward >= history->journaled) {
        return coif_studio_journal_append(studio, forward ? COIF_OP_REDO : COIF_OP_UNDO, "", 0,
                                          error);
    }
    COIF_TRY(journal_result(studio, step, forward, since, error));
    history->journaled = history->end; // the journal has it as a new operation
    return COIF_OK;
}

// Applies and journals one step; after a failure nothing has changed.
static coif_status undo_or_redo(coif_studio *studio, bool forward, bool *done, coif_error *error)
{
    coif_history *history = &studio->history;
    const coif_history_step *step =
        forward ? coif_history_redo(history) : coif_history_undo(history);
    *done = step != NULL;
    if (step == NULL) {
        return COIF_OK;
    }
    const uint64_t since = studio->revision;
    coif_status status = apply(studio, step, forward, error);
    if (status == COIF_OK) {
        status = journal_undo_or_redo(studio, step, forward, since, error);
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
    return undo_or_redo(studio, false, done, error);
}

coif_status coif_studio_redo(coif_studio *studio, bool *done, coif_error *error)
{
    return undo_or_redo(studio, true, done, error);
}

static coif_status replay_stroke(coif_studio *studio, const char *data, size_t size,
                                 coif_error *error)
{
    const char *stroke = data;
    const size_t stroke_size = strnlen(data, size) + 1;
    const char *path = data + stroke_size;
    const size_t path_size = stroke_size < size ? strnlen(path, size - stroke_size) + 1 : 1;
    if (stroke_size + path_size > size) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: malformed record of a stroke",
                         studio->journal.path);
    }
    coif_paint_map *map = coif_paint_maps_find_name(&studio->maps, path);
    if (map == NULL) {
        coif_log(COIF_LOG_WARNING,
                 "%s: the scene no longer references the map %s; its strokes are ignored",
                 studio->journal.path, path);
        return COIF_OK;
    }
    const coif_bytes tiles = {studio->journal.path, path + path_size,
                              size - stroke_size - path_size};
    return coif_studio_paint(studio, map, stroke, &tiles, error);
}

static coif_status replay_text(coif_studio *studio, const char *stroke, const char *data,
                               size_t size, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "replay");
    return set_text(studio, coif_arena_print(&scratch, "%.*s", (int)size, data), stroke, error);
}

static coif_status replay(void *context, coif_journal_op op, const char *data, size_t size,
                          coif_error *error)
{
    coif_studio *studio = context;
    bool done;
    switch (op) {
    case COIF_OP_STROKE:
        return replay_stroke(studio, data, size, error);
    case COIF_OP_UNDO:
        return coif_studio_undo(studio, &done, error);
    case COIF_OP_REDO:
        return coif_studio_redo(studio, &done, error);
    case COIF_OP_NEW_MAP:
        return coif_paint_maps_replay_new(&studio->maps,
                                          &(coif_bytes){studio->journal.path, data, size}, error);
    case COIF_OP_BRUSH:
        return coif_studio_replay_brush(studio, &(coif_bytes){studio->journal.path, data, size},
                                        error);
    case COIF_OP_GUIDES:
        return coif_studio_replay_guides(studio, &(coif_bytes){studio->journal.path, data, size},
                                         error);
    case COIF_OP_SCENE:
        return replay_text(studio, "", data, size, error);
    case COIF_OP_EDIT: {
        const size_t stroke_size = strnlen(data, size) + 1;
        return stroke_size > size
                   ? coif_fail(error, COIF_ERR_FORMAT, "%s: malformed record of an edit",
                               studio->journal.path)
                   : replay_text(studio, data, data + stroke_size, size - stroke_size, error);
    }
    case COIF_OP_BASE:
        break;
    }
    return COIF_OK;
}

static bool holds_groom(const char *folder)
{
    DIR *list = opendir(folder);
    bool found = false;
    struct dirent *entry;
    while (list != NULL && !found && (entry = readdir(list)) != NULL) {
        found = coif_path_has_extension(entry->d_name, "groom");
    }
    if (list != NULL) {
        closedir(list);
    }
    return found;
}

// The cache of a take, beside its scene: the folder bob.take1 of bob.take1.json. NULL: none.
static const char *own_cache(const char *path, coif_arena *arena)
{
    const char *extension = strrchr(coif_path_name(path), '.');
    const char *folder =
        extension != NULL ? coif_arena_print(arena, "%.*s", (int)(extension - path), path) : path;
    return holds_groom(folder) ? folder : NULL;
}

coif_status coif_studio_open(coif_studio *studio, const coif_studio_desc *desc, coif_arena *arena,
                             coif_error *error)
{
    *studio =
        (coif_studio){.path = coif_arena_copy_text(arena, desc->path),
                      .folder = coif_path_folder(desc->path, arena),
                      .cache = desc->cache != NULL ? desc->cache : own_cache(desc->path, arena),
                      .tree = desc->tree,
                      .plugins = desc->plugins,
                      .eval_map = desc->eval_map,
                      .jobs = desc->jobs,
                      .text = "",
                      .journal = {.descriptor = -1}};
    pthread_mutex_init(&studio->lock, NULL);
    pthread_mutex_init(&studio->saving, NULL);
    studio->images = (coif_image_overrides){studio, find_image};
    studio->guides = (coif_guide_overrides){&studio->hair, coif_hair_edits_override};
    studio->hair.folder = studio->folder;
    studio->roots = coif_root_preview_new(arena);
    studio->maps.folder = studio->folder;

    char *text;
    size_t size;
    COIF_TRY(coif_file_load(&text, &size, desc->path, arena, error));
    studio->file_digest = studio->text_digest = coif_hash64(text, size);
    COIF_TRY(set_current_text(studio, text, error));
    const char *journal =
        coif_arena_print(arena, "%s/.%s.journal", studio->folder, coif_path_name(desc->path));
    studio->replaying = true;
    const coif_replay all = {studio->file_digest, replay, studio};
    const coif_status status =
        coif_journal_open(&studio->journal, journal, &all, &studio->replayed, error);
    studio->replaying = false;
    return status;
}

void coif_studio_close(coif_studio *studio)
{
    const bool dirty = coif_studio_dirty(studio);
    if (!dirty) {
        coif_paint_maps_remove_unsaved(&studio->maps);
        coif_hair_edits_remove_unsaved(&studio->hair);
    }
    coif_journal_close(&studio->journal, !dirty);
    coif_history_clear(&studio->history);
    coif_root_preview_reset(studio->roots);
    coif_paint_maps_free(&studio->maps);
    coif_hair_edits_free(&studio->hair);
    if (studio->brush_surfaces != NULL) {
        coif_arena_free(&studio->brush_arena);
    }
    if (studio->text_revision > 0) {
        coif_arena_free(&studio->text_arenas[studio->text_index]);
        coif_arena_free(&studio->body_arenas[studio->body_index]);
    }
}

bool coif_studio_dirty(const coif_studio *studio)
{
    if (coif_hash64(studio->text, strlen(studio->text)) != studio->text_digest) {
        return true;
    }
    for (int32_t i = 0; i < studio->maps.count; ++i) {
        if (studio->maps.items[i].referenced && coif_paint_map_dirty(&studio->maps.items[i])) {
            return true;
        }
    }
    for (int32_t i = 0; i < studio->hair.count; ++i) {
        if (studio->hair.items[i].referenced && studio->hair.items[i].dirty) {
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
    coif_broadcast_event(&studio->broadcast, "state", text);
}

// Length of text without an incomplete UTF-8 sequence at its end.
static size_t whole_characters(const char *text, size_t length)
{
    size_t start = length;
    while (start > 0 && length - start < 3 && ((unsigned char)text[start - 1] & 0xc0) == 0x80) {
        --start; // continuation bytes
    }
    if (start == 0) {
        return length;
    }
    const unsigned char lead = (unsigned char)text[start - 1];
    const size_t needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    return length - start + 1 < needed ? start - 1 : length;
}

const char *coif_error_json(const coif_error *error, coif_arena *arena)
{
    const size_t length = strlen(error->text);
    const char *text = error->text;
    if (length == sizeof error->text - 1) {
        text = coif_arena_print(arena, "%.*s ...", (int)whole_characters(text, length), text);
    }
    return coif_arena_print(arena, "{\"error\": %s}", coif_json_quote(text, arena));
}

void coif_studio_report_error(coif_studio *studio, const coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "failure");
    coif_broadcast_event(&studio->broadcast, "failure", coif_error_json(error, &scratch));
}
