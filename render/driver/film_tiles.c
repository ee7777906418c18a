#include "render/driver/film_tiles.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "render/output/film_checkpoint.h"

#include <string.h>
#include <unistd.h>

const char *coif_film_tile_path(const char *stem, coif_render_tile tile, coif_arena *arena)
{
    return coif_arena_print(arena, "%s.%d-of-%dx%d.film", stem, tile.index, tile.columns,
                            tile.rows);
}

// Samples count: the film of a tile is complete.
static uint64_t digest_of(const coif_frame_setup *setup, coif_render_tile tile)
{
    const int32_t numbers[] = {setup->image.samples, tile.index, tile.columns, tile.rows};
    return coif_hash64_extend(setup->film_digest, numbers, sizeof numbers);
}

static coif_status load_tile(coif_film *film, const coif_frame_setup *setup, coif_render_tile tile,
                             const char *path, coif_arena *arena, coif_error *error)
{
    const coif_image_params *image = &setup->image;
    const coif_film_desc desc = {image->width, image->height,
                                 coif_frame_setup_tile_region(setup, tile), &setup->aovs,
                                 setup->splat};
    if (!coif_path_exists(path)) {
        return coif_fail(error, COIF_ERR_IO, "%s: missing; expected from --tile %d/%dx%d", path,
                         tile.index, tile.columns, tile.rows);
    }
    coif_film_init(film, &desc, arena);
    return coif_film_checkpoint_read(film, digest_of(setup, tile), path, error);
}

bool coif_film_tile_is_current(const coif_frame_setup *setup, const char *path)
{
    COIF_SCOPED_ARENA(arena, "tile");
    coif_film film;
    coif_error ignored = {0};
    return coif_path_exists(path) &&
           load_tile(&film, setup, setup->tile, path, &arena, &ignored) == COIF_OK;
}

coif_status coif_film_tile_save(const coif_film *film, const coif_frame_setup *setup,
                                const char *path, coif_error *error)
{
    return coif_film_checkpoint_save(film, digest_of(setup, setup->tile), path, error);
}

// Pixels around the tile, which its film holds too, lack samples.
static void copy_pixels(const coif_film *to, const coif_film *from, coif_rect pixels)
{
    const size_t width = (size_t)(pixels.x1 - pixels.x0), stride = (size_t)to->aovs.stride;
    for (int32_t y = pixels.y0; y < pixels.y1; ++y) {
        const size_t a = coif_film_index(to, pixels.x0, y);
        const size_t b = coif_film_index(from, pixels.x0, y);
        memcpy(to->sums + a * stride, from->sums + b * stride, width * stride * sizeof *to->sums);
        memcpy(to->counts + a, from->counts + b, width * sizeof *to->counts);
        if (to->weights != NULL) {
            memcpy(to->weights + 2 * a, from->weights + 2 * b, 2 * width * sizeof *to->weights);
        }
    }
}

coif_status coif_film_tiles_join(coif_film *film, const coif_frame_setup *setup, const char *stem,
                                 coif_error *error)
{
    coif_render_tile tile = setup->tile;
    for (tile.index = 1; tile.index <= tile.columns * tile.rows; ++tile.index) {
        COIF_SCOPED_ARENA(arena, "tile");
        coif_film part;
        COIF_TRY(
            load_tile(&part, setup, tile, coif_film_tile_path(stem, tile, &arena), &arena, error));
        copy_pixels(film, &part, coif_render_tile_pixels(tile, film->width, film->height));
    }
    return COIF_OK;
}

void coif_film_tiles_delete(const coif_frame_setup *setup, const char *stem)
{
    COIF_SCOPED_ARENA(arena, "tiles");
    coif_render_tile tile = setup->tile;
    for (tile.index = 1; tile.index <= tile.columns * tile.rows; ++tile.index) {
        unlink(coif_film_tile_path(stem, tile, &arena));
    }
}
