// film_tiles: films of the tiles of an image, render0001.2-of-2x2.film, and the film of the image
// from all of them.
#ifndef COIF_RENDER_DRIVER_FILM_TILES_H
#define COIF_RENDER_DRIVER_FILM_TILES_H

#include "render/build/frame_setup.h"

// STEM.2-of-2x2.film
const char *coif_film_tile_path(const char *stem, coif_render_tile tile, coif_arena *arena);

// Whether the file holds the complete tile of the setup.
bool coif_film_tile_is_current(const coif_frame_setup *setup, const char *path);

coif_status coif_film_tile_save(const coif_film *film, const coif_frame_setup *setup,
                                const char *path, coif_error *error);

// Fills the film of the whole image from all tiles; a missing one is an error.
coif_status coif_film_tiles_join(coif_film *film, const coif_frame_setup *setup, const char *stem,
                                 coif_error *error);

void coif_film_tiles_delete(const coif_frame_setup *setup, const char *stem);

#endif
