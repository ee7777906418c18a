#include "tools/studio/layers.h"

#include "core/json.h"
#include "tools/studio/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char TEXTURE[] = "density.texture";

coif_layer *coif_layers_find(const coif_studio *studio, const char *path)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        if (strcmp(studio->layers[i].path, path) == 0) {
            return (coif_layer *)&studio->layers[i];
        }
    }
    return NULL;
}

static coif_status find_or_load(coif_layer **found, coif_studio *studio, const char *path,
                                coif_error *error)
{
    *found = coif_layers_find(studio, path);
    if (*found != NULL) {
        return COIF_OK;
    }
    if (studio->layer_count == COIF_MOST_LAYERS) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: more than %d painted maps", path,
                         COIF_MOST_LAYERS);
    }
    coif_layer *layer = &studio->layers[studio->layer_count];
    *layer = (coif_layer){0};
    COIF_TRY(coif_layer_load(layer, path, error));
    ++studio->layer_count;
    *found = layer;
    return COIF_OK;
}

// The path of a map that is one painted file, NULL when it is something else.
static const char *painted_path(const coif_node *map)
{
    if (map->plugin == NULL || strcmp(map->plugin->id, TEXTURE) != 0) {
        return NULL;
    }
    const coif_value *path = coif_values_find(&map->plugin_values, "path");
    const bool one = path != NULL && path->text != NULL && path->text[0] != '\0' &&
                     strstr(path->text, "<UDIM>") == NULL;
    return one ? path->text : NULL;
}

static coif_status follow_map(coif_studio *studio, const coif_node *map, coif_error *error)
{
    const char *path = painted_path(map);
    if (path == NULL) {
        return COIF_OK;
    }
    coif_layer *layer;
    COIF_TRY(find_or_load(&layer, studio, path, error));
    const coif_value *channel = coif_values_find(&map->plugin_values, "channel");
    const int32_t wanted = channel != NULL ? (int32_t)channel->numbers[0] : 0;
    layer->channel = wanted < layer->image.channel_count ? wanted : 0;
    layer->listed = true;
    const coif_value *written = coif_values_find(&map->plugin_values, "path");
    layer->outside = written->source != NULL && coif_guard_leaves(written->source->text);
    return COIF_OK;
}

coif_status coif_layers_follow(coif_studio *studio, const coif_scene *scene, coif_error *error)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        studio->layers[i].listed = false;
    }
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_node *maps = coif_node_at(&grooms->children[g], "maps");
        for (int32_t m = 0; m < maps->child_count; ++m) {
            COIF_TRY(follow_map(studio, &maps->children[m], error));
        }
    }
    return COIF_OK;
}

static bool is_fit(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && length <= 60 && name[0] != '-' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               length;
}

// maps/bob_density.png, or with a number when that is taken.
static const char *free_name(const coif_studio *studio, const char *name, const char *extension,
                             coif_arena *arena)
{
    const char *scene = coif_path_name(studio->path);
    const int stem = (int)strcspn(scene, ".");
    const char *relative = coif_arena_print(arena, "maps/%.*s_%s.%s", stem, scene, name, extension);
    for (int i = 2; coif_path_exists(coif_path_join(studio->folder, relative, arena)); ++i) {
        relative = coif_arena_print(arena, "maps/%.*s_%s_%d.%s", stem, scene, name, i, extension);
    }
    return relative;
}

static coif_status write_first(const char *path, const coif_new_layer *desc, coif_error *error)
{
    if (desc->picture != NULL) {
        // Whatever came in is taken through a file of its own and read as any picture: what cannot
        // be read never gets the name.
        COIF_TRY(coif_file_save(path, desc->picture->data, desc->picture->size, error));
        coif_layer tried = {0};
        const coif_status status = coif_layer_load(&tried, path, error);
        if (status != COIF_OK) {
            unlink(path);
            return status;
        }
        coif_layer_free(&tried);
        return COIF_OK;
    }
    if (desc->copy != NULL) {
        return coif_layer_export(desc->copy, path, error);
    }
    coif_layer made = {0};
    coif_layer_make(&made, path, desc->side, desc->value);
    const coif_status status = coif_layer_export(&made, path, error);
    coif_layer_free(&made);
    return status;
}

static const char *extension_of(const coif_new_layer *desc)
{
    static const char *const known[] = {"exr", "tif", "tiff", "png"};
    for (size_t i = 0; desc->picture != NULL && i < COIF_COUNT_OF(known); ++i) {
        if (coif_path_has_extension(desc->picture->name, known[i])) {
            return known[i];
        }
    }
    return "png";
}

static coif_status add(coif_studio *studio, const coif_new_layer *desc, coif_arena *arena,
                       coif_error *error)
{
    if (!is_fit(desc->name)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "\"%s\": a layer's name has letters, digits, _ and -", desc->name);
    }
    COIF_TRY(coif_path_make_directory(coif_path_join(studio->folder, "maps", arena), error));
    const char *relative = free_name(studio, desc->name, extension_of(desc), arena);
    const char *path = coif_path_join(studio->folder, relative, arena);
    COIF_TRY(write_first(path, desc, error));
    const coif_edit edit = {
        coif_arena_print(arena, "/grooms/%d/maps/-", desc->groom),
        coif_arena_print(arena, "{\"name\": %s, \"plugin\": \"%s\", \"path\": %s}",
                         coif_json_quote(desc->name, arena), TEXTURE,
                         coif_json_quote(relative, arena)),
    };
    const coif_status status = coif_studio_edit(studio, &edit, 1, "", error);
    if (status != COIF_OK) {
        unlink(path);
    }
    return status;
}

coif_status coif_layers_add(coif_studio *studio, const coif_new_layer *desc, coif_error *error)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "new layer");
    const coif_status status = add(studio, desc, &scratch, error);
    coif_arena_free(&scratch);
    return status;
}

coif_status coif_layers_encode(char **data, size_t *size, const coif_layer *layer,
                               const char *extension, coif_arena *arena, coif_error *error)
{
    const char *temporary = coif_arena_print(arena, P_tmpdir "/coif_layer_XXXXXX.%s", extension);
    char *name = coif_arena_copy_text(arena, temporary);
    const int descriptor = mkstemps(name, (int)strlen(extension) + 1);
    if (descriptor < 0) {
        return coif_fail(error, COIF_ERR_IO, "%s: cannot be made", name);
    }
    close(descriptor);
    coif_status status = coif_layer_export(layer, name, error);
    if (status == COIF_OK) {
        status = coif_file_load(data, size, name, arena, error);
    }
    unlink(name);
    return status;
}

typedef struct snapshot {
    int32_t count;
    const char *paths[COIF_MOST_LAYERS];
    coif_image images[COIF_MOST_LAYERS];
} snapshot;

static const coif_image *find_copy(void *data, const char *path)
{
    const snapshot *all = data;
    for (int32_t i = 0; i < all->count; ++i) {
        if (strcmp(all->paths[i], path) == 0) {
            return &all->images[i];
        }
    }
    return NULL;
}

void coif_layers_snapshot(coif_pictures *pictures, const coif_studio *studio, coif_arena *arena)
{
    snapshot *all = coif_arena_new(arena, 1, snapshot);
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        const coif_layer *layer = &studio->layers[i];
        if (layer->listed) {
            const int64_t count =
                (int64_t)layer->image.width * layer->image.height * layer->image.channel_count;
            coif_image *copy = &all->images[all->count];
            *copy = layer->image;
            copy->pixels = coif_arena_new(arena, count, float);
            memcpy(copy->pixels, layer->image.pixels, sizeof(float) * (size_t)count);
            all->paths[all->count++] = coif_arena_copy_text(arena, layer->path);
        }
    }
    *pictures = (coif_pictures){all, find_copy};
}

void coif_layers_free(coif_studio *studio)
{
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        coif_layer_free(&studio->layers[i]);
    }
}
