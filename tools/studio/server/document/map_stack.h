// map_stack: maps that are composed of layers.
//
// A layer is an image and, unless it covers everything, a mask; both are paint maps of the size of
// the map. Their files stay beside the image that the scene uses, which holds the composition.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_MAP_STACK_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_MAP_STACK_H

#include "sim/groom/scalp_maps.h"
#include "tools/studio/server/document/paint_maps.h"

typedef struct coif_map_layer {
    coif_paint_map *image, *mask; // mask NULL: the layer covers everything
    coif_layer_params params;
} coif_map_layer;

typedef struct coif_map_stack {
    coif_paint_map *target; // holds the composition
    const coif_node *node;  // the map
    uint64_t digest;        // of its layers
    int32_t count;
    coif_map_layer *layers; // from the bottom
} coif_map_stack;

typedef struct coif_map_stacks {
    int32_t count;
    coif_map_stack *items;
} coif_map_stacks;

// The stacks of a scene whose maps are loaded. Fails when a layer differs in size from its map.
coif_status coif_map_stacks_build(coif_map_stacks *stacks, coif_paint_maps *maps,
                                  const coif_scene *scene, coif_arena *arena, coif_error *error);

// The stack that a map is composed of, or NULL.
const coif_map_stack *coif_map_stacks_find(const coif_map_stacks *stacks,
                                           const coif_paint_map *target);

// Whether a map is an image or a mask of the stack.
bool coif_map_stack_has_layer(const coif_map_stack *stack, const coif_paint_map *map);

// Composes the tile at tile->column and tile->row. Per texel, with base b (0 below the lowest
// layer), value v, and opacity times mask a: b + a (blend(b, v) - b), clamped to the range of the
// map.
void coif_map_stack_compose(const coif_map_stack *stack, coif_tile_texels *tile);

// Composes a tile and writes it to the map if it differs; returns whether it did.
bool coif_map_stack_update(const coif_map_stack *stack, coif_tile_texels *tile, uint64_t revision);

#endif
