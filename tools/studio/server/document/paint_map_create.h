// paint_map_create: new paint maps: empty, copied or imported.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAP_CREATE_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PAINT_MAP_CREATE_H

#include "tools/studio/server/document/studio.h"

typedef struct coif_new_paint_map {
    int32_t groom;
    const char *name;   // of the map; the file name has _ for other than letters, digits, _ and -
    const char *stroke; // edits with the same id are one undo step; NULL: none
    int32_t size;       // width and height, texels
    uint16_t value;     // everywhere
    const coif_paint_map *like; // size, UDIM tiles and range of another map, or NULL
    bool is_mask;               // values from 0 to 1, whatever the range of `like`
    const coif_paint_map *copy; // another map to start from, or NULL
    const coif_bytes *images;   // PNG, EXR or TIFF files to import, or NULL
    const int32_t *numbers;     // UDIM numbers of the images; NULL: one image
    int32_t image_count;
} coif_new_paint_map;

// The name of a map as part of a file name.
const char *coif_paint_map_file_stem(const char *name, coif_arena *arena);

// Adds a layer on top of a map of the scene. The first one begins a stack: what the map holds
// becomes the layer below it. Locks the studio.
typedef struct coif_new_layer {
    int32_t groom, map; // indices in the scene
    const char *name;
    const char *stroke; // as above
    int32_t copy;       // layer to start from, from the bottom; -1: empty
} coif_new_layer;
coif_status coif_studio_add_layer(coif_studio *studio, const coif_new_layer *desc,
                                  coif_error *error);

// Creates the files and adds the map to the groom. Locks the studio; imported files are decoded
// without the lock. New maps are placeholder files until they are saved; the journal holds them.
coif_status coif_studio_add_map(coif_studio *studio, const coif_new_paint_map *desc,
                                coif_error *error);

#endif
