// UDIM tile sets: <UDIM> in a path stands for the tile number. Tile 1001 + u + 10 v covers the unit
// square of uv at (u, v), u from 0 to 9.
#ifndef COIF_CORE_IMAGE_UDIM_H
#define COIF_CORE_IMAGE_UDIM_H

#include "core/base/base.h"

enum {
    COIF_UDIM_FIRST = 1001,
    COIF_UDIM_LAST = 1999,
    COIF_UDIM_COLUMNS = 10,
    COIF_UDIM_TILES = 100 // of a texture of the renderer: 1001 to 1100
};

bool coif_path_is_udim(const char *path);

// The path of one tile, in arena; a path without <UDIM> is copied.
const char *coif_udim_tile_path(const char *path, int32_t number, coif_arena *arena);

#endif
