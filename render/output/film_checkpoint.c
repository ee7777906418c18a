#include "render/output/film_checkpoint.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/pack/pack.h"

#include <string.h>

enum { SIZES = 5 };

static void list_sizes(int32_t sizes[SIZES], const coif_film *film)
{
    const coif_rect *region = &film->region;
    sizes[0] = film->aovs.stride;
    memcpy(sizes + 1, (int32_t[]){region->x0, region->y0, region->x1, region->y1},
           4 * sizeof *sizes);
}

static int64_t pixel_count(const coif_film *film)
{
    return (int64_t)coif_film_pixel_count(film);
}

// Blocks of the pack; the same list is written and read.
enum { BLOCKS = 5 };

static void list_blocks(coif_pack_block blocks[BLOCKS], const int64_t *settings,
                        const int32_t *sizes, const coif_film *film)
{
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
                                  .count = SIZES,
                                  .data = sizes};
    blocks[2] = (coif_pack_block){.name = "counts",
                                  .type = COIF_PACK_INT32,
                                  .components = 1,
                                  .codec = COIF_CODEC_ZSTD,
                                  .count = pixel_count(film),
                                  .data = film->counts};
    blocks[3] = (coif_pack_block){.name = "sums",
                                  .type = COIF_PACK_DOUBLE,
                                  .components = 1,
                                  .codec = COIF_CODEC_ZSTD,
                                  .count = pixel_count(film) * film->aovs.stride,
                                  .data = film->sums};
    blocks[4] = (coif_pack_block){.name = "weights",
                                  .type = COIF_PACK_DOUBLE,
                                  .components = 2,
                                  .codec = COIF_CODEC_ZSTD,
                                  .count = film->weights != NULL ? pixel_count(film) : 0,
                                  .data = film->weights};
}

coif_status coif_film_checkpoint_save(const coif_film *film, uint64_t digest, const char *path,
                                      coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "checkpoint");
    coif_film copy;
    const coif_film_desc desc = {film->width, film->height, film->region, &film->aovs,
                                 film->weights != NULL};
    coif_film_init(&copy, &desc, &arena);
    coif_film_take_snapshot(&copy, film);
    const int64_t key = (int64_t)digest;
    int32_t sizes[SIZES];
    list_sizes(sizes, film);
    coif_pack_block blocks[BLOCKS];
    list_blocks(blocks, &key, sizes, &copy);
    coif_pack pack = {.kind = COIF_PACK_CHECKPOINT, .block_count = BLOCKS, .blocks = blocks};
    return coif_pack_save(&pack, path, error);
}

coif_status coif_film_checkpoint_read(coif_film *film, uint64_t digest, const char *path,
                                      coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "checkpoint");
    coif_pack pack;
    COIF_TRY(coif_pack_load(&pack, path, COIF_PACK_CHECKPOINT, &arena, error));
    coif_pack_block wanted[BLOCKS];
    list_blocks(wanted, NULL, NULL, film);
    const coif_pack_block *found[BLOCKS];
    COIF_TRY(coif_pack_need(&found[0], &pack, path, &wanted[0], error));
    if ((uint64_t) * (const int64_t *)found[0]->data != digest) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: it was rendered with different settings",
                         path);
    }
    int32_t sizes[SIZES];
    list_sizes(sizes, film);
    COIF_TRY(coif_pack_need(&found[1], &pack, path, &wanted[1], error));
    if (memcmp(found[1]->data, sizes, sizeof sizes) != 0) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: it was rendered with a different crop", path);
    }
    for (int i = 2; i < BLOCKS; ++i) {
        COIF_TRY(coif_pack_need(&found[i], &pack, path, &wanted[i], error));
    }
    const int32_t *counts = found[2]->data;
    for (int64_t i = 0; i < pixel_count(film); ++i) {
        if (counts[i] < 0) {
            return coif_fail(error, COIF_ERR_FORMAT, "%s: a pixel has %d samples", path, counts[i]);
        }
    }
    memcpy(film->counts, counts, (size_t)pixel_count(film) * sizeof *counts);
    memcpy(film->sums, found[3]->data,
           (size_t)pixel_count(film) * (size_t)film->aovs.stride * sizeof *film->sums);
    if (film->weights != NULL) {
        memcpy(film->weights, found[4]->data,
               2 * (size_t)pixel_count(film) * sizeof *film->weights);
    }
    return COIF_OK;
}

int64_t coif_film_checkpoint_load(coif_film *film, uint64_t digest, const char *path)
{
    if (!coif_path_exists(path)) {
        return 0;
    }
    coif_error error = {0};
    if (coif_film_checkpoint_read(film, digest, path, &error) != COIF_OK) {
        coif_log(COIF_LOG_WARNING, "ignoring checkpoint %s", error.text);
    }
    int64_t count = 0;
    for (int64_t i = 0; i < pixel_count(film); ++i) {
        count += film->counts[i];
    }
    return count;
}
