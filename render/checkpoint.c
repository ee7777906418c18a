#include "render/checkpoint.h"

#include "core/arena.h"
#include "core/error.h"
#include "core/fs.h"
#include "core/log.h"
#include "core/pack.h"

#include <string.h>

static void copy_tile(const coif_film *to, const float *from_pixels, int32_t index)
{
    const coif_tile tile = coif_film_tile(to, index);
    const size_t bytes = (size_t)(tile.x1 - tile.x0) * COIF_FILM_VALUES * sizeof(float);
    for (int32_t y = tile.y0; y < tile.y1; ++y) {
        const size_t at =
            ((size_t)y * (size_t)to->width + (size_t)tile.x0) * (size_t)COIF_FILM_VALUES;
        memcpy(to->pixels + at, from_pixels + at, bytes);
    }
}

// What a checkpoint consists of; the same list is written and read.
enum { BLOCKS = 4 };

static void list_blocks(coif_pack_block blocks[BLOCKS], const int64_t *settings,
                        const int32_t *size, const unsigned char *done, const coif_film *film)
{
    const int64_t pixels = (int64_t)film->width * film->height;
    blocks[0] = (coif_pack_block){.name = "settings",
                                  .type = COIF_PACK_INT64,
                                  .components = 1,
                                  .codec = COIF_CODEC_RAW,
                                  .count = 1,
                                  .data = settings};
    blocks[1] = (coif_pack_block){.name = "size",
                                  .type = COIF_PACK_INT32,
                                  .components = 1,
                                  .codec = COIF_CODEC_RAW,
                                  .count = 2,
                                  .data = size};
    blocks[2] = (coif_pack_block){.name = "done",
                                  .type = COIF_PACK_BYTE,
                                  .components = 1,
                                  .codec = COIF_CODEC_ZSTD,
                                  .count = film->tile_count,
                                  .data = done};
    blocks[3] = (coif_pack_block){.name = "film",
                                  .type = COIF_PACK_FLOAT,
                                  .components = COIF_FILM_VALUES,
                                  .codec = COIF_CODEC_ZSTD,
                                  .count = pixels,
                                  .data = film->pixels};
}

coif_status coif_checkpoint_save(const coif_film *film, uint64_t settings, const char *path,
                                 coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "checkpoint");
    // Other workers go on painting: only tiles that are done by now are looked at.
    coif_film copy;
    coif_film_init(&copy, film->width, film->height, &arena);
    unsigned char *done = coif_arena_new(&arena, film->tile_count, unsigned char);
    for (int32_t i = 0; i < film->tile_count; ++i) {
        done[i] = atomic_load(&film->done[i]);
        if (done[i]) {
            copy_tile(&copy, film->pixels, i);
        }
    }
    const int64_t key = (int64_t)settings;
    const int32_t size[2] = {film->width, film->height};
    coif_pack_block blocks[BLOCKS];
    list_blocks(blocks, &key, size, done, &copy);
    coif_pack pack = {.kind = COIF_PACK_CHECKPOINT, .block_count = BLOCKS, .blocks = blocks};
    const coif_status status = coif_pack_save(&pack, path, error);
    coif_arena_free(&arena);
    return status;
}

static coif_status read_checkpoint(coif_film *film, uint64_t settings, const char *path,
                                   coif_arena *arena, coif_error *error)
{
    coif_pack pack;
    COIF_TRY(coif_pack_load(&pack, path, COIF_PACK_CHECKPOINT, arena, error));
    coif_pack_block wanted[BLOCKS];
    list_blocks(wanted, NULL, NULL, NULL, film);
    const coif_pack_block *found[BLOCKS];
    COIF_TRY(coif_pack_need(&found[0], &pack, path, &wanted[0], error));
    if ((uint64_t) * (const int64_t *)found[0]->data != settings) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: made from other settings", path);
    }
    for (int i = 1; i < BLOCKS; ++i) {
        COIF_TRY(coif_pack_need(&found[i], &pack, path, &wanted[i], error));
    }
    const int32_t *size = found[1]->data;
    if (size[0] != film->width || size[1] != film->height) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: a picture of %d x %d", path, size[0],
                         size[1]);
    }
    const unsigned char *done = found[2]->data;
    for (int32_t i = 0; i < film->tile_count; ++i) {
        if (done[i]) {
            copy_tile(film, found[3]->data, i);
            atomic_store(&film->done[i], 1);
        }
    }
    return COIF_OK;
}

int32_t coif_checkpoint_load(coif_film *film, uint64_t settings, const char *path)
{
    if (!coif_path_exists(path)) {
        return 0;
    }
    coif_arena arena;
    coif_arena_init(&arena, "checkpoint");
    coif_error error = {0};
    if (read_checkpoint(film, settings, path, &arena, &error) != COIF_OK) {
        coif_log(COIF_LOG_WARNING, "checkpoint left aside: %s", error.text);
    }
    coif_arena_free(&arena);
    int32_t count = 0;
    for (int32_t i = 0; i < film->tile_count; ++i) {
        count += film->done[i] != 0;
    }
    return count;
}
