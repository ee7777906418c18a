#include "tools/studio/server/document/paint_map_create.h"

#include "core/json/json.h"
#include "tools/studio/server/document/growth_surface.h"

#include <string.h>
#include <unistd.h>

static bool is_valid_name(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && length <= 60 && name[0] != '.' && strpbrk(name, "/\\:<>") == NULL;
}

const char *coif_paint_map_file_stem(const char *name, coif_arena *arena)
{
    char *stem = coif_arena_copy_text(arena, name);
    for (char *c = stem; *c != '\0'; ++c) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                           (*c >= '0' && *c <= '9') || *c == '_' || *c == '-';
        *c = plain ? *c : '_';
    }
    return stem;
}

static bool is_in_use(const char *path, const int32_t *numbers, int32_t count, coif_arena *arena)
{
    for (int32_t i = 0; i < count; ++i) {
        if (coif_path_exists(coif_udim_tile_path(path, numbers[i], arena))) {
            return true;
        }
    }
    return count == 0 && coif_path_exists(path);
}

// NULL for image formats that cannot be imported.
static const char *extension_of(const coif_new_paint_map *desc)
{
    static const char *const known[] = {"exr", "tif", "tiff", "png"};
    for (size_t i = 0; desc->image_count > 0 && i < COIF_COUNT_OF(known); ++i) {
        if (coif_path_has_extension(desc->images[0].name, known[i])) {
            return known[i];
        }
    }
    // Only float files hold values outside 0..1.
    const char *extension =
        desc->like != NULL && desc->like->is_float && !desc->is_mask ? "exr" : "png";
    return desc->image_count > 0 ? NULL : extension;
}

// maps/bob_density.png, numbered when that exists, with <UDIM> for several UDIM tiles.
static const char *free_name(const coif_studio *studio, const coif_new_paint_map *desc,
                             const int32_t *numbers, int32_t count, coif_arena *arena)
{
    const char *scene = coif_path_name(studio->path);
    const int stem = (int)strcspn(scene, ".");
    const char *name = coif_paint_map_file_stem(desc->name, arena);
    const char *end =
        coif_arena_print(arena, "%s.%s", count > 0 ? ".<UDIM>" : "", extension_of(desc));
    const char *relative = coif_arena_print(arena, "maps/%.*s_%s%s", stem, scene, name, end);
    for (int i = 2;
         is_in_use(coif_path_join(studio->folder, relative, arena), numbers, count, arena); ++i) {
        relative = coif_arena_print(arena, "maps/%.*s_%s_%d%s", stem, scene, name, i, end);
    }
    return relative;
}

// Values that the texels of the copy are a rounding of.
static void refine(coif_paint_map *map, const coif_paint_map *from)
{
    double values[COIF_TILE_TEXELS];
    for (int32_t i = 0; i < map->columns * map->rows; ++i) {
        coif_tile_texels tile = {.column = i % map->columns, .row = i / map->columns};
        int32_t inside;
        if (coif_paint_map_udim_at(map, tile.column, tile.row, &inside) != NULL) {
            coif_paint_map_read(map, &tile);
            coif_paint_map_read_values(from, tile.column, tile.row, values);
            coif_paint_map_refine(map, &tile, values, map->revision);
        }
    }
}

// A map of one value, or a copy of another.
static coif_status create(coif_paint_map *map, const char *path, const coif_new_paint_map *desc,
                          const int32_t *numbers, int32_t count, coif_error *error)
{
    const coif_paint_map *from = desc->like;
    const bool in_range = from != NULL && !desc->is_mask;
    const coif_paint_map_shape shape = {.width = from != NULL ? from->width : desc->size,
                                        .height = from != NULL ? from->height : desc->size,
                                        .numbers = numbers,
                                        .number_count = count,
                                        .low = in_range ? from->low : 0.0f,
                                        .high = in_range ? from->high : 1.0f};
    coif_paint_map_make(map, path, &shape, desc->value);
    if (desc->copy != NULL) {
        COIF_SCOPED_ARENA(scratch, "copy");
        coif_strbuf tiles;
        coif_strbuf_init(&tiles, &scratch);
        coif_paint_map_pack(desc->copy, 0, &tiles);
        const coif_bytes bytes = {"tiles", tiles.data, tiles.size};
        COIF_TRY(coif_paint_map_apply_tiles(map, &bytes, error));
        if (desc->copy->is_float) {
            refine(map, desc->copy);
        }
    }
    return coif_paint_map_write_placeholder(map, desc->value, error);
}

// Imported bytes are written to files and loaded like any image; invalid ones never get into the
// scene. Decoding releases the lock.
static coif_status import(coif_paint_map *map, const char *path, const coif_new_paint_map *desc,
                          coif_studio *studio, coif_arena *arena, coif_error *error)
{
    for (int32_t i = 0; i < desc->image_count; ++i) {
        const char *file =
            coif_udim_tile_path(path, desc->numbers != NULL ? desc->numbers[i] : 0, arena);
        COIF_TRY(coif_file_save(file, desc->images[i].data, desc->images[i].size, error));
    }
    pthread_mutex_unlock(&studio->lock);
    coif_error cause = {0};
    const coif_status status = coif_paint_map_load(
        map, path, desc->numbers, desc->numbers != NULL ? desc->image_count : 0, &cause);
    pthread_mutex_lock(&studio->lock);
    // The message names the client's file, not the copy.
    const size_t length = strlen(path);
    const bool names_copy = strncmp(cause.text, path, length) == 0;
    return status == COIF_OK
               ? COIF_OK
               : coif_fail(error, status, "%s%s", names_copy ? desc->images[0].name : "",
                           cause.text + (names_copy ? length : 0));
}

static void remove_files(const char *path, const int32_t *numbers, int32_t count, coif_arena *arena)
{
    for (int32_t i = 0; i < (count > 0 ? count : 1); ++i) {
        unlink(coif_udim_tile_path(path, count > 0 ? numbers[i] : 0, arena));
    }
}

static coif_status check(const coif_new_paint_map *desc, coif_error *error)
{
    if (!is_valid_name(desc->name)) {
        return coif_fail(
            error, COIF_ERR_ARGUMENT,
            "\"%s\": the name of a map has 1 to 60 characters, none of / \\ : < > and no dot first",
            desc->name);
    }
    if (extension_of(desc) == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: PNG, EXR and TIFF files can be imported",
                         desc->images[0].name);
    }
    return COIF_OK;
}

// UDIM numbers of a new map; 0: one file.
static int32_t choose_udims(int32_t numbers[COIF_MAX_UDIMS], const coif_studio *studio,
                            const coif_node *groom, const coif_new_paint_map *desc)
{
    int32_t count = 0;
    coif_growth_surface surface;
    if (desc->like != NULL) {
        while (desc->like->udims[0].number > 0 && count < desc->like->udim_count) {
            numbers[count] = desc->like->udims[count].number;
            ++count;
        }
    } else if (desc->numbers != NULL) {
        count = desc->image_count;
        memcpy(numbers, desc->numbers, sizeof(int32_t) * (size_t)count);
    } else if (desc->image_count == 0 &&
               coif_studio_growth_surface(&surface, studio, groom, NULL) == COIF_OK) {
        count = coif_growth_surface_udims(numbers, COIF_MAX_UDIMS, &surface);
    }
    return count;
}

static coif_status write_journal(coif_studio *studio, const coif_paint_map *map, uint16_t value,
                                 coif_arena *arena, coif_error *error)
{
    coif_strbuf record;
    coif_strbuf_init(&record, arena);
    coif_paint_maps_pack_new(&studio->maps, map, value, &record);
    return coif_studio_journal_append(studio, COIF_OP_NEW_MAP, record.data, record.size, error);
}

// A map that was created and is not yet referenced.
typedef struct created_map {
    const char *relative; // path
    int32_t numbers[COIF_MAX_UDIMS], count;
    bool added; // a map of its own; else it replaced one of the same path
} created_map;

// Forgets maps that were created last and that the scene does not get.
static void discard(coif_studio *studio, const created_map *created, int32_t count,
                    coif_arena *arena)
{
    for (int32_t i = count - 1; i >= 0; --i) {
        if (created[i].added) {
            coif_paint_map_free(&studio->maps.items[--studio->maps.count]);
        }
        remove_files(coif_path_join(studio->folder, created[i].relative, arena), created[i].numbers,
                     created[i].count, arena);
    }
}

// Creates the files of a map. It is inserted before the scene references it, so that its files are
// not loaded again, and in the journal: its files are placeholders.
static coif_status create_map(created_map *created, coif_studio *studio, const coif_node *groom,
                              const coif_new_paint_map *desc, coif_arena *arena, coif_error *error)
{
    const char *folder = coif_path_join(studio->folder, "maps", arena);
    if (coif_path_leads_out(studio->folder, coif_path_join(folder, "new", arena))) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: leads out of the folder of the scene, expected a folder in it",
                         folder);
    }
    COIF_TRY(coif_path_make_directory(folder, error));
    created->count = choose_udims(created->numbers, studio, groom, desc);
    const int32_t *numbers = created->numbers;
    const int32_t count = created->count;
    created->relative = free_name(studio, desc, numbers, count, arena);
    const char *path = coif_path_join(studio->folder, created->relative, arena);
    const bool imported = desc->image_count > 0;
    coif_paint_map map = {0};
    coif_status status = imported ? import(&map, path, desc, studio, arena, error)
                                  : create(&map, path, desc, numbers, count, error);
    if (status == COIF_OK && !imported) {
        status = write_journal(studio, &map, desc->value, arena, error);
    }
    if (status == COIF_OK) {
        const int32_t before = studio->maps.count;
        map.unsaved_new = true;
        status = coif_paint_maps_insert(&studio->maps, &map, error);
        created->added = studio->maps.count > before;
    } else {
        coif_paint_map_free(&map);
    }
    if (status != COIF_OK) {
        remove_files(path, numbers, count, arena);
    }
    return status;
}

static coif_status add(coif_studio *studio, const coif_new_paint_map *desc, coif_arena *arena,
                       coif_error *error)
{
    const coif_node *groom;
    COIF_TRY(coif_studio_groom(&groom, studio, desc->groom, error));
    COIF_TRY(check(desc, error));
    created_map *created = coif_arena_new(arena, 1, created_map);
    COIF_TRY(create_map(created, studio, groom, desc, arena, error));
    const coif_edit edit = {
        coif_arena_print(arena, "/grooms/%d/maps/-", desc->groom),
        coif_arena_print(arena, "{\"name\": %s, \"plugin\": \"density.texture\", \"path\": %s}",
                         coif_json_quote(desc->name, arena),
                         coif_json_quote(created->relative, arena)),
    };
    const coif_status status =
        coif_studio_edit(studio, &edit, 1, desc->stroke != NULL ? desc->stroke : "", error);
    if (status != COIF_OK) {
        discard(studio, created, 1, arena);
    }
    return status;
}

coif_status coif_studio_add_map(coif_studio *studio, const coif_new_paint_map *desc,
                                coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "new paint map");
    pthread_mutex_lock(&studio->lock);
    const coif_status status = add(studio, desc, &scratch, error);
    pthread_mutex_unlock(&studio->lock);
    return status;
}

// ---- layers

// The files of a layer: of its image, and of its mask unless it covers everything.
static coif_status create_layer(created_map *created, int32_t *count, coif_studio *studio,
                                const coif_node *groom, const coif_new_paint_map *image,
                                bool masked, const coif_paint_map *mask, coif_arena *arena,
                                coif_error *error)
{
    COIF_TRY(create_map(&created[*count], studio, groom, image, arena, error));
    ++*count;
    if (!masked) {
        return COIF_OK;
    }
    const coif_new_paint_map desc = {.name = coif_arena_print(arena, "%s_mask", image->name),
                                     .like = mask != NULL ? mask : image->like,
                                     .copy = mask,
                                     .is_mask = true};
    COIF_TRY(create_map(&created[*count], studio, groom, &desc, arena, error));
    ++*count;
    return COIF_OK;
}

// The map that a layer is added to.
static coif_status find_map(coif_paint_map **map, const coif_node **groom, coif_studio *studio,
                            const coif_new_layer *desc, coif_error *error)
{
    COIF_TRY(coif_studio_groom(groom, studio, desc->groom, error));
    const coif_node *maps = coif_node_at(*groom, "maps");
    *map = desc->map >= 0 && desc->map < maps->child_count && !maps->children[desc->map].anonymous
               ? coif_paint_maps_of_node(&studio->maps, &maps->children[desc->map])
               : NULL;
    if (*map == NULL || (*map)->read_only_reason != NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "map=%d: no map that can be painted", desc->map);
    }
    return is_valid_name(desc->name) ? COIF_OK
                                     : coif_fail(error, COIF_ERR_ARGUMENT,
                                                 "\"%s\": the name of a layer has 1 to 60 "
                                                 "characters, none of / \\ : < > and no dot first",
                                                 desc->name);
}

static const char *layer_json(const char *name, const created_map *image, const created_map *mask,
                              coif_arena *arena)
{
    return coif_arena_print(arena, "{\"name\": %s, \"path\": %s%s%s}", coif_json_quote(name, arena),
                            coif_json_quote(image->relative, arena),
                            mask != NULL ? ", \"mask\": " : "",
                            mask != NULL ? coif_json_quote(mask->relative, arena) : "");
}

static coif_status create_layers(created_map *created, int32_t *count, coif_edit *edit,
                                 coif_studio *studio, const coif_new_layer *desc, coif_arena *arena,
                                 coif_error *error)
{
    const coif_node *groom;
    coif_paint_map *map;
    COIF_TRY(find_map(&map, &groom, studio, desc, error));
    const coif_map_stack *stack = coif_map_stacks_find(&studio->stacks, map);
    const char *stem =
        coif_values_find(&coif_node_at(groom, "maps")->children[desc->map].values, "name")->text;
    const coif_map_layer *from = stack != NULL && desc->copy >= 0 && desc->copy < stack->count
                                     ? &stack->layers[desc->copy]
                                     : NULL;
    const char *pointer =
        coif_arena_print(arena, "/grooms/%d/maps/%d/layers", desc->groom, desc->map);
    const char *base = NULL;
    if (stack == NULL) {
        const coif_new_paint_map all = {
            .name = coif_arena_print(arena, "%s_base", stem), .like = map, .copy = map};
        COIF_TRY(create_layer(created, count, studio, groom, &all, false, NULL, arena, error));
        base = layer_json("base", &created[0], NULL, arena);
    }
    const created_map *image = &created[*count];
    const bool masked = from == NULL || from->mask != NULL;
    const coif_new_paint_map own = {.name = coif_arena_print(arena, "%s_%s", stem, desc->name),
                                    .like = map,
                                    .copy = from != NULL ? from->image : NULL};
    COIF_TRY(create_layer(created, count, studio, groom, &own, masked,
                          from != NULL ? from->mask : NULL, arena, error));
    const char *layer = layer_json(desc->name, image, masked ? image + 1 : NULL, arena);
    *edit = base != NULL ? (coif_edit){pointer, coif_arena_print(arena, "[%s, %s]", base, layer)}
                         : (coif_edit){coif_arena_print(arena, "%s/-", pointer), layer};
    return COIF_OK;
}

coif_status coif_studio_add_layer(coif_studio *studio, const coif_new_layer *desc,
                                  coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "new layer");
    pthread_mutex_lock(&studio->lock);
    created_map *created = coif_arena_new(&scratch, 3, created_map);
    int32_t count = 0;
    coif_edit edit;
    coif_status status = create_layers(created, &count, &edit, studio, desc, &scratch, error);
    if (status == COIF_OK) {
        status =
            coif_studio_edit(studio, &edit, 1, desc->stroke != NULL ? desc->stroke : "", error);
    }
    if (status != COIF_OK) {
        discard(studio, created, count, &scratch);
    }
    pthread_mutex_unlock(&studio->lock);
    return status;
}
