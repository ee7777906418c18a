// paint_maps: all paint maps of a scene, one for each image of a density.texture
// among the maps of its grooms and of their layers.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAPS_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAPS_H

#include "core/body/body.h"
#include "core/scene/scene.h"
#include "tools/studio/server/document/paint_map_io.h"

enum { COIF_MAX_PAINT_MAPS = 256 };

typedef struct coif_paint_maps {
    const char *folder; // of the scene
    coif_paint_map
        items[COIF_MAX_PAINT_MAPS]; // by id; never removed, so that undo can restore them
    int32_t count;
} coif_paint_maps;

// The map of a path and channel, or NULL. A read-only file is one map for all channels.
coif_paint_map *coif_paint_maps_find(coif_paint_maps *maps, const char *path, int32_t channel);

// The paint map of a map node of a groom, or NULL.
coif_paint_map *coif_paint_maps_of_node(coif_paint_maps *maps, const coif_node *node);

// Whether a referenced map of a smaller id uses the same files.
bool coif_paint_maps_is_duplicate(const coif_paint_maps *maps, int32_t index);

// Name of a map in the journal: path relative to the scene's folder, and layout.
const char *coif_paint_maps_name(const coif_paint_maps *maps, const coif_paint_map *map,
                                 coif_arena *arena);
coif_paint_map *coif_paint_maps_find_name(coif_paint_maps *maps, const char *name);

// Loads the maps that a scene references and marks them as referenced. Files that can be used but
// not painted become read-only maps.
coif_status coif_paint_maps_load_referenced(coif_paint_maps *maps, const coif_scene *scene,
                                            const coif_body *bodies, int32_t body_count,
                                            coif_error *error);

// Adds a map, or replaces the one of the same path; map is as after free.
coif_status coif_paint_maps_insert(coif_paint_maps *maps, coif_paint_map *map, coif_error *error);

// Journal record of a new map: name, zero byte, header, UDIM numbers and tiles.
void coif_paint_maps_pack_new(const coif_paint_maps *maps, const coif_paint_map *map,
                              uint16_t value, coif_strbuf *out);
coif_status coif_paint_maps_replay_new(coif_paint_maps *maps, const coif_bytes *record,
                                       coif_error *error);

// Writes tile records into a map that nobody has seen yet.
coif_status coif_paint_map_apply_tiles(coif_paint_map *map, const coif_bytes *tiles,
                                       coif_error *error);

// Copies of all images, for work without the document lock; everything is in arena.
void coif_paint_maps_snapshot(coif_image_overrides *images, const coif_paint_maps *maps,
                              coif_arena *arena);

// The image of a path among maps, or NULL.
const coif_image *coif_paint_maps_image(const coif_paint_map *maps, int32_t count,
                                        const char *path);

// After a save: files of referenced maps are no longer temporary.
void coif_paint_maps_mark_saved(coif_paint_maps *maps);

// Removes the files of maps that were created and removed again without ever being saved.
void coif_paint_maps_remove_unsaved(const coif_paint_maps *maps);

void coif_paint_maps_free(coif_paint_maps *maps);

#endif
