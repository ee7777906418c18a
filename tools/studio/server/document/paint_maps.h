// layers: the painted maps of a scene: every density.texture of a groom's maps.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAPS_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAPS_H

#include "tools/studio/server/document/studio.h"

// The layer of a channel of a path, NULL when there is none. A file that is not painted is one
// layer whatever the channel.
coif_paint_map *coif_paint_maps_find(const coif_studio *studio, const char *path, int32_t channel);

// The layer of a map of a groom, NULL when it is none.
coif_paint_map *coif_paint_maps_of_map(const coif_studio *studio, const coif_node *map);

// Whether a layer of a smaller number that the scene names too has the same files.
bool coif_paint_maps_told(const coif_studio *studio, int32_t number);

// What a layer is called in the journal: its path as seen from the scene's folder, and its sheet.
const char *coif_paint_maps_name(const coif_studio *studio, const coif_paint_map *layer,
                                 coif_arena *arena);
coif_paint_map *coif_paint_maps_find_name(const coif_studio *studio, const char *name);

// Loads the layers that a text names and that are not there yet, and notes which ones it names.
// Files that cannot be painted, but used, become layers with a refusal.
coif_status coif_paint_maps_follow(coif_studio *studio, const coif_scene *scene, coif_error *error);

// The numbers of the squares of the texture plane that a groom's ground lies in, rising; at most
// COIF_LAYER_SQUARES. None when it all lies in the first one.
int32_t coif_paint_maps_ground(int32_t *numbers, const coif_studio *studio, const coif_node *groom);

// A new layer: its files, and an entry in the groom's maps. Name must be fit for a file.
typedef struct coif_new_layer {
    int32_t groom;
    const char *name;
    int32_t side;
    uint16_t value;
    const coif_paint_map *copy; // another layer to begin with
    const coif_bytes *pictures; // or PNG, EXR or TIFF files; the first one's name gives the format
    const int32_t *numbers;     // of the pictures' squares; NULL: it is one picture
    int32_t picture_count;
} coif_new_layer;

// Takes the lock itself: files that were brought are read without it. Layers that begin here are
// small files until they are saved; the journal says what they are.
coif_status coif_paint_maps_add(coif_studio *studio, const coif_new_layer *layer,
                                coif_error *error);

// A layer as it began, from the journal: name, a zero byte, a head, its squares' numbers and tiles.
coif_status coif_paint_maps_replay(coif_studio *studio, const char *data, size_t size,
                                   coif_error *error);

// Copies of all pictures, for work without the lock; both live in arena.
void coif_paint_maps_snapshot(coif_image_overrides *pictures, const coif_studio *studio,
                              coif_arena *arena);

// The picture of a path among layers, NULL when there is none.
const coif_image *coif_paint_maps_picture(const coif_paint_map *layers, int32_t count,
                                          const char *path);

// The scene has been saved: files that it names are there to stay.
void coif_paint_maps_keep(coif_studio *studio);

// At the end of a studio that has nothing unsaved: layers that were taken out again before any
// saved scene had named them leave no files.
void coif_paint_maps_tidy(const coif_studio *studio);

void coif_paint_maps_free(coif_studio *studio);

#endif
