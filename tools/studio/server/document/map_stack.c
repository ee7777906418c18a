#include "tools/studio/server/document/map_stack.h"

#include "core/base/error.h"

#include <math.h>
#include <string.h>

static coif_status check_size(const coif_paint_map *layer, const coif_paint_map *target,
                              const char *where, coif_error *error)
{
    bool same = layer->width == target->width && layer->height == target->height &&
                layer->udim_count == target->udim_count;
    for (int32_t i = 0; same && i < layer->udim_count; ++i) {
        same = layer->udims[i].number == target->udims[i].number;
    }
    if (layer->read_only_reason != NULL || !same) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s: expected the size and UDIM tiles of its map, %d x %d; found "
                         "%d x %d%s%s",
                         where, layer->path, target->width, target->height, layer->width,
                         layer->height, layer->read_only_reason != NULL ? "; " : "",
                         layer->read_only_reason != NULL ? layer->read_only_reason : "");
    }
    return COIF_OK;
}

static coif_status read_layer(coif_map_layer *layer, coif_paint_maps *maps,
                              const coif_paint_map *target, const coif_node *node,
                              coif_error *error)
{
    coif_node_read(node, 0.0, &layer->params);
    layer->image = coif_paint_maps_find(maps, layer->params.path, 0);
    COIF_REQUIRE(layer->image != NULL);
    COIF_TRY(check_size(layer->image, target, node->path, error));
    const char *mask = layer->params.mask;
    layer->mask = mask != NULL && mask[0] != '\0' ? coif_paint_maps_find(maps, mask, 0) : NULL;
    return layer->mask != NULL ? check_size(layer->mask, target, node->path, error) : COIF_OK;
}

static coif_status read_stack(coif_map_stack *stack, coif_paint_maps *maps, const coif_node *node,
                              coif_arena *arena, coif_error *error)
{
    const coif_node *layers = coif_node_at(node, "layers");
    *stack = (coif_map_stack){.target = coif_paint_maps_of_node(maps, node),
                              .node = node,
                              .digest = coif_node_digest(layers, NULL),
                              .count = layers->child_count,
                              .layers = coif_arena_new(arena, layers->child_count, coif_map_layer)};
    for (int32_t i = 0; i < stack->count; ++i) {
        COIF_TRY(read_layer(&stack->layers[i], maps, stack->target, &layers->children[i], error));
    }
    return COIF_OK;
}

coif_status coif_map_stacks_build(coif_map_stacks *stacks, coif_paint_maps *maps,
                                  const coif_scene *scene, coif_arena *arena, coif_error *error)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    int32_t capacity = 0;
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        capacity += coif_node_at(&grooms->children[g], "maps")->child_count;
    }
    *stacks = (coif_map_stacks){.items = coif_arena_new(arena, capacity, coif_map_stack)};
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_node *nodes = coif_node_at(&grooms->children[g], "maps");
        for (int32_t m = 0; m < nodes->child_count; ++m) {
            const coif_node *node = &nodes->children[m];
            const coif_paint_map *target = coif_paint_maps_of_node(maps, node);
            // Of several maps with one image the first one has the layers.
            if (coif_node_at(node, "layers")->child_count > 0 && target != NULL &&
                target->read_only_reason == NULL && coif_map_stacks_find(stacks, target) == NULL) {
                COIF_TRY(read_stack(&stacks->items[stacks->count], maps, node, arena, error));
                ++stacks->count;
            }
        }
    }
    return COIF_OK;
}

const coif_map_stack *coif_map_stacks_find(const coif_map_stacks *stacks,
                                           const coif_paint_map *target)
{
    for (int32_t i = 0; i < stacks->count; ++i) {
        if (stacks->items[i].target == target) {
            return &stacks->items[i];
        }
    }
    return NULL;
}

bool coif_map_stack_has_layer(const coif_map_stack *stack, const coif_paint_map *map)
{
    for (int32_t i = 0; i < stack->count; ++i) {
        if (stack->layers[i].image == map || stack->layers[i].mask == map) {
            return true;
        }
    }
    return false;
}

static double blend(int32_t mode, double base, double value)
{
    switch (mode) {
    case COIF_LAYER_MULTIPLY:
        return base * value;
    case COIF_LAYER_MAX:
        return value > base ? value : base;
    case COIF_LAYER_MIN:
        return value < base ? value : base;
    case COIF_LAYER_ADD:
        return base + value;
    case COIF_LAYER_SUBTRACT:
        return base - value;
    default:
        return value;
    }
}

// In double precision, as the page computes it: both must get the same texels.
static double value_of(const coif_paint_map *map, uint16_t texel)
{
    return (double)map->low + (double)texel / 65535.0 * ((double)map->high - (double)map->low);
}

static uint16_t texel_of(const coif_paint_map *map, double value)
{
    const double texel =
        floor(65535.0 * (value - (double)map->low) / ((double)map->high - (double)map->low) + 0.5);
    return texel >= 65535.0 ? 65535 : texel > 0.0 ? (uint16_t)texel : 0;
}

static bool is_uniform_tile(const coif_paint_map *map, const coif_tile_texels *tile)
{
    int32_t inside;
    const coif_udim_tile *udim = coif_paint_map_udim_at(map, tile->column, tile->row, &inside);
    return udim == NULL || udim->image.tiles[inside].texels == NULL;
}

// Values of a map as its texels have them, or exactly for float files, of which pages get a
// rounding.
static void read_values(double *values, const coif_paint_map *map, const coif_tile_texels *tile,
                        bool exact)
{
    if (exact) {
        coif_paint_map_read_values(map, tile->column, tile->row, values);
        return;
    }
    coif_tile_texels texels = {.column = tile->column, .row = tile->row};
    coif_paint_map_read(map, &texels);
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        values[i] = value_of(map, texels.texels[i]);
    }
}

static void add_layer(double *values, int32_t count, const coif_map_layer *layer,
                      const double *image, const double *mask)
{
    const double opacity = (double)layer->params.opacity;
    for (int32_t i = 0; i < count; ++i) {
        const double amount = layer->mask != NULL ? opacity * mask[i] : opacity;
        const double own = blend(layer->params.blend_mode, values[i], image[i]);
        values[i] = amount >= 1.0 ? own : values[i] + amount * (own - values[i]);
    }
}

static bool is_uniform(const coif_map_stack *stack, const coif_tile_texels *tile)
{
    bool uniform = true;
    for (int32_t i = 0; i < stack->count; ++i) {
        const coif_map_layer *layer = &stack->layers[i];
        uniform = uniform && is_uniform_tile(layer->image, tile) &&
                  (layer->mask == NULL || is_uniform_tile(layer->mask, tile));
    }
    return uniform;
}

static void compose_values(double *values, const coif_map_stack *stack,
                           const coif_tile_texels *tile, bool exact)
{
    double image[COIF_TILE_TEXELS], mask[COIF_TILE_TEXELS];
    const int32_t count = is_uniform(stack, tile) ? 1 : COIF_TILE_TEXELS;
    memset(values, 0, sizeof *values * COIF_TILE_TEXELS);
    for (int32_t i = 0; i < stack->count; ++i) {
        const coif_map_layer *layer = &stack->layers[i];
        if (!layer->params.visible || !(layer->params.opacity > 0.0f)) {
            continue;
        }
        read_values(image, layer->image, tile, exact);
        if (layer->mask != NULL) {
            read_values(mask, layer->mask, tile, exact);
        }
        add_layer(values, count, layer, image, mask);
    }
    for (int32_t i = count; i < COIF_TILE_TEXELS; ++i) {
        values[i] = values[0];
    }
}

static void round_values(coif_tile_texels *tile, const coif_paint_map *map, const double *values)
{
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        tile->texels[i] = texel_of(map, values[i]);
    }
}

void coif_map_stack_compose(const coif_map_stack *stack, coif_tile_texels *tile)
{
    double values[COIF_TILE_TEXELS];
    compose_values(values, stack, tile, stack->target->is_float);
    round_values(tile, stack->target, values);
}

bool coif_map_stack_update(const coif_map_stack *stack, coif_tile_texels *tile, uint64_t revision)
{
    int32_t inside;
    coif_paint_map *target = stack->target;
    if (coif_paint_map_udim_at(target, tile->column, tile->row, &inside) == NULL) {
        return false;
    }
    coif_tile_texels before = {.column = tile->column, .row = tile->row};
    coif_paint_map_read(target, &before);
    double values[COIF_TILE_TEXELS];
    compose_values(values, stack, tile, target->is_float);
    round_values(tile, target, values);
    const bool changed = memcmp(before.texels, tile->texels, sizeof before.texels) != 0;
    if (changed) {
        coif_paint_map_write(target, tile, revision);
    }
    return (target->is_float && coif_paint_map_refine(target, tile, values, revision)) || changed;
}
