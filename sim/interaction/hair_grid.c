#include "sim/interaction/hair_grid.h"

#include "core/base/jobs.h"

#include <string.h>

void coif_grid_scatter_open(coif_grid_scatter *splat, int32_t most)
{
    *splat = (coif_grid_scatter){.most = most};
    coif_arena_init(&splat->arena, "hair grid");
    coif_sparse_grid_init(&splat->tiles, &splat->arena);
    splat->pages =
        coif_arena_new(&splat->arena, most / COIF_GRID_SCATTER_PAGE + 1, coif_grid_scatter_tile *);
}

void coif_grid_scatter_close(coif_grid_scatter *splat)
{
    coif_arena_free(&splat->arena);
}

static coif_grid_scatter_tile *tile_of(const coif_grid_scatter *splat, int32_t number)
{
    return &splat->pages[number / COIF_GRID_SCATTER_PAGE][number % COIF_GRID_SCATTER_PAGE];
}

static bool go_to(coif_grid_scatter *splat, coif_tile_coord place)
{
    if (splat->here != NULL && coif_tile_coord_equal(place, splat->here_place)) {
        return true;
    }
    int32_t number = coif_sparse_grid_find(&splat->tiles, place);
    if (number < 0) {
        if (splat->tiles.count >= splat->most) {
            return false;
        }
        number = coif_sparse_grid_add(&splat->tiles, place);
        if (number / COIF_GRID_SCATTER_PAGE >= splat->page_count) {
            splat->pages[splat->page_count++] =
                coif_arena_new(&splat->arena, COIF_GRID_SCATTER_PAGE, coif_grid_scatter_tile);
        }
    }
    splat->here = tile_of(splat, number);
    splat->here_place = place;
    if (splat->varied && splat->here->laws == NULL) {
        splat->here->laws = coif_arena_new(&splat->arena, COIF_TILE_NODES, simd_float4);
    }
    return true;
}

typedef float two __attribute__((vector_size(8)));

void coif_grid_scatter_add(coif_grid_scatter *splat, const coif_grid_sample *sample)
{
    coif_tile_sample spot;
    if (!coif_tile_sample_at(&spot, sample->place) || !go_to(splat, spot.tile)) {
        return;
    }
    const simd_float4 sums = sample->sums;
    const float rest = sums[3] * sample->place[3];
    simd_float4 *to = splat->here->sums + spot.node;
    float *to_rest = splat->here->rest + spot.node;
    for (int i = 0; i < 8; ++i) {
        to[COIF_TILE_CORNERS[i]] += spot.weights[i] * sums;
    }
    simd_float4 *to_laws = splat->here->laws;
    for (int i = 0; i < 8 && to_laws != NULL; ++i) {
        to_laws[spot.node + COIF_TILE_CORNERS[i]] += spot.weights[i] * sums[3] * sample->laws;
    }
    // Corners along x are next to each other.
    for (int i = 0; i < 8; i += 2) {
        float *at = to_rest + COIF_TILE_CORNERS[i];
        two pair;
        two weights;
        memcpy(&pair, at, sizeof pair);
        memcpy(&weights, spot.weights + i, sizeof weights);
        pair += weights * rest;
        memcpy(at, &pair, sizeof pair);
    }
}

typedef struct adding {
    coif_hair_grid *field;
    const coif_grid_scatter *splats;
    int32_t splat_count;
    const int32_t *parts; // per tile and splat: number of that tile in the splat, -1 for none
} adding;

// Tiles that own a node with hair: those of the samples, and the ones above them, where the last
// nodes of a tile are the first of the next.
static void list_tiles(coif_hair_grid *field, const coif_grid_scatter *splats, int32_t count)
{
    for (int32_t s = 0; s < count; ++s) {
        for (int32_t i = 0; i < splats[s].tiles.count; ++i) {
            const coif_tile_coord place = splats[s].tiles.places[i];
            for (int corner = 0; corner < 8; ++corner) {
                coif_sparse_grid_add(&field->tiles, (coif_tile_coord){place.x + (corner & 1),
                                                                      place.y + (corner >> 1 & 1),
                                                                      place.z + (corner >> 2)});
            }
        }
    }
}

static void find_near(coif_hair_grid *field, int32_t tile)
{
    const coif_tile_coord place = field->tiles.places[tile];
    for (int i = 0; i < COIF_TILES_NEAR; ++i) {
        const coif_tile_coord other = {place.x + i % 3 - 1, place.y + i / 3 % 3 - 1,
                                       place.z + i / 9 - 1};
        field->near[tile][i] = coif_sparse_grid_find(&field->tiles, other);
    }
}

// The nodes a tile owns, from itself and from the seven below, whose last nodes they are.
static void add_part(const adding *all, int32_t tile, int32_t part, int dx, int dy, int dz)
{
    coif_hair_grid *field = all->field;
    const int x1 = dx > 0 ? 1 : COIF_TILE_CELLS;
    const int y1 = dy > 0 ? 1 : COIF_TILE_CELLS;
    const int z1 = dz > 0 ? 1 : COIF_TILE_CELLS;
    for (int32_t s = 0; s < all->splat_count; ++s) {
        const int32_t number = all->parts[(int64_t)part * all->splat_count + s];
        if (number < 0) {
            continue;
        }
        const coif_grid_scatter_tile *from = tile_of(&all->splats[s], number);
        for (int z = 0; z < z1; ++z) {
            for (int y = 0; y < y1; ++y) {
                for (int x = 0; x < x1; ++x) {
                    const int64_t to = (int64_t)tile * COIF_TILE_OWN + (z * 4 + y) * 4 + x;
                    const int at =
                        ((z + 4 * dz) * COIF_TILE_SIDE + y + 4 * dy) * COIF_TILE_SIDE + x + 4 * dx;
                    field->sums[to] += from->sums[at];
                    field->rest[to] += from->rest[at];
                    if (field->laws != NULL && from->laws != NULL) {
                        field->laws[to] += from->laws[at];
                    }
                }
            }
        }
    }
}

static void add_tiles(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const adding *all = context;
    coif_hair_grid *field = all->field;
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; ++tile) {
        find_near(field, tile);
        for (int d = 0; d < 8; ++d) {
            const int dx = d & 1;
            const int dy = d >> 1 & 1;
            const int dz = d >> 2;
            const int32_t part = field->near[tile][(1 - dz) * 9 + (1 - dy) * 3 + 1 - dx];
            if (part >= 0) {
                add_part(all, tile, part, dx, dy, dz);
            }
        }
        for (int64_t n = (int64_t)tile * COIF_TILE_OWN; n < (int64_t)(tile + 1) * COIF_TILE_OWN;
             ++n) {
            field->rest[n] = field->sums[n][3] > 0.0f ? field->rest[n] / field->sums[n][3] : 0.0f;
            if (field->laws != NULL && field->sums[n][3] > 0.0f) {
                field->laws[n] /= field->sums[n][3];
            }
        }
    }
}

void coif_hair_grid_build(coif_hair_grid *field, const coif_grid_scatter *splats, int32_t count,
                          float cell, coif_arena *arena, coif_jobs *jobs)
{
    *field = (coif_hair_grid){.cell = cell};
    coif_sparse_grid_init(&field->tiles, arena);
    list_tiles(field, splats, count);
    const int64_t tiles = field->tiles.count;
    int32_t *parts = coif_arena_new(arena, tiles * count, int32_t);
    memset(parts, 0xff, sizeof *parts * (size_t)(tiles * count));
    for (int32_t s = 0; s < count; ++s) {
        for (int32_t i = 0; i < splats[s].tiles.count; ++i) {
            const int32_t tile = coif_sparse_grid_find(&field->tiles, splats[s].tiles.places[i]);
            parts[(int64_t)tile * count + s] = i;
        }
    }
    field->near = coif_arena_alloc(arena, (size_t)tiles, sizeof *field->near);
    field->sums = coif_arena_new(arena, tiles * COIF_TILE_OWN, simd_float4);
    field->rest = coif_arena_new(arena, tiles * COIF_TILE_OWN, float);
    field->pressure = coif_arena_new(arena, tiles * COIF_TILE_OWN, float);
    field->pressure_next = coif_arena_new(arena, tiles * COIF_TILE_OWN, float);
    field->source = coif_arena_new(arena, tiles * COIF_TILE_OWN, float);
    field->open = coif_arena_new(arena, tiles * COIF_TILE_OWN, float);
    field->felt = coif_arena_new(arena, tiles * COIF_TILE_NODES, simd_float4);
    if (count > 0 && splats[0].varied) {
        field->laws = coif_arena_new(arena, tiles * COIF_TILE_OWN, simd_float4);
        field->rates = coif_arena_new(arena, tiles * COIF_TILE_NODES, float);
    }
    adding all = {field, splats, count, parts};
    coif_parallel_for(jobs, tiles, 16, add_tiles, &all);
}
